package webhook

import (
	"context"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// share is the part of a request's time for the stores that are asked before
// its handlers: half of the whole, and of what a slow body or an earlier event
// of the record has left. Each store has at most half of what is left of the
// share, so that the last one still has some.
type share struct {
	whole time.Duration // the time of the request
	begun backoff.Stopwatch
	spent time.Duration // by stores

	mu    sync.Mutex
	late  bool     // it was answered, and its handlers go on
	later []func() // what is to be done then
}

// whenLate calls do when the handlers outlive the answer.
func (s *share) whenLate(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.late {
		do()
		return
	}
	s.later = append(s.later, do)
}

func (s *share) isLate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late = true
	for _, do := range s.later {
		do()
	}
}

// limit returns the time for the next store, at most other.
func (s *share) limit(other time.Duration) time.Duration {
	left := min(s.whole/2-s.spent, (s.whole-s.begun.Passed())/2)
	return max(min(other, left/2), 1)
}

func (s *share) spend(asking backoff.Stopwatch) { s.spent += asking.Passed() }

// askFirst calls a store before the handlers, within the share of the stores.
func askFirst[V any](
	ctx context.Context, r *Receiver, d *delivery, name string, limit time.Duration, call func(context.Context) (V, error),
) (V, error) {
	if d.share == nil || limit == noLimit {
		return ask(ctx, r, name, limit, call)
	}
	defer d.share.spend(backoff.Start())
	return ask(ctx, r, name, d.share.limit(limit), call)
}

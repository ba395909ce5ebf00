package webhook

import (
	"context"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// share limits the time of the stores that are called before the handlers: half
// of the whole time of the request, and half of the time that a slow body has
// left. Each store gets at most half of the
// remaining share, so that later stores have some time, too.
type share struct {
	whole time.Duration // time limit of the request
	begun backoff.Stopwatch
	spent time.Duration // time used by stores

	mu    sync.Mutex
	late  bool     // the response was sent while the handlers were running
	later []func() // calls for that case
}

// whenLate calls do if the handlers outlive the response.
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

// limit returns the time limit for the next store, at most other.
func (s *share) limit(other time.Duration) time.Duration {
	left := min(s.whole/2-s.spent, (s.whole-s.begun.Passed())/2)
	return max(min(other, left/2), 1)
}

func (s *share) spend(asking backoff.Stopwatch) { s.spent += asking.Passed() }

// askFirst calls a store that must answer before the handlers run, with a time
// limit from the share.
func askFirst[V any](
	ctx context.Context, r *Receiver, d *delivery, name string, limit time.Duration, call func(context.Context) (V, error),
) (V, error) {
	if d.share == nil || limit == noLimit {
		return ask(ctx, r, name, limit, call)
	}
	defer d.share.spend(backoff.Start())
	return ask(ctx, r, name, d.share.limit(limit), call)
}

package sharetest

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// Ledger is the database that the handlers of all receivers write to.
type Ledger struct {
	// Faulty reports that a server fails during the test. A handler may then be
	// called again for an event. The event still takes effect once, because the
	// transaction records its identity.
	Faulty bool

	receivers int           // number of receivers that Attach was called for
	together  chan struct{} // closed when each receiver is handling an event

	mu     sync.Mutex
	having int
	calls  map[string]int          // number of calls by identity of the event
	newest map[string]models.Ticks // time of the newest event by resource
	stale  int                     // number of events marked as stale
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{together: make(chan struct{}), calls: map[string]int{}, newest: map[string]models.Ticks{}}
}

// Attach lets a receiver write its events to the ledger. The first events wait
// until each receiver is handling one, so that no receiver handles all of them.
func (l *Ledger) Attach(r *webhook.Receiver) {
	var first sync.Once
	l.receivers++
	webhook.OnAny(r, func(ctx context.Context, e *webhook.Event[json.RawMessage]) error {
		first.Do(l.has)
		select {
		case <-l.together:
			l.write(e)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// has records that another receiver is handling an event.
func (l *Ledger) has() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.having++; l.having == l.receivers {
		close(l.together)
	}
}

// write compares the time of the event with that of the record and writes both,
// in one transaction.
func (l *Ledger) write(e *webhook.Event[json.RawMessage]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[e.Identity()]++
	if l.calls[e.Identity()] > 1 {
		return
	}
	resource := e.ResourceID()
	if e.Timestamp < l.newest[resource] {
		l.stale++
		return
	}
	l.newest[resource] = e.Timestamp
}

// size returns the number of handled events.
func (l *Ledger) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.calls)
}

// check compares the ledger with the sent events.
func (l *Ledger) check(t *testing.T, s stream) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.calls) != s.events {
		t.Errorf("%d of %d events were handled", len(l.calls), s.events)
	}
	for identity, calls := range l.calls {
		if calls != 1 && !l.Faulty {
			t.Errorf("event %s was handled %d times", identity, calls)
		}
	}
	if len(l.newest) != s.resources {
		t.Errorf("%d of %d records were written", len(l.newest), s.resources)
	}
	for i := range s.resources {
		if got, want := l.newest[resource(i)], s.last(i); got != want {
			t.Errorf("record %d is of %d and should be of %d", i, got, want)
		}
	}
	if l.stale == 0 {
		t.Error("no event was stale, although most of them were sent after a newer one")
	}
}

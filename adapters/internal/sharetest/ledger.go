package sharetest

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// Ledger is what the handlers of all receivers write to, as to a database.
type Ledger struct {
	// Faulty says that a server fails meanwhile. A handler may then be called
	// again for an event, and the identity of the event in the transaction is
	// what makes it take effect once.
	Faulty bool

	receivers int           // that Attach was called for
	together  chan struct{} // closed when each of them has an event in hand

	mu     sync.Mutex
	having int
	calls  map[string]int          // by identity
	newest map[string]models.Ticks // by resource: the time of the record
	stale  int                     // events that came with the advice that they are stale
}

// NewLedger gives an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{together: make(chan struct{}), calls: map[string]int{}, newest: map[string]models.Ticks{}}
}

// Attach has the events of a receiver written to the ledger, once each of the
// receivers has one in hand: so they share the work, however fast one of them
// is.
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

// has counts a receiver that has an event in hand.
func (l *Ledger) has() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.having++; l.having == l.receivers {
		close(l.together)
	}
}

// write is the transaction: it compares the time of the event with that of the
// record, and writes both at once.
func (l *Ledger) write(e *webhook.Event[json.RawMessage]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[e.Identity()]++
	if l.calls[e.Identity()] > 1 {
		return
	}
	if e.Order == webhook.OrderStale {
		l.stale++
	}
	resource := e.ResourceID()
	if e.Timestamp < l.newest[resource] {
		return
	}
	l.newest[resource] = e.Timestamp
}

// size tells how many events were handled.
func (l *Ledger) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.calls)
}

// check holds the ledger against the events that were sent.
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
		t.Error("no event came with the advice that it is stale, although most of them were")
	}
}

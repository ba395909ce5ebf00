package fetch

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
)

// address names one record of one client.
type address struct {
	client *practice.Client
	kind   reflect.Type // of the record
	place
}

// Limits of a read that is used again.
const (
	reuse   = time.Second // its age
	records = 1 << 10     // how many records are remembered, once in each generation
)

// reads joins the reads of each record. Its zero value is ready for use.
type reads struct {
	mu           sync.Mutex
	young, older map[address]*joined // two generations; the older one is dropped as a whole
	begun        backoff.Stopwatch   // of the young one
}

// joined reads one record, one read at a time.
type joined struct {
	begun atomic.Int64  // reads
	turn  chan struct{} // holds a value while somebody reads, and guards the rest

	latest any   // the *R of the latest read that succeeded; nil when there was no record
	number int64 // of that read, from 1
	at     backoff.Stopwatch
}

// read returns a record, or nil if the service has none, by a read that began
// after the call, or by an earlier one of the last second that is good.
func read[R any](ctx context.Context, r *reads, at address, get func(context.Context) (*R, error), good func(*R) bool) (*R, error) {
	j := r.of(at)
	before := j.begun.Load()
	select {
	case j.turn <- struct{}{}:
		defer func() { <-j.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	latest, known := j.latest.(*R)
	if j.number > before || known && j.at.Passed() < reuse && good(latest) {
		return copied(latest), nil
	}
	number, start := j.begun.Add(1), backoff.Start()
	record, err := get(ctx)
	if err != nil {
		return nil, err // of this context, perhaps: the next one reads for himself
	}
	j.latest, j.number, j.at = copied(record), number, start
	return record, nil
}

// of returns what joins the reads of a record.
func (r *reads) of(at address) *joined {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.young == nil || len(r.young) >= records || r.begun.Passed() >= reuse {
		r.older, r.young, r.begun = r.young, make(map[address]*joined), backoff.Start()
	}
	j := r.young[at]
	if j == nil {
		if j = r.older[at]; j == nil {
			j = &joined{turn: make(chan struct{}, 1)}
		}
		r.young[at] = j
	}
	return j
}

// copied returns a copy of a record for a handler, which may change its fields.
func copied[R any](record *R) *R {
	if record == nil {
		return nil
	}
	another := *record
	return &another
}

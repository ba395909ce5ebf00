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

// address identifies a record and the client that reads it.
type address struct {
	client *practice.Client
	kind   reflect.Type // type of the record
	place
}

// Limits for the reuse of reads.
const (
	reuse   = time.Second // maximum age of a read
	records = 1 << 10     // maximum number of records in each generation
)

// reads shares reads of the same record between handlers. Its zero value is
// ready for use.
type reads struct {
	mu           sync.Mutex
	young, older map[address]*joined // two generations; the older one is dropped as a whole
	begun        backoff.Stopwatch   // start of the young generation
}

// joined holds the latest read of one record and allows one read at a time.
type joined struct {
	begun atomic.Int64  // number of reads started
	turn  chan struct{} // semaphore of size 1; guards the fields below

	latest any   // *R of the latest successful read; a nil *R if there was no record
	number int64 // number of that read, from 1
	at     backoff.Stopwatch
}

// read returns a record, or nil if the service does not have it. It uses the
// result of a read that began after the call, or of an earlier read for which
// good returns true and which is at most a second old. Otherwise it reads.
func read[R any](ctx context.Context, r *reads, at address, get func(context.Context) (*R, error), good func(*R) bool) (*R, error) {
	j := r.of(at)
	before := j.begun.Load()
	select {
	case j.turn <- struct{}{}:
		defer func() { <-j.turn }()
	case <-ctx.Done():
		return nil, backoff.Ended(ctx)
	}
	latest, known := j.latest.(*R)
	if j.number > before || known && j.at.Passed() < reuse && good(latest) {
		return copied(latest), nil
	}
	number, start := j.begun.Add(1), backoff.Start()
	record, err := get(ctx)
	if err != nil {
		return nil, err // possibly the end of this ctx, so the next caller reads again
	}
	j.latest, j.number, j.at = copied(record), number, start
	return record, nil
}

// of returns the shared reads of a record, and adds them if there are none.
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

// copied returns a shallow copy of a record, so that a handler may change its
// fields.
func copied[R any](record *R) *R {
	if record == nil {
		return nil
	}
	another := *record
	return &another
}

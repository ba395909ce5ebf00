package practice

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/paging"
)

// wholeObserver tells about a method that makes several calls, as one call. Its
// calls and transfers find it in the context. Nil observes nothing.
type wholeObserver struct {
	callObserver

	mu   sync.Mutex
	sum  Observation // of what was told below it
	held map[*call]Observation
}

type wholeKey struct{}

// observeWhole begins a whole, which end ends.
func (c *Client) observeWhole(ctx context.Context, base Observation) (context.Context, *wholeObserver) {
	if !c.observed() {
		return ctx, nil
	}
	w := &wholeObserver{callObserver: *c.observe(ctx, base)}
	w.ctx = context.WithValue(w.ctx, wholeKey{}, w)
	return w.ctx, w
}

// add counts what was told of a part.
func (w *wholeObserver) add(seen Observation) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sum.Waits.add(seen.Waits)
	if seen.Storage != w.base.Storage { // a transfer counts its exchanges, not its questions where to
		return
	}
	w.sum.Attempt += seen.Attempt
	w.sum.BytesSent += seen.BytesSent
	w.sum.BytesReceived += seen.BytesReceived
	if seen.Status != 0 {
		w.sum.Status = seen.Status
	}
}

// end tells that the whole is over.
func (w *wholeObserver) end(err error) { w.endWith("", err) }

// errNoReturn is what is told of a call that a panic of one of the caller's functions ended.
var errNoReturn = errors.New("a function of the caller did not return")

// endOf ends the whole as its deferred call: with the error that the method returns, or
// with the panic that is passing.
func (w *wholeObserver) endOf(err *error) {
	if value := recover(); value != nil {
		w.end(errNoReturn)
		panic(value)
	}
	w.end(*err)
}

func (w *wholeObserver) endWith(reason string, err error) {
	if w == nil {
		return
	}
	w.letAllGo()
	w.mu.Lock()
	seen := w.sum
	w.mu.Unlock()
	base := w.base
	base.Attempt, base.Status, base.Waits = seen.Attempt, seen.Status, seen.Waits
	base.BytesSent, base.BytesReceived = seen.BytesSent, seen.BytesReceived
	base.Records, base.Unreadable = seen.Records, seen.Unreadable
	base.Err, base.Reason, base.Duration = err, reason, time.Since(w.started)
	w.ended(base)
}

// told tells of a method that failed before it made a call.
func (c *Client) told(ctx context.Context, operation string, err error) error {
	_, w := c.observeWhole(ctx, Observation{Operation: operation})
	w.end(err)
	return err
}

// observedWalk performs a walk that is told about as a whole. It yields nil for
// each record.
func (c *Client) observedWalk(ctx context.Context, operation string, yield func(error) bool, walk func(context.Context, func(error) bool)) {
	ctx, w := c.observeWhole(ctx, Observation{Operation: operation, Walk: true})
	if w == nil {
		walk(ctx, yield)
		return
	}
	var ending walkEnding
	defer func() { w.endWith(ending.reason(), ending.err) }()
	walk(ctx, func(err error) bool {
		w.yielded(err)
		ending.yielded(err)
		ending.stopped = true // a caller may also panic
		ending.stopped = !yield(err)
		return !ending.stopped
	})
	ending.over = true
}

// yielded counts what an iterator yields.
func (w *wholeObserver) yielded(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err == nil:
		w.sum.Records++
	case isRecordError(err):
		w.sum.Unreadable++
	}
}

// walkEnding is how an iterator ended.
type walkEnding struct {
	err           error // what Observation.Err says
	last          error // what was yielded last
	over, stopped bool
}

func (e *walkEnding) yielded(err error) {
	e.last = err
	if err != nil && (e.err == nil || isRecordError(e.err) && !isRecordError(err)) {
		e.err = err
	}
}

func (e *walkEnding) reason() string {
	switch {
	case !e.over || e.stopped:
		return "the caller stopped"
	case e.last != nil && !isRecordError(e.last):
		return "it ended with an error"
	}
	return "complete"
}

// hold keeps the end of a page until its records have been read.
func (w *wholeObserver) hold(c *call, o outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held == nil {
		w.held = make(map[*call]Observation)
	}
	w.held[c] = c.ending(o, nil)
}

// letGo tells of the end of a page.
func (w *wholeObserver) letGo(c *call) {
	w.mu.Lock()
	seen, held := w.held[c]
	delete(w.held, c)
	w.mu.Unlock()
	if held {
		seen.Records, seen.Unreadable, seen.Err = c.found.records, c.found.faults, c.found.first
		c.observer.ended(seen)
	}
}

// letAllGo tells of the pages that nobody read.
func (w *wholeObserver) letAllGo() {
	w.mu.Lock()
	left := slices.Collect(maps.Keys(w.held))
	w.mu.Unlock()
	for _, c := range left {
		w.letGo(c)
	}
}

// heldRecords are those of a page whose end is told when they have been read.
type heldRecords struct {
	paging.Records
	of *call
}

func (r heldRecords) Next(out any) (bool, []error, error) {
	read, faults, err := r.Records.Next(out)
	if read {
		r.of.found.records++
	}
	if err != nil {
		r.of.found.first = err
	}
	return read, faults, err
}

func (r heldRecords) Release() {
	r.Records.Release()
	r.of.observer.whole.letGo(r.of)
}

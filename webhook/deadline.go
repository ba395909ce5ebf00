package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// Phases of a request.
const (
	phaseBody     int32 = iota // the body is read
	phaseWork                  // the handlers or the queue work
	phaseAnswered              // answered, by the outcome or without it
	phaseCutOff                // answered, while the body was read
)

// perform reads the body, does the work and returns its outcome, or the reason
// why there is none in time. The work then goes on, to be waited for in
// Shutdown: the service must have its answer.
func (r *Receiver) perform(ctx context.Context, d *delivery, w http.ResponseWriter, req *http.Request) error {
	var phase atomic.Int32
	done := make(chan outcome, 1)
	r.running.Begin()
	go func() {
		growStack(0)
		defer r.running.End()
		err := r.endedGoroutine()
		// Deferred: a handler may end its goroutine, and then the error stays.
		defer func() { r.handOver(ctx, d, err, &phase, done) }()
		err = protectHandlers(func() error {
			err := d.readBody(ctx, req, r.settings.maxBody)
			if !phase.CompareAndSwap(phaseBody, phaseWork) {
				return err
			}
			return r.handleBody(ctx, d, err)
		})
	}()
	select {
	case o := <-done:
		o.grace(ctx)
		return o.err
	case <-ctx.Done():
	}
	switch {
	case phase.CompareAndSwap(phaseBody, phaseCutOff):
		stopReading(w, done)
		d.leave()
		return fmt.Errorf("%w: %w", ErrBodyUnreadable, ctx.Err())
	case phase.CompareAndSwap(phaseWork, phaseAnswered):
		d.share.isLate()
		return fmt.Errorf("%w: %w", ErrUnfinished, ctx.Err())
	default:
		return (<-done).err
	}
}

// cutGrace is the time that an answer waits for the end of a read that was cut.
const cutGrace = 20 * time.Millisecond

// stopReading ends the reading of the body, if the writer lets that be done.
// Else the server ends it with the request.
func stopReading(w http.ResponseWriter, done <-chan outcome) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
	late := time.NewTimer(cutGrace)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// handOver hands the outcome of a request over, unless it is too late, and
// notifies the stores: before, if that takes no time and spares a second wait.
func (r *Receiver) handOver(ctx context.Context, d *delivery, err error, phase *atomic.Int32, done chan<- outcome) {
	before := phase.Swap(phaseAnswered)
	o := outcome{err: err}
	if before == phaseCutOff {
		done <- o
		return
	}
	d.leave()
	if r.notesAtOnce() {
		r.sendNotes(ctx, d)
	}
	if len(d.notes) > 0 {
		noted := make(chan struct{})
		defer close(noted)
		o.noted = noted
	}
	switch {
	case before != phaseAnswered:
		done <- o
	case errors.Is(err, ErrHandler):
		r.report(ctx, d, classify(ErrUnfinished).status, err)
	}
	r.sendNotes(ctx, d)
}

// growStack grows the stack of a new goroutine once, to the size that a
// delivery needs. Otherwise the runtime would double and copy it three times,
// which took a fifth of the time of a delivery.
//
//go:noinline
func growStack(n int) byte {
	var room [4 << 10]byte
	return room[n]
}

// endedGoroutine returns the error of a request whose goroutine was ended.
func (r *Receiver) endedGoroutine() error {
	if r.settings.queue != nil {
		return storeError("queue", &PanicError{})
	}
	return errEndedGoroutine
}

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
	phaseBody     int32 = iota // the body is being read
	phaseWork                  // the handlers run, or the queue stores the delivery
	phaseAnswered              // answered, with the result or at the deadline
	phaseCutOff                // answered while the body was still being read
)

// perform reads the body and handles the delivery. It returns the result, or an
// error if there is no result at the deadline: the service must get a response
// in time. The work then continues in its goroutine, and Shutdown waits for it.
func (r *Receiver) perform(ctx context.Context, d *delivery, w http.ResponseWriter, req *http.Request) error {
	var phase atomic.Int32
	done := make(chan outcome, 1)
	r.running.Begin()
	go func() {
		growStack(0)
		defer r.running.End()
		err := r.endedGoroutine()
		// Deferred, because a handler may call runtime.Goexit. err then keeps
		// its initial value.
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

// cutGrace limits how long a response waits for an interrupted read to return.
const cutGrace = 20 * time.Millisecond

// stopReading interrupts the read of the body if the writer supports read
// deadlines. Otherwise the server interrupts it when the request ends.
func stopReading(w http.ResponseWriter, done <-chan outcome) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
	late := time.NewTimer(cutGrace)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// handOver passes the result to perform, unless perform has already answered,
// and then notifies the Deduplicator. One in memory is notified first, which
// avoids a second wait.
func (r *Receiver) handOver(ctx context.Context, d *delivery, err error, phase *atomic.Int32, done chan<- outcome) {
	before := phase.Swap(phaseAnswered)
	o := outcome{err: err}
	if before == phaseCutOff {
		done <- o
		return
	}
	d.leave()
	if limitOf(r.settings.deduplicator, 1) == noLimit {
		r.sendNote(ctx, d)
	}
	if d.note != nil {
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
	r.sendNote(ctx, d)
}

// growStack grows the stack of a new goroutine in one step to the size that a
// delivery needs. Otherwise the runtime grows and copies it step by step, which
// took a fifth of the time of a delivery.
//
//go:noinline
func growStack(n int) byte {
	var room [4 << 10]byte
	return room[n]
}

// endedGoroutine returns the error of a request whose goroutine ended without
// returning.
func (r *Receiver) endedGoroutine() error {
	if r.settings.queue != nil {
		return storeError("queue", &PanicError{})
	}
	return errEndedGoroutine
}

package storage

import (
	"context"
	"errors"
	"time"
)

// ErrStalled ends an exchange in which no byte moved for the idle limit.
var ErrStalled = errors.New("no byte moved for the idle time limit")

// watchdog ends an exchange that stalls. It counts only while the network is
// waited for, never while the caller's own source or sink takes its time.
type watchdog struct {
	limit time.Duration
	timer *time.Timer // nil without a limit
	end   context.CancelCauseFunc
}

// watch begins to count. The context must be ended by stop.
func watch(ctx context.Context, limit time.Duration) (context.Context, *watchdog) {
	ctx, end := context.WithCancelCause(ctx)
	w := &watchdog{limit: limit, end: end}
	if limit > 0 {
		w.timer = time.AfterFunc(limit, func() { end(ErrStalled) })
	}
	return ctx, w
}

// restart counts anew from now.
func (w *watchdog) restart() {
	if w.timer != nil {
		w.timer.Reset(w.limit)
	}
}

// pause stops counting.
func (w *watchdog) pause() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *watchdog) stop() {
	w.pause()
	w.end(nil)
}

// failure is what went wrong in an exchange: without the address, and with
// the stall that ended its context.
func failure(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), ErrStalled) {
		return ErrStalled
	}
	return withoutAddress(err)
}

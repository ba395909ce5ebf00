package transport

import (
	"context"
	"sync"
	"time"
)

// limitedContext is a context with the time limit of a call or an attempt, and
// with the call. It starts a timer only at the first wait. That is usually the
// wait of net/http in the single attempt of a call, which ends at the earlier
// of both limits.
type limitedContext struct {
	context.Context // the parent context
	call            *Call
	deadline        time.Time // zero if there is no limit
	limit           *TimeLimitError

	mu       sync.Mutex
	timed    context.Context // context with the deadline; nil before the first wait
	stop     context.CancelFunc
	finished bool
}

type callKey struct{}

func callFrom(ctx context.Context) *Call {
	call, _ := ctx.Value(callKey{}).(*Call)
	return call
}

// withCall starts the time limit of the call. The caller must call finish.
func withCall(ctx context.Context, call *Call) *limitedContext {
	call.begun = time.Now()
	call.at = call.begun
	// All attempts share these fields. They are set once, because an earlier
	// attempt may still read them.
	call.carried = limitedContext{Context: ctx, call: call, limit: &call.totalLimit}
	call.attemptLimit = TimeLimitError{Limit: call.AttemptTimeout}
	if call.Timeout > 0 {
		call.totalLimit = TimeLimitError{Limit: call.Timeout, Total: true}
		call.carried.deadline = call.begun.Add(call.Timeout)
	}
	return &call.carried
}

// finish ends the context.
func (c *limitedContext) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finished = true
	if c.timed != nil {
		c.stop()
	}
}

// wait returns the context with a timer for the limit.
func (c *limitedContext) wait() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timed != nil {
		return c.timed
	}
	if c.deadline.IsZero() {
		c.timed, c.stop = context.WithCancel(c.Context)
	} else {
		c.timed, c.stop = context.WithDeadlineCause(c.Context, c.deadline, c.limit)
	}
	if c.finished {
		c.stop()
	}
	return c.timed
}

// waiting returns the context that wait returned, or nil if it was not called.
func (c *limitedContext) waiting() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.timed
}

// ended returns ctx.Err(). It does not read the clock if that cannot change the
// result.
func (c *Call) ended(ctx context.Context) error {
	own := &c.carried
	if ctx == context.Context(own) && own.waiting() == nil && (own.deadline.IsZero() || c.at.Before(own.deadline)) {
		return own.Context.Err()
	}
	return ctx.Err()
}

// over reports whether the context has ended, even if nothing waits for it.
func (c *limitedContext) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.finished || !c.deadline.IsZero() && !time.Now().Before(c.deadline)
}

func (c *limitedContext) Deadline() (time.Time, bool) {
	callers, ok := c.Context.Deadline()
	if !c.deadline.IsZero() && (!ok || c.deadline.Before(callers)) {
		return c.deadline, true
	}
	return callers, ok
}

func (c *limitedContext) Done() <-chan struct{} { return c.wait().Done() }

func (c *limitedContext) Err() error {
	timed := c.waiting()
	if timed == nil && c.over() {
		timed = c.wait()
	}
	if timed != nil {
		return timed.Err()
	}
	return c.Context.Err()
}

func (c *limitedContext) Value(key any) any {
	if key == (callKey{}) {
		return c.call
	}
	if timed := c.waiting(); timed != nil {
		return timed.Value(key)
	}
	return c.Context.Value(key)
}

// limitAttempt returns the context of one attempt. It uses memory of the call
// if no other attempt can use that. The caller must call finish.
func limitAttempt(ctx context.Context, alone bool) *limitedContext {
	call := callFrom(ctx)
	if call == nil || call.AttemptTimeout <= 0 {
		return &limitedContext{Context: ctx, call: call}
	}
	var attempt *limitedContext
	if alone && call.attempt.Context == nil { // the previous one may still be in use
		attempt = &call.attempt
	} else {
		attempt = new(limitedContext)
	}
	attempt.Context, attempt.call, attempt.limit = ctx, call, &call.attemptLimit
	attempt.deadline = time.Now().Add(call.AttemptTimeout)
	if own := &call.carried; ctx == context.Context(own) { // no other context in between has limits
		attempt.Context = own.Context
		if !own.deadline.IsZero() && own.deadline.Before(attempt.deadline) {
			attempt.deadline, attempt.limit = own.deadline, own.limit
		}
	}
	return attempt
}

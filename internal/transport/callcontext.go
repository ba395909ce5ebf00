package transport

import (
	"context"
	"sync"
	"time"
)

// callContext carries a call and its total time limit through net/http to the
// links. A timer runs for the limit only from when somebody waits for the
// context: the one attempt that most calls are has a timer of its own, which
// ends with the earlier of both limits.
type callContext struct {
	context.Context // of the caller
	call            *Call
	deadline        time.Time // zero when there is no total limit

	mu       sync.Mutex
	timed    context.Context // with the deadline, once somebody waits; nil before
	stop     context.CancelFunc
	finished bool
}

type callKey struct{}

func callFrom(ctx context.Context) *Call {
	call, _ := ctx.Value(callKey{}).(*Call)
	return call
}

// withCall begins the total time limit of the call, which ends with finish.
func withCall(ctx context.Context, call *Call) *callContext {
	// What all attempts share is set once: something of an earlier one may still
	// look at it.
	call.carried = callContext{Context: ctx, call: call}
	call.attempt = attemptContext{Context: ctx, call: call}
	call.attemptLimit = TimeLimitError{Limit: call.AttemptTimeout}
	if call.Timeout > 0 {
		call.totalLimit = TimeLimitError{Limit: call.Timeout, Total: true}
		call.carried.deadline = time.Now().Add(call.Timeout)
	}
	return &call.carried
}

// finish ends the context.
func (c *callContext) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finished = true
	if c.timed != nil {
		c.stop()
	}
}

// wait gives the context that keeps the total limit.
func (c *callContext) wait() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timed != nil {
		return c.timed
	}
	if c.deadline.IsZero() {
		c.timed, c.stop = context.WithCancel(c.Context)
	} else {
		c.timed, c.stop = context.WithDeadlineCause(c.Context, c.deadline, &c.call.totalLimit)
	}
	if c.finished {
		c.stop()
	}
	return c.timed
}

// waiting is what wait gave, or nil when nobody waits.
func (c *callContext) waiting() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.timed
}

// over reports that the context has ended, although nobody waits for that.
func (c *callContext) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.finished || !c.deadline.IsZero() && !time.Now().Before(c.deadline)
}

func (c *callContext) Deadline() (time.Time, bool) {
	callers, ok := c.Context.Deadline()
	if !c.deadline.IsZero() && (!ok || c.deadline.Before(callers)) {
		return c.deadline, true
	}
	return callers, ok
}

func (c *callContext) Done() <-chan struct{} { return c.wait().Done() }

func (c *callContext) Err() error {
	timed := c.waiting()
	if timed == nil && c.over() {
		timed = c.wait()
	}
	if timed != nil {
		return timed.Err()
	}
	return c.Context.Err()
}

func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return c.call
	}
	if timed := c.waiting(); timed != nil {
		return timed.Value(key)
	}
	return c.Context.Value(key)
}

// attemptContext is the caller's context with the call in it, and without the
// total limit: the limit of an attempt takes care of both.
type attemptContext struct {
	context.Context
	call *Call
}

func (c *attemptContext) Value(key any) any {
	if key == (callKey{}) {
		return c.call
	}
	return c.Context.Value(key)
}

// limitAttempt gives the context of one attempt.
func limitAttempt(ctx context.Context) (context.Context, context.CancelFunc) {
	c := callFrom(ctx)
	if c == nil || c.AttemptTimeout <= 0 {
		return context.WithCancel(ctx)
	}
	deadline := time.Now().Add(c.AttemptTimeout)
	if ctx != context.Context(&c.carried) { // somebody on the way may have limits of its own
		return context.WithDeadlineCause(ctx, deadline, &c.attemptLimit)
	}
	limit := &c.attemptLimit
	if total := c.carried.deadline; !total.IsZero() && total.Before(deadline) {
		deadline, limit = total, &c.totalLimit
	}
	return context.WithDeadlineCause(&c.attempt, deadline, limit)
}

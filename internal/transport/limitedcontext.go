package transport

import (
	"context"
	"sync"
	"time"
)

// limitedContext carries a call and a time limit, that of the call or of an attempt,
// through net/http to the links. A timer runs for the limit only from when somebody
// waits for the context: usually for the one attempt that most calls are, which ends
// with the earlier of both limits.
type limitedContext struct {
	context.Context // without the limit
	call            *Call
	deadline        time.Time // zero when there is no limit
	limit           *TimeLimitError

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

// withCall begins the call with its total time limit, which ends with finish.
func withCall(ctx context.Context, call *Call) *limitedContext {
	call.begun = time.Now()
	call.at = call.begun
	// All attempts share these, so they are set once: something of an earlier one may still
	// look at it.
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

// wait gives the context that keeps the total limit.
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

// waiting is what wait gave, or nil when nobody waits.
func (c *limitedContext) waiting() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.timed
}

// ended is ctx.Err without another look at the clock, where that can tell no more.
func (c *Call) ended(ctx context.Context) error {
	own := &c.carried
	if ctx == context.Context(own) && own.waiting() == nil && (own.deadline.IsZero() || c.at.Before(own.deadline)) {
		return own.Context.Err()
	}
	return ctx.Err()
}

// over reports that the context has ended, although nobody waits for that.
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

// limitAttempt gives the context of one attempt, in room of the call if nothing else can
// be there. It ends with finish.
func limitAttempt(ctx context.Context, alone bool) *limitedContext {
	call := callFrom(ctx)
	if call == nil || call.AttemptTimeout <= 0 {
		return &limitedContext{Context: ctx, call: call}
	}
	var attempt *limitedContext
	if alone && call.attempt.Context == nil { // something may still look at the one before
		attempt = &call.attempt
	} else {
		attempt = new(limitedContext)
	}
	attempt.Context, attempt.call, attempt.limit = ctx, call, &call.attemptLimit
	attempt.deadline = time.Now().Add(call.AttemptTimeout)
	if own := &call.carried; ctx == context.Context(own) { // nobody on the way has limits of its own
		attempt.Context = own.Context
		if !own.deadline.IsZero() && own.deadline.Before(attempt.deadline) {
			attempt.deadline, attempt.limit = own.deadline, own.limit
		}
	}
	return attempt
}

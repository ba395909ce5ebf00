package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// ErrBodyTooLarge is the failure of an answer whose body is larger than the
// limit of the call.
var ErrBodyTooLarge = errors.New("the body of the answer is larger than the limit")

// errNoAnswer is the failure of a caller's transport that breaks the contract
// of http.RoundTripper.
var errNoAnswer = errors.New("the transport returned neither an answer nor an error")

// UnsentError is a failure before anything of the request left: in the rate
// limit, in the token source, or at the check of the address.
type UnsentError struct {
	Err       error
	Temporary bool // worth another attempt
}

// Error says what happened, without any secret.
func (e *UnsentError) Error() string { return e.Err.Error() }

// Unwrap gives the failure itself.
func (e *UnsentError) Unwrap() error { return e.Err }

// ClosedError is the failure of a call that the service told, by the Retry-After
// of another call's 429, to come back later than the call may wait. It is an
// ErrRateLimitWait.
type ClosedError struct{ Wait time.Duration }

// Error says for how long the service wants no request.
func (e *ClosedError) Error() string {
	return fmt.Sprintf("the service wants no request for %v", e.Wait.Round(time.Second))
}

// Is makes the error equal to ErrRateLimitWait.
func (e *ClosedError) Is(target error) bool { return target == ErrRateLimitWait }

// BrokenBodyError is a body that ended before it was complete.
type BrokenBodyError struct {
	Status   int
	Received int64
	Err      error
}

// Error says what happened, without any secret.
func (e *BrokenBodyError) Error() string {
	return fmt.Sprintf("the body of the answer (status %d) broke off after %d bytes: %v", e.Status, e.Received, e.Err)
}

// Unwrap gives the cause.
func (e *BrokenBodyError) Unwrap() error { return e.Err }

// TimeLimitError says which time limit ended an attempt or a call. It is a
// context.DeadlineExceeded.
type TimeLimitError struct {
	Limit time.Duration
	Total bool
}

// Error says what happened, without any secret.
func (e *TimeLimitError) Error() string {
	if e.Total {
		return fmt.Sprintf("the total time limit of %v passed", e.Limit)
	}
	return fmt.Sprintf("the time limit of %v for one attempt passed", e.Limit)
}

// Is makes the error equal to context.DeadlineExceeded.
func (e *TimeLimitError) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout makes the error a net.Error-like time-out.
func (e *TimeLimitError) Timeout() bool { return true }

// AwaitedError is the end of a call that waited for an access token, with the reason why
// none came. It is that end to [errors.Is] and [errors.As].
type AwaitedError struct{ Ended, Failed error }

// Error says both.
func (e *AwaitedError) Error() string {
	return e.Ended.Error() + ", and no access token came: " + e.Failed.Error()
}

// Unwrap returns the end of the call.
func (e *AwaitedError) Unwrap() error { return e.Ended }

// contextCause puts the reason why a context ended in the place of the bare
// error of the context.
func contextCause(ctx context.Context, err error) error {
	ended := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	if told, ok := errors.AsType[*AwaitedError](err); ok {
		return told // the reason, and more
	}
	if cause := context.Cause(ctx); ended && cause != nil {
		if _, ok := errors.AsType[*TimeLimitError](cause); ok || errors.Is(cause, errSentOnce) {
			return cause
		}
	}
	return err
}

// neverConnected reports a failure that proves by itself that no connection
// was there to send anything over. One of several joined failures proves
// nothing about the others.
func neverConnected(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if op, ok := err.(*net.OpError); ok { //nolint:errorlint // see above
			return op.Op == "dial"
		}
	}
	return false
}

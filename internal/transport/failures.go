package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// ErrBodyTooLarge reports a response body larger than the limit of the call.
var ErrBodyTooLarge = errors.New("the response body is larger than the limit")

// errNoAnswer reports a transport that breaks the contract of
// http.RoundTripper.
var errNoAnswer = errors.New("the transport returned neither a response nor an error")

// UnsentError is an error before anything was sent: in the rate limit, the
// token source, or the check of the origin.
type UnsentError struct {
	Err       error
	Temporary bool // a retry may succeed
}

// Error returns the message, which has no secrets.
func (e *UnsentError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UnsentError) Unwrap() error { return e.Err }

// ClosedError reports that the Retry-After of a 429 to another call is longer
// than this call may wait. It matches ErrRateLimitWait.
type ClosedError struct{ Wait time.Duration }

// Error returns the time for which the service refuses requests.
func (e *ClosedError) Error() string {
	return fmt.Sprintf("the service asked the client to wait %v", e.Wait.Round(time.Second))
}

// Is reports whether target is ErrRateLimitWait.
func (e *ClosedError) Is(target error) bool { return target == ErrRateLimitWait }

// BrokenBodyError reports an incomplete body.
type BrokenBodyError struct {
	Status   int
	Received int64
	Err      error
}

// Error returns the message, which has no secrets.
func (e *BrokenBodyError) Error() string {
	return fmt.Sprintf("the response body (status %d) was cut off after %d bytes: %v", e.Status, e.Received, e.Err)
}

// Unwrap returns the cause.
func (e *BrokenBodyError) Unwrap() error { return e.Err }

// TimeLimitError reports which time limit ended an attempt or a call. It
// matches context.DeadlineExceeded.
type TimeLimitError struct {
	Limit time.Duration
	Total bool
}

// Error returns the message, which has no secrets.
func (e *TimeLimitError) Error() string {
	if e.Total {
		return fmt.Sprintf("the time limit of %v for the whole call was exceeded", e.Limit)
	}
	return fmt.Sprintf("the time limit of %v for one attempt was exceeded", e.Limit)
}

// Is reports whether target is context.DeadlineExceeded.
func (e *TimeLimitError) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout returns true, as for a net.Error.
func (e *TimeLimitError) Timeout() bool { return true }

// AwaitedError reports that a call ended while it waited for an access token,
// and why there was none. errors.Is and errors.As examine only Ended.
type AwaitedError struct{ Ended, Failed error }

// Error returns both messages.
func (e *AwaitedError) Error() string {
	return e.Ended.Error() + ", and no access token was obtained: " + e.Failed.Error()
}

// Unwrap returns the reason for the end of the call.
func (e *AwaitedError) Unwrap() error { return e.Ended }

// contextCause returns the cause of the end of ctx if err is the error of an
// ended context that lacks it, and err otherwise.
func contextCause(ctx context.Context, err error) error {
	ended := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	if told, ok := errors.AsType[*AwaitedError](err); ok {
		return told // it contains the reason
	}
	cause := context.Cause(ctx)
	if !ended || cause == nil {
		return err
	}
	if _, ok := errors.AsType[*TimeLimitError](cause); ok || errors.Is(cause, errSentOnce) {
		return cause
	}
	if !errors.Is(err, cause) {
		return backoff.Ended(ctx)
	}
	return err
}

// isTimeout reports whether err is the end of a time limit, such as a
// TimeLimitError or that of a transport.
func isTimeout(err error) bool {
	limited, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return ok && limited.Timeout()
}

// IsPermanent reports whether an attempt failed before anything was sent for a
// reason that stays: a certificate that cannot be verified, or a scheme that
// the transport does not support.
func IsPermanent(err error) bool {
	return isA[*tls.CertificateVerificationError](err) || isA[x509.UnknownAuthorityError](err) ||
		isA[x509.HostnameError](err) || isA[x509.CertificateInvalidError](err) ||
		err != nil && strings.Contains(err.Error(), "unsupported protocol scheme") // net/http has no type for it
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// neverConnected reports whether err proves that there was no connection. One
// of several joined errors proves nothing about the others.
func neverConnected(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if op, ok := err.(*net.OpError); ok { //nolint:errorlint // see above
			return op.Op == "dial"
		}
	}
	return false
}

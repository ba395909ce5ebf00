package webhook

import (
	"errors"
	"net/http"
	"slices"
	"time"
)

// Permanent marks the error of a handler as final: the message is not handled
// again. From a queue it becomes a dead letter at once, and so does each
// repeated delivery. Within a request the status is 200, so that the service
// does not send the delivery again; there a [Deduplicator] drops repeated
// deliveries. [WithErrorHook] reports the error. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

// RetryAfter marks the error of a handler with the wait before the event is
// retried, instead of that of [WithRetryPolicy]. It counts as an attempt.
// Within a request the status is 503 with a Retry-After header. A negative wait
// means none; RetryAfter(nil, wait) is nil.
func RetryAfter(err error, wait time.Duration) error {
	if err == nil {
		return nil
	}
	return &retryAfterError{err, max(wait, 0)}
}

type permanentError struct{ error }

func (e *permanentError) Unwrap() error { return e.error }

type retryAfterError struct {
	error
	wait time.Duration
}

func (e *retryAfterError) Unwrap() error { return e.error }

// fate is the next step for a message whose handling failed.
type fate int

const (
	fateRetry fate = iota // retry, and count an attempt
	fateBack              // retry without counting an attempt: the message is not at fault
	fateDead              // dead-letter: another attempt cannot succeed
)

// class maps an error to a status, a counter, and the next step for the
// message.
type class struct {
	reason error // sentinel error by which failures are counted
	status int
	fate   fate
	wait   time.Duration // wait before the next attempt that a handler requested; negative if it requested none
	place  int           // index in classes
}

const classCount = 16

func classes() [classCount]class {
	return [...]class{
		{reason: ErrHandler, status: http.StatusInternalServerError},
		{reason: ErrUnfinished, status: http.StatusServiceUnavailable},
		{reason: ErrInProgress, status: http.StatusServiceUnavailable, fate: fateBack},
		{reason: ErrStore, status: http.StatusServiceUnavailable, fate: fateBack},
		{reason: ErrMethod, status: http.StatusMethodNotAllowed},
		{reason: ErrBodyTooLarge, status: http.StatusRequestEntityTooLarge},
		{reason: ErrBodyUnreadable, status: http.StatusBadRequest},
		{reason: ErrMalformed, status: http.StatusBadRequest, fate: fateDead},
		{reason: ErrNoSignature, status: http.StatusUnauthorized},
		{reason: ErrBadSignature, status: http.StatusUnauthorized},
		{reason: ErrBadTimestamp, status: http.StatusUnauthorized},
		{reason: ErrTooOld, status: http.StatusUnauthorized},
		{reason: ErrTooNew, status: http.StatusUnauthorized},
		{reason: ErrWrongAccount, status: http.StatusUnauthorized},
		{reason: ErrSecondBody, status: http.StatusUnauthorized},
		{reason: ErrBusy, status: http.StatusServiceUnavailable},
	}
}

// classify returns the class of an error. An error that matches no sentinel
// comes from a panic and counts as that of a handler.
func classify(err error) class {
	if err == nil {
		return class{status: http.StatusOK}
	}
	all := classes()
	place := max(outermost(err, all[:]), 0)
	c := all[place]
	c.place, c.wait = place, -1
	if c.reason == ErrHandler || c.reason == ErrUnfinished { //nolint:errorlint // the sentinels themselves
		c.observe(err)
	}
	return c
}

// outermost returns the index of the outermost sentinel in err, or -1. Errors
// nested deeper may match any sentinel, because handlers and stores may return
// errors of this package.
func outermost(err error, all []class) int {
	if i := slices.IndexFunc(all, func(c class) bool { return c.reason == err }); i >= 0 { //nolint:errorlint // unwrapped below
		return i
	}
	var inside []error
	switch wrapper := err.(type) { //nolint:errorlint // likewise
	case interface{ Unwrap() error }:
		inside = []error{wrapper.Unwrap()}
	case interface{ Unwrap() []error }:
		inside = wrapper.Unwrap()
	}
	for _, err := range inside {
		if i := outermost(err, all); i >= 0 {
			return i
		}
	}
	return -1
}

// ran reports whether the handlers were called.
func (c class) ran() bool {
	return c.reason != ErrInProgress && c.reason != ErrMalformed //nolint:errorlint // the sentinels themselves
}

// observe applies Permanent or RetryAfter, if the handler returned one.
func (c *class) observe(err error) {
	if _, final := errors.AsType[*permanentError](err); final {
		c.status, c.fate = http.StatusOK, fateDead
		return
	}
	if later, ok := errors.AsType[*retryAfterError](err); ok {
		c.status, c.wait = http.StatusServiceUnavailable, later.wait
	}
}

package practice

import (
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

// patience decides after each failed attempt of a transfer whether another one
// follows, and when. It counts the failures in a row.
type patience struct {
	retries transport.Retries
	// fresh: the file was made just now, so that the service may not find it yet.
	fresh bool

	used     int // retries that counted
	refused  bool
	attempts []Attempt
	wait     time.Duration
}

// enough is how much an attempt must have moved to count as a success that
// broke off, rather than as one more failure in a row.
const enough = 1 << 20

// again takes the account of a failed attempt and reports whether another one
// is worth it; sleep then waits for its time.
func (p *patience) again(ctx context.Context, a Attempt) bool {
	if a.BytesReceived >= enough {
		p.used, p.refused, p.attempts = 0, false, nil
	}
	a.Number = len(p.attempts) + 1
	a.Status = statusOf(a.Err)
	again, reason := p.decide(ctx, a.Err)
	a.Reason = reason
	if again {
		a.Wait = p.wait
	}
	p.attempts = append(p.attempts, a)
	return again
}

// last is the account of the attempt that failed last.
func (p *patience) last() Attempt { return p.attempts[len(p.attempts)-1] }

// giveUp takes back that another attempt follows.
func (p *patience) giveUp(because error) {
	last := &p.attempts[len(p.attempts)-1]
	last.Reason, last.Wait = because.Error(), 0
}

func (p *patience) decide(ctx context.Context, err error) (again bool, reason string) {
	p.wait = 0
	if ctx.Err() != nil {
		return false, "the context ended"
	}
	refused := isRefused(err)
	if refused && !p.refused {
		// Like the one replay after a 401, this neither waits nor counts.
		p.refused = true
		return true, "the address was refused, once more with a new one"
	}
	if !p.worthwhile(err) {
		return false, "another attempt would not help"
	}
	p.refused = refused
	if p.used >= p.retries.Max {
		return false, "no retries left"
	}
	p.wait = p.retries.Wait(p.used, retryAfterOf(err))
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= p.wait {
		return false, "the deadline comes before the next attempt"
	}
	p.used++
	return true, "no whole transfer"
}

// worthwhile reports a failure that may pass.
func (p *patience) worthwhile(err error) bool {
	if renewal, ok := errors.AsType[*renewalError](err); ok {
		return p.fresh && errors.Is(renewal, ErrNotFound) // any other had its own retries
	}
	if status, ok := errors.AsType[*storage.StatusError](err); ok {
		return status.Temporary() || status.Expired()
	}
	if _, ok := errors.AsType[*localError](err); ok {
		return false
	}
	for _, final := range []error{
		ErrStorageAddress, storage.ErrAddress, storage.ErrRewritten, ErrVersionChanged, ErrNotResumable,
	} {
		if errors.Is(err, final) {
			return false
		}
	}
	return true
}

// sleep waits for the next attempt.
func (p *patience) sleep(ctx context.Context) error {
	if p.wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(p.wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// localError is a failure of the caller's own body, writer or file.
type localError struct {
	doing string
	err   error
}

func (e *localError) Error() string { return e.doing + ": " + e.err.Error() }

func (e *localError) Unwrap() error { return e.err }

// renewalError is a failure to get a new address from the service.
type renewalError struct{ err error }

func (e *renewalError) Error() string { return "a new address could not be had: " + e.err.Error() }

func (e *renewalError) Unwrap() error { return e.err }

func isRefused(err error) bool {
	status, ok := errors.AsType[*storage.StatusError](err)
	return ok && status.Refused()
}

func statusOf(err error) int {
	if status, ok := errors.AsType[*storage.StatusError](err); ok {
		return status.Status
	}
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer.StatusCode
	}
	return 0
}

func retryAfterOf(err error) string {
	if status, ok := errors.AsType[*storage.StatusError](err); ok {
		return status.RetryAfter
	}
	return ""
}

package transfer

import (
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/transport"
)

// retry decides after each failed attempt of a transfer whether and when to
// retry. It counts consecutive failures.
type retry struct {
	limits transport.Retries
	length int64 // number of bytes to receive; not positive while unknown

	used     int   // number of retries that counted
	refused  bool  // the storage refused the URL of the last attempt
	received int64 // bytes received during the consecutive failures
	attempts []transport.Attempt
	wait     time.Duration
}

// progressed is the number of bytes after which failures are counted from zero
// again. A connection costs a few KiB before its first byte, so fewer bytes are
// mostly overhead. For short content a fraction is sufficient. So a connection
// that always breaks early still transfers everything in the end, and the
// number of requests is at most the number of such portions times the retries.
const (
	progressed = 64 << 10
	portions   = 16
)

// again records a failed attempt and reports whether to retry; sleep then waits
// for the time of the retry.
func (r *retry) again(ctx context.Context, a transport.Attempt) bool {
	if r.received += a.BytesReceived; r.received >= r.portion() {
		r.used, r.refused, r.received, r.attempts = 0, false, 0, nil
	}
	a.Number = len(r.attempts) + 1
	a.Status = statusOf(a.Err)
	again, reason := r.decide(ctx, a.Err)
	a.Reason = reason
	if again {
		a.Wait = r.wait
	}
	r.attempts = append(r.attempts, a)
	return again
}

// portion returns the number of bytes after which failures are counted from
// zero again.
func (r *retry) portion() int64 {
	if r.length <= 0 {
		return progressed
	}
	return min(progressed, max(r.length/portions, 1))
}

// last returns the latest failed attempt.
func (r *retry) last() transport.Attempt { return r.attempts[len(r.attempts)-1] }

// giveUp revokes the decision to retry.
func (r *retry) giveUp(because error) {
	last := &r.attempts[len(r.attempts)-1]
	last.Reason, last.Wait = because.Error(), 0
}

func (r *retry) decide(ctx context.Context, err error) (again bool, reason string) {
	r.wait = 0
	if ctx.Err() != nil {
		return false, "the context ended"
	}
	said := said(err)
	if said.Refused() && !r.refused && said.RetryAfter == 0 {
		// Like the single retry after a 401, this neither waits nor counts.
		r.refused = true
		return true, "the storage URL was rejected; retrying with a new one"
	}
	if !temporary(err) {
		return false, "a retry would not help"
	}
	r.refused = said.Refused()
	if r.used >= r.limits.Max {
		return false, "no retries are left"
	}
	r.wait = r.limits.Wait(r.used, said.RetryAfter)
	if r.wait > r.limits.MaxWait {
		return false, "the storage service asked the client to wait " + r.wait.Round(time.Second).String()
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= r.wait {
		return false, "the deadline expires before the next attempt"
	}
	r.used++
	return true, "the transfer is incomplete"
}

// temporary reports whether a retry may succeed after a failure.
func temporary(err error) bool {
	if located, ok := errors.AsType[*LocateError](err); ok {
		return located.Temporary
	}
	if said := said(err); said.Status != 0 {
		return said.Temporary() || said.Expired()
	}
	if _, ok := errors.AsType[*localError](err); ok || transport.IsPermanent(err) {
		return false
	}
	for _, final := range []error{
		ErrStorageAddress, ErrVersionChanged, ErrNotResumable, ErrSizeUnknown,
	} {
		if errors.Is(err, final) {
			return false
		}
	}
	return true
}

// sleep waits for the next attempt. Its error is always one of a context, as that
// of an exchange.
func (r *retry) sleep(ctx context.Context) error {
	if backoff.Sleep(ctx, r.wait) != nil {
		return backoff.Ended(ctx)
	}
	return nil
}

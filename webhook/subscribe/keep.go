package subscribe

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
)

// keepRetry is the wait after a failed check; it doubles up to the interval.
const keepRetry = 10 * time.Second

// Keep maintains a webhook subscription until ctx ends or its caller stops the
// iteration. It calls Ensure at once, after a new access token of the client,
// and at an interval, and yields each report.
//
// A failed check is repeated after ten seconds; the wait doubles up to the
// interval, whatever tokens are renewed meanwhile. After new tokens whose
// checks found nothing to do, further ones wake Keep less and less often, so
// that a firm whose access was revoked does not keep those busy that share its
// tokens. Keep returns early only for an invalid specification or client: it
// yields that error and sends no request. It yields nothing after ctx has
// ended. The renewal of a token never waits for a check.
func Keep(ctx context.Context, client *practice.Client, spec Spec) iter.Seq2[*Report, error] {
	return func(yield func(*Report, error) bool) {
		spec, interval := spec, cmp.Or(spec.Interval, DefaultInterval)
		if spec.fault(client) != nil {
			yield(Ensure(ctx, client, spec))
			return
		}
		var failures, idle int
		var woken bool
		for {
			report, renewed, err := checkWithToken(ctx, client, spec)
			_, invalid := errors.AsType[*practice.ConfigError](err)
			if ctx.Err() != nil || !yield(report, err) || invalid {
				return
			}
			spec.learn(report, err)
			if err != nil {
				if backoff.Sleep(ctx, backoff.Exponential(keepRetry, interval, failures)) != nil {
					return
				}
				failures, woken = failures+1, false
				continue
			}
			failures = 0
			if idle++; !woken || report.Action != Kept || report.Missed != nil {
				idle = 0
			}
			if woken = pause(ctx, interval, quietFor(idle, interval), renewed); ctx.Err() != nil {
				return
			}
		}
	}
}

// quietFor returns for how long new tokens do not wake Keep, after the given
// number of them in a row whose checks found nothing to do.
func quietFor(idle int, interval time.Duration) time.Duration {
	if idle == 0 {
		return 0
	}
	return backoff.Exponential(keepRetry, interval, 2*(idle-1))
}

// checkWithToken returns the report of a check, and the channel that is closed
// at the next renewal. It gets a token before the check, so that a token
// renewed for this check does not trigger another one.
func checkWithToken(ctx context.Context, client *practice.Client, spec Spec) (*Report, <-chan struct{}, error) {
	renewed, err := client.TokenRenewal(ctx)
	if err != nil {
		return nil, renewed, client.Observe(ctx, "subscribe.Keep", func(context.Context) error { return err })
	}
	report, err := Ensure(ctx, client, spec)
	return report, renewed, err
}

// learn sets the state for the next check.
func (s *Spec) learn(report *Report, err error) {
	if report != nil {
		s.LastCheck, s.WriteKey = report.Check, false
	}
	if failed, ok := errors.AsType[*CheckError](err); ok {
		s.LastCheck = failed.Check
	}
}

// pause waits until the time has passed, or a token was renewed and the quiet
// time has passed, and reports whether a token ended it.
func pause(ctx context.Context, wait, quiet time.Duration, renewed <-chan struct{}) (woken bool) {
	if backoff.Sleep(ctx, quiet) != nil {
		return false
	}
	timer := time.NewTimer(wait - quiet)
	defer timer.Stop()
	select {
	case <-timer.C:
		return false
	case <-renewed:
		return true
	case <-ctx.Done():
		return false
	}
}

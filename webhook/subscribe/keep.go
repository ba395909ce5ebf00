package subscribe

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/renewals"
)

// keepRetry is the wait after a failed check; it doubles up to the interval.
const keepRetry = 10 * time.Second

// Keep maintains a webhook subscription until ctx ends or its caller stops the
// iteration. It calls Ensure at once, after a new access token of the client,
// and at an interval, and yields each report.
//
// A failed check is repeated after ten seconds; the wait doubles up to the
// interval, even if tokens are renewed meanwhile. A token that a check itself
// renewed does not cause another check. After a check that a token caused,
// further tokens do not cause one for ten seconds. This time is multiplied by
// four each time such a check finds nothing to do, so that a firm whose access
// was revoked does not keep the clients busy that share its tokens. Keep
// returns early only for an invalid specification or client: it yields that
// error without sending a request. It yields nothing after ctx has ended. The
// renewal of a token never waits for a check.
func Keep(ctx context.Context, client *practice.Client, spec Spec) iter.Seq2[*Report, error] {
	return func(yield func(*Report, error) bool) {
		spec, pace := spec, pace{interval: cmp.Or(spec.Interval, DefaultInterval)}
		if spec.fault(client) != nil {
			yield(Ensure(ctx, client, spec))
			return
		}
		for ctx.Err() == nil {
			report, renewed, err := checkWithToken(ctx, client, spec)
			_, invalid := errors.AsType[*practice.ConfigError](err)
			if ctx.Err() != nil || !yield(report, err) || invalid {
				return
			}
			spec.learn(report, err)
			wait, quiet := pace.after(report, err)
			pace.woken = pause(ctx, wait, quiet, renewed)
		}
	}
}

// pace chooses the waits between the checks of Keep.
type pace struct {
	interval time.Duration
	failures int  // failed checks in a row
	idle     int  // checks in a row that a token caused and that found nothing to do
	woken    bool // a token caused the next check
}

// after returns the wait after a check, and for how much of it new tokens do not
// end it.
func (p *pace) after(report *Report, err error) (wait, quiet time.Duration) {
	if err != nil {
		p.failures++
		wait = backoff.Exponential(keepRetry, p.interval, p.failures-1)
		return wait, wait
	}
	p.failures = 0
	switch {
	case !p.woken:
		p.idle = 0
		return p.interval, 0
	case report.Action != Kept || report.Missed != nil:
		p.idle = 0
	default:
		p.idle++
	}
	return p.interval, backoff.Exponential(keepRetry, p.interval, 2*max(0, p.idle-1))
}

// checkWithToken returns the report of a check, and the channel that is closed
// when the token is renewed by others than this check. It gets a token before
// the check, so that the check starts with a new one.
func checkWithToken(ctx context.Context, client *practice.Client, spec Spec) (*Report, <-chan struct{}, error) {
	renewed, err := client.TokenRenewal(ctx)
	if err != nil {
		return nil, renewed, client.Observe(ctx, "subscribe.Keep", func(context.Context) error { return err })
	}
	checking, others := renewals.Than(ctx, renewed)
	report, err := Ensure(checking, client, spec)
	return report, others.Next(), err
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
	if backoff.Sleep(ctx, quiet) != nil || wait == quiet {
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

package practice

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// keepRetry is the wait after a check that failed; it doubles up to the
// interval.
const keepRetry = 10 * time.Second

const webhooksKeep = "Webhooks.Keep"

// Keep maintains a webhook subscription until ctx ends or its caller stops
// ranging over it. It calls Ensure at once, after every new access token of the
// client, and at an interval, and yields each report:
//
//	for report, err := range client.Webhooks.Keep(ctx, spec) {
//		switch {
//		case err != nil:
//			slog.Warn("webhook subscription", "error", err)
//		case report.Missed != nil:
//			catchUp(ctx, report.Missed.Since)
//		}
//	}
//
// A check that fails is repeated after ten seconds; that wait doubles up to the
// interval. Keep returns early only for an invalid specification or option: it
// yields that error and sends nothing. It yields nothing after ctx has ended.
// The renewal of a token never waits for a check.
func (s *WebhooksService) Keep(ctx context.Context, spec WebhookSpec, opts ...CallOption) iter.Seq2[*WebhookReport, error] {
	return func(yield func(*WebhookReport, error) bool) {
		if err := s.checkSpec(ctx, &spec, opts); err != nil {
			yield(nil, s.client.observers.failed(ctx, webhooksKeep, err))
			return
		}
		k := &subscriptionKeeper{service: s, spec: spec, opts: opts}
		k.spec.Interval = cmp.Or(spec.Interval, DefaultWebhookInterval)
		for k.check(ctx, yield) && k.wait(ctx) {
		}
	}
}

// subscriptionKeeper is one loop of Keep.
type subscriptionKeeper struct {
	service  *WebhooksService
	spec     WebhookSpec
	opts     []CallOption
	renewed  <-chan struct{} // closed by a new access token; nil without tokens
	failures int             // checks that failed since the last one that did not
}

// check is false when there is nothing more to do.
func (k *subscriptionKeeper) check(ctx context.Context, yield func(*WebhookReport, error) bool) bool {
	report, err := k.ensure(ctx)
	if ctx.Err() != nil || !yield(report, err) {
		return false
	}
	if report != nil {
		k.spec.LastCheck, k.spec.WriteKey = report.Check, false
	}
	if failed, ok := errors.AsType[*EnsureError](err); ok {
		k.spec.LastCheck = failed.Check
	}
	if err != nil {
		k.failures++
	} else {
		k.failures = 0
	}
	return true
}

// ensure makes sure of a token first, so that one which this very check brings
// does not cause another check.
func (k *subscriptionKeeper) ensure(ctx context.Context) (*WebhookReport, error) {
	client := k.service.client
	var err error
	if k.renewed, err = client.TokenRenewal(ctx); err != nil {
		return nil, client.observers.failed(ctx, webhooksKeep, err)
	}
	return k.service.Ensure(ctx, k.spec, k.opts...)
}

// wait is false when ctx has ended.
func (k *subscriptionKeeper) wait(ctx context.Context) bool {
	wait := k.spec.Interval
	if k.failures > 0 {
		wait = backoff.Exponential(keepRetry, k.spec.Interval, k.failures-1)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-k.renewed:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

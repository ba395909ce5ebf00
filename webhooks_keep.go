package practice

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// keepRetry is the wait after a check that failed; it doubles up to the
// interval.
const keepRetry = 10 * time.Second

// Keep keeps a webhook subscription in force for as long as its caller ranges
// over it and ctx lasts. It checks with Ensure at once, after every new access
// token of the client, and at an interval, and yields what Ensure reports:
//
//	for report, err := range client.Webhooks.Keep(ctx, want) {
//		switch {
//		case err != nil:
//			slog.Warn("webhook subscription", "error", err)
//		case report.Missed != nil:
//			catchUp(ctx, report.Missed.Since)
//		}
//	}
//
// A check that fails is repeated, first after ten seconds and then less and
// less often. Only a want or an option that can never be right ends the loop,
// after its error and before anything is sent. Nothing is yielded once ctx has ended. Whoever renews a
// token never waits for a check (Specification, Delivery rules, 6).
func (s *WebhooksService) Keep(ctx context.Context, want WebhookSpec, opts ...CallOption) iter.Seq2[*WebhookReport, error] {
	return func(yield func(*WebhookReport, error) bool) {
		if err := s.checkWant(ctx, &want, opts); err != nil {
			yield(nil, err)
			return
		}
		k := &keeping{service: s, want: want, opts: opts}
		k.want.Interval = cmp.Or(want.Interval, DefaultWebhookInterval)
		if tokens := s.client.tokens; tokens != nil {
			news, end := tokens().watch()
			defer end()
			k.news = news
		}
		for k.check(ctx, yield) && k.wait(ctx) {
		}
	}
}

// keeping is one loop of Keep.
type keeping struct {
	service  *WebhooksService
	want     WebhookSpec
	opts     []CallOption
	news     <-chan struct{} // of access tokens
	failures int             // checks that failed since the last one that did not
}

// check is false when there is nothing more to do.
func (k *keeping) check(ctx context.Context, yield func(*WebhookReport, error) bool) bool {
	report, err := k.ensure(ctx)
	if ctx.Err() != nil || !yield(report, err) {
		return false
	}
	if report != nil {
		k.want.LastCheck, k.want.WriteKey = report.Check, false
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
func (k *keeping) ensure(ctx context.Context) (*WebhookReport, error) {
	client := k.service.client
	if client.tokens != nil {
		if _, err := client.tokens().Token(ctx); err != nil {
			return nil, fmt.Errorf("practice: Webhooks.Keep: %w", err)
		}
		select {
		case <-k.news:
		default:
		}
	}
	return k.service.Ensure(ctx, k.want, k.opts...)
}

// wait is false when ctx has ended.
func (k *keeping) wait(ctx context.Context) bool {
	wait := k.want.Interval
	if k.failures > 0 {
		wait = pause.Doubled(keepRetry, k.want.Interval, k.failures-1)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-k.news:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

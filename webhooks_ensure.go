package practice

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Ensure brings a webhook subscription about: it lists the subscriptions of
// this client for its account, keeps the one that has the wanted name or
// callback address, edits it when it is not as wanted, and creates it when
// there is none. It deletes duplicates when it is told to, and never another
// subscription. Every call that it makes has opts; WithRequestID and
// WithResponse are refused.
//
// Subscriptions vanish when the refresh token expires, when access is revoked
// and when the app is uninstalled (Specification, Delivery rules, 6): Keep
// calls Ensure again and again.
//
// When duplicates cannot be deleted there is a report as well as an error.
// Machines that do this at the same time may each create a subscription; the
// next check of one of them finds the duplicates.
func (s *WebhooksService) Ensure(ctx context.Context, want WebhookSpec, opts ...CallOption) (*WebhookReport, error) {
	if err := s.checkWant(ctx, &want, opts); err != nil {
		return nil, err
	}
	const rounds = 3
	var report *WebhookReport
	var err error
	for range rounds {
		// Another machine may delete the subscription before it is edited.
		report, err = s.ensureOnce(ctx, &want, opts)
		if report != nil || !errors.Is(err, ErrNotFound) {
			break
		}
	}
	return report, err
}

// checkWant refuses what can never be right before anything is sent.
func (s *WebhooksService) checkWant(ctx context.Context, want *WebhookSpec, opts []CallOption) error {
	check := s.client.call(ctx, webhooksEnsure, opts)
	check.refuseForWalk()
	check.webhook(want.body())
	check.check("Interval", reasonIf(want.Interval < 0, "must not be negative"))
	return check.err
}

func (s *WebhooksService) ensureOnce(ctx context.Context, want *WebhookSpec, opts []CallOption) (*WebhookReport, error) {
	report := &WebhookReport{Action: WebhookKept, Check: WebhookCheck{At: time.Now()}}
	similar, err := s.sort(ctx, want, report, opts)
	if err != nil {
		return nil, err
	}
	missed := len(similar) == 0
	if missed {
		err = s.ensureCreated(ctx, want, report, opts)
	} else {
		report.Subscription, report.Duplicates = similar[0], similar[1:]
		report.Changes = want.changes(&similar[0])
		missed = want.lost(similar) || want.misses(&similar[0], report.Changes)
		err = s.ensureUpdated(ctx, want, report, opts)
	}
	if err != nil {
		return nil, err
	}
	report.Check.ID = report.Subscription.ID
	if missed {
		report.Missed = &WebhookGap{Since: want.LastCheck.At, Until: time.Now()}
	}
	return report, s.removeDuplicates(ctx, want, report, opts)
}

// sort lists the subscriptions and gives those for the wanted purpose, the one
// to keep first.
func (s *WebhooksService) sort(ctx context.Context, want *WebhookSpec, report *WebhookReport, opts []CallOption) ([]models.WebhookSubscription, error) {
	var similar []models.WebhookSubscription
	for subscription, err := range s.All(ctx, WebhookListOptions{}, opts...) {
		switch {
		case err != nil:
			return nil, err // to create without knowing all would make duplicates
		case !s.client.accountHas(subscription.AccountID):
		case want.similar(&subscription):
			similar = append(similar, subscription)
		default:
			report.Others = append(report.Others, subscription)
		}
	}
	slices.SortFunc(similar, want.order)
	return similar, nil
}

// accountHas tells whether a record of the account belongs to the account of
// the client. A client without an account prefix does not know its account,
// except that it is not that of system events.
func (c *Client) accountHas(accountID string) bool {
	own := strings.TrimPrefix(strings.TrimPrefix(c.base.Path, c.root.Path), "/")
	switch {
	case accountID == "":
		return true
	case own == "":
		return accountID != SystemAccountID
	default:
		return strings.EqualFold(own, accountID)
	}
}

func (s *WebhooksService) ensureCreated(ctx context.Context, want *WebhookSpec, report *WebhookReport, opts []CallOption) error {
	made, err := s.Create(ctx, want.body(), opts...)
	if err != nil {
		return err
	}
	report.Action, report.Subscription = WebhookCreated, *made
	return nil
}

func (s *WebhooksService) ensureUpdated(ctx context.Context, want *WebhookSpec, report *WebhookReport, opts []CallOption) error {
	if len(report.Changes) == 0 {
		report.KeyUnknown = !want.Key.IsZero() && report.Subscription.Key.IsZero()
		return nil
	}
	updated, err := s.Update(ctx, report.Subscription.ID, want.body(), opts...)
	if err != nil {
		return err
	}
	report.Action = WebhookUpdated
	if updated.ID != "" { // an answer may have no body
		report.Subscription = *updated
	}
	return nil
}

// removeDuplicates deletes all that it can. One that is gone already is as
// good as deleted.
func (s *WebhooksService) removeDuplicates(ctx context.Context, want *WebhookSpec, report *WebhookReport, opts []CallOption) error {
	if !want.RemoveDuplicates {
		return nil
	}
	var errs []error
	var left []models.WebhookSubscription
	for _, duplicate := range report.Duplicates {
		err := s.Delete(ctx, duplicate.ID, opts...)
		if err != nil && !errors.Is(err, ErrNotFound) {
			errs, left = append(errs, err), append(left, duplicate)
			continue
		}
		report.Removed = append(report.Removed, duplicate)
	}
	report.Duplicates = left
	return errors.Join(errs...)
}

package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	subscriptionsPatch      = operation{"Subscriptions.Patch", http.MethodPatch, "/subscriptions/{id}", transport.Create}
	subscriptionsSwitchTier = operation{"Subscriptions.SwitchTier", http.MethodPatch, "/subscriptions/{subscriptionId}/tiers/{id}", transport.Create}
	subscriptionsCancel     = operation{"Subscriptions.Cancel", http.MethodPatch, "/subscriptions/{id}/cancel", transport.Create}
	subscriptionsResume     = operation{"Subscriptions.Resume", http.MethodPatch, "/subscriptions/{id}/resume", transport.Create}
	subscriptionsPreview    = operation{"Subscriptions.Preview", http.MethodPost, "/subscriptions/{id}/preview", transport.Read}
)

func subscriptionsListChanges() *list[models.SubscriptionChange] {
	return paged("Subscriptions.ListChanges", "Subscriptions.AllChanges", "/subscriptions/{id}/changes", func(*models.SubscriptionChange) string { return "" })
}

// Preview returns what a change of a subscription would cost, and changes
// nothing.
//   - API: POST /subscriptions/{id}/preview
func (s *SubscriptionsService) Preview(ctx context.Context, id string, body models.SubscriptionPreviewRequest, opts ...CallOption) (*models.SubscriptionPreview, error) {
	return send[models.SubscriptionPreview](s.client.call(ctx, subscriptionsPreview, opts).at(id).with(&body))
}

// Patch changes the tier, the add-ons or the period of a subscription, and with
// them what the firm pays, pro rata. Fields that are left out stay as they are;
// AddOnIDs is the whole list. The service refuses a cancelled subscription
// (400, ErrBadRequest). After an *AmbiguousWriteError, check AllChanges.
//   - API: PATCH /subscriptions/{id}, asynchronous
func (s *SubscriptionsService) Patch(ctx context.Context, id string, body models.SubscriptionPatch, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsPatch, opts).at(id).with(&body))
}

// SwitchTier moves a subscription to another tier at once, which changes what
// the firm pays, pro rata. After an *AmbiguousWriteError, check AllChanges.
//   - API: PATCH /subscriptions/{subscriptionId}/tiers/{id}, asynchronous
func (s *SubscriptionsService) SwitchTier(ctx context.Context, subscriptionID, id string, body models.TierSwitch, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsSwitchTier, opts).at(subscriptionID, id).with(&body))
}

// Cancel cancels a subscription, by default at the end of the billing period.
// While something is on trial, it only ends the trial, at the end of the trial,
// unless CancelSubscription is true. With Preview it changes nothing, and the
// answer shows what would happen. After an *AmbiguousWriteError, check
// CancellationStatus of the subscription.
//   - API: PATCH /subscriptions/{id}/cancel
func (s *SubscriptionsService) Cancel(ctx context.Context, id string, body models.SubscriptionCancel, opts ...CallOption) (*models.SubscriptionCancellation, error) {
	return send[models.SubscriptionCancellation](s.client.call(ctx, subscriptionsCancel, opts).at(id).with(&body))
}

// Resume takes back a cancellation that has not taken effect yet, which costs
// nothing, or starts a cancelled subscription again, which is charged at once.
// When the charge fails, the subscription is PastDue until one succeeds, and
// Canceled when all tries fail. After an *AmbiguousWriteError, check
// CancellationStatus and Status of the subscription.
//   - API: PATCH /subscriptions/{id}/resume, asynchronous
func (s *SubscriptionsService) Resume(ctx context.Context, id string, body models.SubscriptionResume, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsResume, opts).at(id).with(&body))
}

// SubscriptionChangeListOptions choose the page of a list of changes of a
// subscription.
type SubscriptionChangeListOptions struct{ ListOptions }

// ListChanges returns one page of the changes of a subscription that were made
// through the interface.
//   - API: GET /subscriptions/{id}/changes
func (s *SubscriptionsService) ListChanges(ctx context.Context, id string, options SubscriptionChangeListOptions, opts ...CallOption) (*Page[models.SubscriptionChange], error) {
	return subscriptionsListChanges().page(ctx, s.client, options, opts, id)
}

// AllChanges yields all the changes of a subscription that were made through
// the interface. It reads Limit records per page from Offset.
//   - API: GET /subscriptions/{id}/changes
func (s *SubscriptionsService) AllChanges(ctx context.Context, id string, options SubscriptionChangeListOptions, opts ...CallOption) iter.Seq2[models.SubscriptionChange, error] {
	return subscriptionsListChanges().walk(ctx, s.client, options, opts, id)
}

package practice

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	subscriptionsGetCharge        = operation{"Subscriptions.GetCharge", http.MethodGet, "/subscriptions/{subscriptionId}/charges/{id}", transport.Read}
	subscriptionsCreateCharge     = operation{"Subscriptions.CreateCharge", http.MethodPost, "/subscriptions/{subscriptionId}/usages/{usageId}/charges", transport.Create}
	subscriptionsCancelCharge     = operation{"Subscriptions.CancelCharge", http.MethodPost, "/subscriptions/{subscriptionId}/charges/{id}/cancel", transport.Create}
	subscriptionsSubscribeUsage   = operation{"Subscriptions.SubscribeUsage", http.MethodPost, "/subscriptions/{subscriptionId}/usages/{id}", transport.Create}
	subscriptionsUnsubscribeUsage = operation{"Subscriptions.UnsubscribeUsage", http.MethodDelete, "/subscriptions/{subscriptionId}/usages/{id}", transport.Create}
	subscriptionsGetSettings      = operation{"Subscriptions.GetSettings", http.MethodGet, "/subscriptions/settings", transport.Read}
	subscriptionsPatchSettings    = operation{"Subscriptions.PatchSettings", http.MethodPatch, "/subscriptions/settings", transport.IdempotentWrite}
)

func subscriptionsListCharges() *list[models.UsageCharge] {
	return paged("Subscriptions.ListCharges", "Subscriptions.AllCharges", "/subscriptions/{subscriptionId}/charges", func(r *models.UsageCharge) string { return r.ID })
}

func subscriptionsListUsageCharges() *list[models.UsageCharge] {
	return paged("Subscriptions.ListUsageCharges", "Subscriptions.AllUsageCharges", "/subscriptions/{subscriptionId}/usages/{usageId}/charges", func(r *models.UsageCharge) string { return r.ID })
}

// UsageChargeListOptions narrow a list of usage charges. The zero value lists
// all.
type UsageChargeListOptions struct {
	ListOptions
	// From lists only charges created at or after this instant, to 100 ns.
	From time.Time
	// To lists only charges created at or before this instant, to 100 ns.
	To time.Time
	// Status lists only charges with this status.
	Status models.UsageChargeStatus
	// MatterID lists charges of this matter only.
	MatterID string
	// UserID lists only charges by this user.
	UserID string
	// ProductID lists only charges for this product.
	ProductID string
}

func (o UsageChargeListOptions) filter(c *call) {
	c.time(KindInstant, "From", o.From)
	c.time(KindInstant, "To", o.To)
	c.param("Status", string(o.Status))
	c.param("MatterId", o.MatterID)
	c.param("UserId", o.UserID)
	c.param("ProductId", o.ProductID)
}

// ListCharges returns one page of the usage charges of a subscription, the
// newest first.
//   - API: GET /subscriptions/{subscriptionId}/charges
func (s *SubscriptionsService) ListCharges(ctx context.Context, subscriptionID string, options UsageChargeListOptions, opts ...CallOption) (*Page[models.UsageCharge], error) {
	return subscriptionsListCharges().page(ctx, s.client, options, opts, subscriptionID)
}

// AllCharges yields all the usage charges of a subscription, the newest first.
// It reads Limit records per page from Offset.
//   - API: GET /subscriptions/{subscriptionId}/charges
func (s *SubscriptionsService) AllCharges(ctx context.Context, subscriptionID string, options UsageChargeListOptions, opts ...CallOption) iter.Seq2[models.UsageCharge, error] {
	return subscriptionsListCharges().walk(ctx, s.client, options, opts, subscriptionID)
}

// GetCharge returns a usage charge.
//   - API: GET /subscriptions/{subscriptionId}/charges/{id}
func (s *SubscriptionsService) GetCharge(ctx context.Context, subscriptionID, id string, opts ...CallOption) (*models.UsageCharge, error) {
	return send[models.UsageCharge](s.client.call(ctx, subscriptionsGetCharge, opts).at(subscriptionID, id))
}

// ListUsageCharges returns one page of the charges of one usage product, the
// newest first. The usage product of the path wins over ProductID.
//   - API: GET /subscriptions/{subscriptionId}/usages/{usageId}/charges
func (s *SubscriptionsService) ListUsageCharges(ctx context.Context, subscriptionID, usageID string, options UsageChargeListOptions, opts ...CallOption) (*Page[models.UsageCharge], error) {
	return subscriptionsListUsageCharges().page(ctx, s.client, options, opts, subscriptionID, usageID)
}

// AllUsageCharges yields all the charges of one usage product, the newest
// first. It reads Limit records per page from Offset.
//   - API: GET /subscriptions/{subscriptionId}/usages/{usageId}/charges
func (s *SubscriptionsService) AllUsageCharges(ctx context.Context, subscriptionID, usageID string, options UsageChargeListOptions, opts ...CallOption) iter.Seq2[models.UsageCharge, error] {
	return subscriptionsListUsageCharges().walk(ctx, s.client, options, opts, subscriptionID, usageID)
}

// CreateCharge charges one unit of a usage product. The service refuses it
// while the subscription is overdue or cancelled, and without the permission
// for usage billing (403). A repetition would charge twice: after an
// *AmbiguousWriteError look for a Metadata entry of your own in
// AllUsageCharges. The product must be subscribed to, and its price active.
//   - API: POST /subscriptions/{subscriptionId}/usages/{usageId}/charges,
//     asynchronous
func (s *SubscriptionsService) CreateCharge(ctx context.Context, subscriptionID, usageID string, body models.UsageChargeCreate, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsCreateCharge, opts).at(subscriptionID, usageID).with(&body))
}

// CancelCharge refunds a usage charge that has succeeded, within 24 hours of
// its creation. After an *AmbiguousWriteError, check GetCharge. It needs the
// permission for usage billing.
//   - API: POST /subscriptions/{subscriptionId}/charges/{id}/cancel,
//     asynchronous
func (s *SubscriptionsService) CancelCharge(ctx context.Context, subscriptionID, id string, body models.UsageChargeCancel, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsCancelCharge, opts).at(subscriptionID, id).with(&body))
}

// SubscribeUsage subscribes to a usage product. It makes a usage subscription
// when there is none. After an *AmbiguousWriteError, check the Usages of List.
//   - API: POST /subscriptions/{subscriptionId}/usages/{id}, asynchronous
func (s *SubscriptionsService) SubscribeUsage(ctx context.Context, subscriptionID, id string, body models.UsageSubscribe, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsSubscribeUsage, opts).at(subscriptionID, id).with(&body))
}

// UnsubscribeUsage ends the use of a usage product. After an
// *AmbiguousWriteError, check the Usages of the subscription.
//   - API: DELETE /subscriptions/{subscriptionId}/usages/{id}, asynchronous
func (s *SubscriptionsService) UnsubscribeUsage(ctx context.Context, subscriptionID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsUnsubscribeUsage, opts).at(subscriptionID, id))
}

// GetSettings returns the settings of the account for usage products.
//   - API: GET /subscriptions/settings
func (s *SubscriptionsService) GetSettings(ctx context.Context, opts ...CallOption) (*models.SubscriptionSettings, error) {
	return send[models.SubscriptionSettings](s.client.call(ctx, subscriptionsGetSettings, opts))
}

// PatchSettings changes the settings of the account for usage products. Fields
// that are left out stay as they are.
//   - API: PATCH /subscriptions/settings, asynchronous
func (s *SubscriptionsService) PatchSettings(ctx context.Context, body models.SubscriptionSettingsPatch, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsPatchSettings, opts).with(&body))
}

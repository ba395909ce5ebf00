package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	subscriptionsList             = operation{"Subscriptions.List", http.MethodGet, "/subscriptions", transport.Read}
	subscriptionsGet              = operation{"Subscriptions.Get", http.MethodGet, "/subscriptions/{id}", transport.Read}
	subscriptionsGetPaymentMethod = operation{"Subscriptions.GetPaymentMethod", http.MethodGet, "/subscriptions/{subscriptionId}/paymentmethods/{id}", transport.Read}
	subscriptionsApplyPromotion   = operation{"Subscriptions.ApplyPromotion", http.MethodPost, "/subscriptions/{subscriptionId}/promotions/{id}", transport.Create}
	subscriptionsRemovePromotion  = operation{"Subscriptions.RemovePromotion", http.MethodDelete, "/subscriptions/{subscriptionId}/promotions/{id}", transport.Create}
)

func subscriptionsListAppliedPromotions() *list[models.Promotion] {
	return paged("Subscriptions.ListAvailablePromotions", "Subscriptions.AllAvailablePromotions", "/subscriptions/{id}/promotions", func(p *models.Promotion) string { return p.ID })
}

// SubscriptionsService manages the firm's own subscription to the service: its
// tiers, add-ons and usage products, their promotions, invoices and payment
// methods. Amounts are [models.Cents]. The published
// interface does not list these operations; without a special agreement the
// service may refuse them with 403 (ErrForbidden).
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/subscriptions.md
type SubscriptionsService service

// SubscriptionListOptions is empty: the service has no options for this list.
type SubscriptionListOptions struct{}

// List returns the subscriptions of the account. The service does not page
// them.
//   - API: GET /subscriptions
func (s *SubscriptionsService) List(ctx context.Context, options SubscriptionListOptions, opts ...CallOption) (*Page[models.Subscription], error) {
	return listUnpaged[models.Subscription](s.client.call(ctx, subscriptionsList, opts), noOptions(options))
}

// Get returns a subscription.
//   - API: GET /subscriptions/{id}
func (s *SubscriptionsService) Get(ctx context.Context, id string, opts ...CallOption) (*models.Subscription, error) {
	return send[models.Subscription](s.client.call(ctx, subscriptionsGet, opts).at(id))
}

// AvailablePromotionListOptions choose the page of a list of promotions.
type AvailablePromotionListOptions struct{ ListOptions }

// ListAvailablePromotions returns one page of the promotions that a
// subscription may use. The service answers with a bare array or with a paged
// collection; of an array, Offset, Limit and Size are absent.
//   - API: GET /subscriptions/{id}/promotions
func (s *SubscriptionsService) ListAvailablePromotions(ctx context.Context, id string, options AvailablePromotionListOptions, opts ...CallOption) (*Page[models.Promotion], error) {
	return subscriptionsListAppliedPromotions().page(ctx, s.client, options, opts, id)
}

// AllAvailablePromotions yields all the promotions that a subscription may use.
// It reads Limit records per page from Offset.
//   - API: GET /subscriptions/{id}/promotions
func (s *SubscriptionsService) AllAvailablePromotions(ctx context.Context, id string, options AvailablePromotionListOptions, opts ...CallOption) iter.Seq2[models.Promotion, error] {
	return subscriptionsListAppliedPromotions().walk(ctx, s.client, options, opts, id)
}

// ApplyPromotion puts a promotion on a subscription. After an
// *AmbiguousWriteError, check the Discounts of the subscription. Some
// promotions do not work on an existing subscription, and some only so often.
//   - API: POST /subscriptions/{subscriptionId}/promotions/{id}, asynchronous
func (s *SubscriptionsService) ApplyPromotion(ctx context.Context, subscriptionID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsApplyPromotion, opts).at(subscriptionID, id))
}

// RemovePromotion takes a promotion off a subscription. After an
// *AmbiguousWriteError, check the Discounts of the subscription.
//   - API: DELETE /subscriptions/{subscriptionId}/promotions/{id}, asynchronous
func (s *SubscriptionsService) RemovePromotion(ctx context.Context, subscriptionID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsRemovePromotion, opts).at(subscriptionID, id))
}

// GetPaymentMethod returns a payment method of a subscription. Its id must be a
// UUID.
//   - API: GET /subscriptions/{subscriptionId}/paymentmethods/{id}
func (s *SubscriptionsService) GetPaymentMethod(ctx context.Context, subscriptionID, id string, opts ...CallOption) (*models.PaymentMethod, error) {
	return send[models.PaymentMethod](s.client.call(ctx, subscriptionsGetPaymentMethod, opts).at(subscriptionID, id))
}

package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	subscriptionsGet              = operation{"Subscriptions.Get", http.MethodGet, "/subscriptions/{id}", transport.Read}
	subscriptionsGetPaymentMethod = operation{"Subscriptions.GetPaymentMethod", http.MethodGet, "/subscriptions/{subscriptionId}/paymentmethods/{id}", transport.Read}
)

func subscriptionsListPromotions() pagedList[models.Promotion] {
	return paged("Subscriptions.ListPromotions", "Subscriptions.AllPromotions", "/subscriptions/promotions", func(p *models.Promotion) string { return p.ID })
}

// SubscriptionsService reads the subscriptions of the firm, their promotions
// and their payment methods.
type SubscriptionsService service

// Get returns a subscription.
//
// API: GET /subscriptions/{id}
func (s *SubscriptionsService) Get(ctx context.Context, id string, opts ...CallOption) (*models.Subscription, error) {
	c := s.client.call(ctx, subscriptionsGet, opts)
	c.id("id", id, "addons", "invoices", "paymentmethods", "paymentsystems", "promotions", "settings", "tiers", "usages")
	return send[models.Subscription](c)
}

// ListPromotions returns one page of the promotions. The service answers with a
// bare array or with a paged collection; of an array, Offset, Limit and Size are
// absent.
//
// API: GET /subscriptions/promotions
func (s *SubscriptionsService) ListPromotions(ctx context.Context, options ListOptions, opts ...CallOption) (*Page[models.Promotion], error) {
	return subscriptionsListPromotions().page(ctx, s.client, options, opts)
}

// AllPromotions walks over all promotions from Offset on, Limit at a time.
//
// API: GET /subscriptions/promotions
func (s *SubscriptionsService) AllPromotions(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[models.Promotion, error] {
	return subscriptionsListPromotions().walk(ctx, s.client, options, opts)
}

// GetPaymentMethod returns a payment method of a subscription. Its id must be a
// UUID.
//
// API: GET /subscriptions/{subscriptionId}/paymentmethods/{id}
func (s *SubscriptionsService) GetPaymentMethod(ctx context.Context, subscriptionID, id string, opts ...CallOption) (*models.PaymentMethod, error) {
	c := s.client.call(ctx, subscriptionsGetPaymentMethod, opts)
	c.id("subscriptionId", subscriptionID)
	c.uuid("id", id)
	return send[models.PaymentMethod](c)
}

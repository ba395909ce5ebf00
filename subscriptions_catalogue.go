package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	subscriptionsListTiers          = operation{"Subscriptions.ListTiers", http.MethodGet, "/subscriptions/tiers", transport.Read}
	subscriptionsGetTier            = operation{"Subscriptions.GetTier", http.MethodGet, "/subscriptions/tiers/{id}", transport.Read}
	subscriptionsListTierAddOns     = operation{"Subscriptions.ListTierAddOns", http.MethodGet, "/subscriptions/tiers/{id}/addons", transport.Read}
	subscriptionsListAddOns         = operation{"Subscriptions.ListAddOns", http.MethodGet, "/subscriptions/addons", transport.Read}
	subscriptionsGetAddOn           = operation{"Subscriptions.GetAddOn", http.MethodGet, "/subscriptions/addons/{id}", transport.Read}
	subscriptionsListUsages         = operation{"Subscriptions.ListUsages", http.MethodGet, "/subscriptions/usages", transport.Read}
	subscriptionsGetUsage           = operation{"Subscriptions.GetUsage", http.MethodGet, "/subscriptions/usages/{id}", transport.Read}
	subscriptionsListPaymentSystems = operation{"Subscriptions.ListPaymentSystems", http.MethodGet, "/subscriptions/paymentsystems", transport.Read}
	subscriptionsGetPromotion       = operation{"Subscriptions.GetPromotion", http.MethodGet, "/subscriptions/promotions/{id}", transport.Read}
)

func subscriptionsListPromotions() *list[models.Promotion] {
	return paged("Subscriptions.ListPromotions", "Subscriptions.AllPromotions", "/subscriptions/promotions", func(p *models.Promotion) string { return p.ID })
}

// TierListOptions is empty: the service has no options for this list.
type TierListOptions struct{}

// ListTiers returns the tiers that a firm can subscribe to. The service does
// not page them.
//   - API: GET /subscriptions/tiers
func (s *SubscriptionsService) ListTiers(ctx context.Context, options TierListOptions, opts ...CallOption) (*Page[models.Tier], error) {
	return listUnpaged[models.Tier](s.client.call(ctx, subscriptionsListTiers, opts), noOptions(options))
}

// GetTier returns a tier with its prices.
//   - API: GET /subscriptions/tiers/{id}
func (s *SubscriptionsService) GetTier(ctx context.Context, id string, opts ...CallOption) (*models.Tier, error) {
	return send[models.Tier](s.client.call(ctx, subscriptionsGetTier, opts).at(id))
}

// TierAddOnListOptions is empty: the service has no options for this list.
type TierAddOnListOptions struct{}

// ListTierAddOns returns the add-ons that fit a tier. The service does not page
// them.
//   - API: GET /subscriptions/tiers/{id}/addons
func (s *SubscriptionsService) ListTierAddOns(ctx context.Context, id string, options TierAddOnListOptions, opts ...CallOption) (*Page[models.Tier], error) {
	return listUnpaged[models.Tier](s.client.call(ctx, subscriptionsListTierAddOns, opts).at(id), noOptions(options))
}

// AddOnListOptions is empty: the service has no options for this list.
type AddOnListOptions struct{}

// ListAddOns returns the add-ons of all tiers. The service does not page them.
//   - API: GET /subscriptions/addons
func (s *SubscriptionsService) ListAddOns(ctx context.Context, options AddOnListOptions, opts ...CallOption) (*Page[models.Tier], error) {
	return listUnpaged[models.Tier](s.client.call(ctx, subscriptionsListAddOns, opts), noOptions(options))
}

// GetAddOn returns an add-on with its prices.
//   - API: GET /subscriptions/addons/{id}
func (s *SubscriptionsService) GetAddOn(ctx context.Context, id string, opts ...CallOption) (*models.Tier, error) {
	return send[models.Tier](s.client.call(ctx, subscriptionsGetAddOn, opts).at(id))
}

// UsageProductListOptions is empty: the service has no options for this list.
type UsageProductListOptions struct{}

// ListUsages returns the products that are paid for by use. The service does
// not page them.
//   - API: GET /subscriptions/usages
func (s *SubscriptionsService) ListUsages(ctx context.Context, options UsageProductListOptions, opts ...CallOption) (*Page[models.UsageProduct], error) {
	return listUnpaged[models.UsageProduct](s.client.call(ctx, subscriptionsListUsages, opts), noOptions(options))
}

// GetUsage returns a usage product with its prices.
//   - API: GET /subscriptions/usages/{id}
func (s *SubscriptionsService) GetUsage(ctx context.Context, id string, opts ...CallOption) (*models.UsageProduct, error) {
	return send[models.UsageProduct](s.client.call(ctx, subscriptionsGetUsage, opts).at(id))
}

// PaymentSystemListOptions is empty: the service has no options for this list.
type PaymentSystemListOptions struct{}

// ListPaymentSystems returns the payment processors that a payment method can
// belong to. The service does not page them.
//   - API: GET /subscriptions/paymentsystems
func (s *SubscriptionsService) ListPaymentSystems(ctx context.Context, options PaymentSystemListOptions, opts ...CallOption) (*Page[models.PaymentSystem], error) {
	return listUnpaged[models.PaymentSystem](s.client.call(ctx, subscriptionsListPaymentSystems, opts), noOptions(options))
}

// GetPromotion returns a promotion. The service answers 400, not 404, to an id
// that it does not know.
//   - API: GET /subscriptions/promotions/{id}
func (s *SubscriptionsService) GetPromotion(ctx context.Context, id string, opts ...CallOption) (*models.Promotion, error) {
	return send[models.Promotion](s.client.call(ctx, subscriptionsGetPromotion, opts).at(id))
}

// PromotionListOptions choose the page of a list of promotions.
type PromotionListOptions struct{ ListOptions }

// ListPromotions returns one page of the promotions. The service answers with a
// bare array or with a paged collection; of an array, Offset, Limit and Size
// are absent.
//   - API: GET /subscriptions/promotions
func (s *SubscriptionsService) ListPromotions(ctx context.Context, options PromotionListOptions, opts ...CallOption) (*Page[models.Promotion], error) {
	return subscriptionsListPromotions().page(ctx, s.client, options, opts)
}

// AllPromotions yields all the promotions. It reads Limit records per page from
// Offset.
//   - API: GET /subscriptions/promotions
func (s *SubscriptionsService) AllPromotions(ctx context.Context, options PromotionListOptions, opts ...CallOption) iter.Seq2[models.Promotion, error] {
	return subscriptionsListPromotions().walk(ctx, s.client, options, opts)
}

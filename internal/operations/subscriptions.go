package operations

import practice "github.com/practicesdk/practice-go"

func subscriptions() []Operation {
	none := func(Firm) []any { return []any{} }
	promotions := practice.ListOptions{Offset: 1, Limit: 5}
	return []Operation{
		{"Subscriptions.List", "listSubscriptions", none},
		{"Subscriptions.Get", "getSubscription", func(f Firm) []any {
			return []any{f.SubscriptionID}
		}},
		{"Subscriptions.ListAppliedPromotions", "listSubscriptionPromotions", func(f Firm) []any {
			return []any{f.SubscriptionID, promotions}
		}},
		{"Subscriptions.ListPromotions", "listPromotions", func(Firm) []any {
			return []any{promotions}
		}},
		{"Subscriptions.GetPromotion", "getPromotion", func(f Firm) []any {
			return []any{f.PromotionID}
		}},
		{"Subscriptions.ListTiers", "listTiers", none},
		{"Subscriptions.GetTier", "getTier", func(f Firm) []any {
			return []any{f.TierID}
		}},
		{"Subscriptions.ListTierAddOns", "listTierAddOns", func(f Firm) []any {
			return []any{f.TierID}
		}},
		{"Subscriptions.ListAddOns", "listAddOns", none},
		{"Subscriptions.GetAddOn", "getAddOn", func(f Firm) []any {
			return []any{f.AddOnID}
		}},
		{"Subscriptions.ListUsages", "listUsages", none},
		{"Subscriptions.GetUsage", "getUsage", func(f Firm) []any {
			return []any{f.UsageID}
		}},
		{"Subscriptions.ListPaymentSystems", "listPaymentSystems", none},
		{"Subscriptions.GetPaymentMethod", "getPaymentMethod", func(f Firm) []any {
			return []any{f.SubscriptionID, f.PaymentMethodID}
		}},
	}
}

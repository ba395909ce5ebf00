package operations

import (
	"io"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func subscriptions() []Operation {
	some := practice.ListOptions{Offset: 1, Limit: 5}
	return []Operation{
		{"Subscriptions.List", "listSubscriptions", func(Firm) []any { return []any{practice.SubscriptionListOptions{}} }},
		{"Subscriptions.Get", "getSubscription", func(f Firm) []any {
			return []any{f.SubscriptionID}
		}},
		{"Subscriptions.ListAvailablePromotions", "listSubscriptionPromotions", func(f Firm) []any {
			return []any{f.SubscriptionID, practice.AvailablePromotionListOptions{ListOptions: some}}
		}},
		{"Subscriptions.ListPromotions", "listPromotions", func(Firm) []any {
			return []any{practice.PromotionListOptions{ListOptions: some}}
		}},
		{"Subscriptions.GetPromotion", "getPromotion", func(f Firm) []any {
			return []any{f.PromotionID}
		}},
		{"Subscriptions.ListTiers", "listTiers", func(Firm) []any { return []any{practice.TierListOptions{}} }},
		{"Subscriptions.GetTier", "getTier", func(f Firm) []any {
			return []any{f.TierID}
		}},
		{"Subscriptions.ListTierAddOns", "listTierAddOns", func(f Firm) []any {
			return []any{f.TierID, practice.TierAddOnListOptions{}}
		}},
		{"Subscriptions.ListAddOns", "listAddOns", func(Firm) []any { return []any{practice.AddOnListOptions{}} }},
		{"Subscriptions.GetAddOn", "getAddOn", func(f Firm) []any {
			return []any{f.AddOnID}
		}},
		{"Subscriptions.ListUsages", "listUsages", func(Firm) []any { return []any{practice.UsageProductListOptions{}} }},
		{"Subscriptions.GetUsage", "getUsage", func(f Firm) []any {
			return []any{f.UsageID}
		}},
		{"Subscriptions.ListPaymentSystems", "listPaymentSystems", func(Firm) []any { return []any{practice.PaymentSystemListOptions{}} }},
		{"Subscriptions.GetPaymentMethod", "getPaymentMethod", func(f Firm) []any {
			return []any{f.SubscriptionID, f.PaymentMethodID}
		}},
		{"Subscriptions.ApplyPromotion", "applyPromotion", func(f Firm) []any {
			return []any{f.SubscriptionID, f.PromotionID}
		}},
		{"Subscriptions.RemovePromotion", "removePromotion", func(f Firm) []any {
			return []any{f.SubscriptionID, f.PromotionID}
		}},
	}
}

func subscriptionPayments() []Operation {
	card := models.PaymentMethodAdd{PaymentSystemID: "PROCESSOR", PaymentInformation: models.NewSecretObject(cardData())}
	return []Operation{
		{"Subscriptions.ListAccountPaymentMethods", "listAccountPaymentMethods", func(Firm) []any {
			return []any{practice.AccountPaymentMethodListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 5}}}
		}},
		{"Subscriptions.AddAccountPaymentMethod", "addAccountPaymentMethod", func(Firm) []any {
			return []any{card}
		}},
		{"Subscriptions.ListPaymentMethods", "listPaymentMethods", func(f Firm) []any {
			return []any{f.SubscriptionID, practice.PaymentMethodListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 5}}}
		}},
		{"Subscriptions.AddPaymentMethod", "addPaymentMethod", func(f Firm) []any {
			return []any{f.SubscriptionID, card}
		}},
		{"Subscriptions.SetDefaultPaymentMethod", "setDefaultPaymentMethod", func(f Firm) []any {
			return []any{f.SubscriptionID, models.PaymentMethodDefault{PaymentMethodID: f.PaymentMethodID}}
		}},
		{"Subscriptions.RemovePaymentMethod", "removePaymentMethod", func(f Firm) []any {
			return []any{f.SubscriptionID, f.PaymentMethodID, models.PaymentMethodRemove{NewDefaultPaymentMethodID: f.SparePaymentMethodID}}
		}},
	}
}

func subscriptionCharges() []Operation {
	usage := practice.UsageChargeListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 5}, Status: models.UsageChargeStatusSucceeded}
	return []Operation{
		{"Subscriptions.ListCharges", "listCharges", func(f Firm) []any {
			return []any{f.SubscriptionID, usage}
		}},
		{"Subscriptions.GetCharge", "getCharge", func(f Firm) []any {
			return []any{f.SubscriptionID, f.ChargeID}
		}},
		{"Subscriptions.ListUsageCharges", "listUsageCharges", func(f Firm) []any {
			return []any{f.SubscriptionID, f.UsageID, usage}
		}},
		{"Subscriptions.CreateCharge", "createCharge", func(f Firm) []any {
			return []any{f.SubscriptionID, f.UsageID, models.UsageChargeCreate{PriceID: f.UsagePriceID, MatterID: f.MatterID, Description: "Title search", Metadata: map[string]string{"our-key": "k-1"}}}
		}},
		{"Subscriptions.CancelCharge", "cancelCharge", func(f Firm) []any {
			return []any{f.SubscriptionID, f.ChargeID, models.UsageChargeCancel{Reason: "Wrong matter"}}
		}},
		{"Subscriptions.SubscribeUsage", "subscribeUsage", func(f Firm) []any {
			return []any{f.SubscriptionID, f.NewUsageID, models.UsageSubscribe{DefaultPaymentMethodID: f.PaymentMethodID}}
		}},
		{"Subscriptions.UnsubscribeUsage", "unsubscribeUsage", func(f Firm) []any {
			return []any{f.SubscriptionID, f.UsageID}
		}},
		{"Subscriptions.GetSettings", "getSubscriptionSettings", func(Firm) []any { return []any{} }},
		{"Subscriptions.PatchSettings", "patchSubscriptionSettings", func(Firm) []any {
			return []any{models.SubscriptionSettingsPatch{UsageAccessPermission: models.Some("AllUsers")}}
		}},
	}
}

func subscriptionChanges() []Operation {
	some := practice.ListOptions{Offset: 1, Limit: 5}
	return []Operation{
		{"Subscriptions.Preview", "previewSubscription", func(f Firm) []any {
			return []any{f.SubscriptionID, models.SubscriptionPreviewRequest{AddOnIDs: []string{f.AddOnID}, PromotionIDs: []string{f.PromotionID}, Interval: models.PriceIntervalYearly}}
		}},
		{"Subscriptions.Patch", "patchSubscription", func(f Firm) []any {
			return []any{f.SubscriptionID, models.SubscriptionPatch{AddOnIDs: models.Some([]string{f.AddOnID}), Interval: models.Some(models.PriceIntervalMonthly)}}
		}},
		{"Subscriptions.SwitchTier", "switchTier", func(f Firm) []any {
			return []any{f.SubscriptionID, f.TierID, models.TierSwitch{Reason: models.Some("We have grown")}}
		}},
		{"Subscriptions.Cancel", "cancelSubscription", func(f Firm) []any {
			return []any{f.SubscriptionID, models.SubscriptionCancel{
				CancellationType: models.Some(models.CancellationTypePeriodEnd), CancelSubscription: models.Some(true),
			}}
		}},
		{"Subscriptions.Resume", "resumeSubscription", func(f Firm) []any {
			return []any{f.SubscriptionID, models.SubscriptionResume{}}
		}},
		{"Subscriptions.ListChanges", "listSubscriptionChanges", func(f Firm) []any {
			return []any{f.SubscriptionID, practice.SubscriptionChangeListOptions{ListOptions: some}}
		}},
		{"Subscriptions.ListAccountInvoices", "listSubscriptionInvoices", func(f Firm) []any {
			return []any{practice.SubscriptionInvoiceListOptions{ListOptions: some, SubscriptionID: f.SubscriptionID}}
		}},
		{"Subscriptions.ListInvoices", "listInvoicesOfSubscription", func(f Firm) []any {
			return []any{f.SubscriptionID, practice.RecentInvoiceListOptions{Limit: 5}}
		}},
		{"Subscriptions.DownloadInvoice", "downloadSubscriptionInvoice", func(f Firm) []any {
			return []any{f.SubscriptionInvoiceID, io.Discard}
		}},
		{"Subscriptions.GetInvoiceURL", "getSubscriptionInvoiceURL", func(f Firm) []any {
			return []any{f.SubscriptionInvoiceID}
		}},
	}
}

// cardData returns invented data of a card, because the form of the payment
// systems is not published.
func cardData() models.Object {
	data, err := models.ParseObject(`{"token":"card-0001"}`)
	if err != nil {
		panic(err) // the text is a valid constant
	}
	return data
}

package operations

import (
	"io"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func subscriptions(Firm) rows {
	some := practice.ListOptions{Offset: 1, Limit: 5}
	return rows{
		"listSubscriptionPromotions": {practice.AvailablePromotionListOptions{ListOptions: some}},
		"listPromotions":             {practice.PromotionListOptions{ListOptions: some}},
	}
}

func subscriptionPayments(f Firm) rows {
	card := models.PaymentMethodAdd{PaymentSystemID: "PROCESSOR", PaymentInformation: models.NewSecretObject(cardData())}
	return rows{
		"listAccountPaymentMethods": {practice.AccountPaymentMethodListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 5}}},
		"addAccountPaymentMethod":   {card},
		"listPaymentMethods":        {practice.PaymentMethodListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 5}}},
		"addPaymentMethod":          {card},
		"setDefaultPaymentMethod":   {models.PaymentMethodDefault{PaymentMethodID: f.PaymentMethodID}},
		"removePaymentMethod":       {models.PaymentMethodRemove{NewDefaultPaymentMethodID: f.SparePaymentMethodID}},
	}
}

func subscriptionCharges(f Firm) rows {
	usage := practice.UsageChargeListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 5}, Status: models.UsageChargeStatusSucceeded}
	return rows{
		"listCharges":      {usage},
		"listUsageCharges": {usage},
		"createCharge":     {models.UsageChargeCreate{PriceID: f.UsagePriceID, MatterID: f.MatterID, Description: "Title search", Metadata: map[string]string{"our-key": "k-1"}}},
		"cancelCharge":     {models.UsageChargeCancel{Reason: "Wrong matter"}},
		// A usage product that the subscription has not.
		"subscribeUsage":            {f.SubscriptionID, f.NewUsageID, models.UsageSubscribe{DefaultPaymentMethodID: f.PaymentMethodID}},
		"patchSubscriptionSettings": {models.SubscriptionSettingsPatch{UsageAccessPermission: models.Some("AllUsers")}},
	}
}

func subscriptionChanges(f Firm) rows {
	some := practice.ListOptions{Offset: 1, Limit: 5}
	return rows{
		"previewSubscription": {models.SubscriptionPreviewRequest{AddOnIDs: []string{f.AddOnID}, PromotionIDs: []string{f.PromotionID}, Interval: models.PriceIntervalYearly}},
		"patchSubscription":   {models.SubscriptionPatch{AddOnIDs: models.Some([]string{f.AddOnID}), Interval: models.Some(models.PriceIntervalMonthly)}},
		"switchTier":          {models.TierSwitch{Reason: models.Some("We have grown")}},
		"cancelSubscription": {models.SubscriptionCancel{
			CancellationType: models.Some(models.CancellationTypePeriodEnd), CancelSubscription: models.Some(true),
		}},
		"resumeSubscription":          {models.SubscriptionResume{}},
		"listSubscriptionChanges":     {practice.SubscriptionChangeListOptions{ListOptions: some}},
		"listSubscriptionInvoices":    {practice.SubscriptionInvoiceListOptions{ListOptions: some, SubscriptionID: f.SubscriptionID}},
		"listInvoicesOfSubscription":  {practice.RecentInvoiceListOptions{Limit: 5}},
		"downloadSubscriptionInvoice": {io.Discard},
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

package conformance_test

import (
	"context"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func money() map[string]calls {
	return map[string]calls{
		"listBankAccounts": {
			minimal: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.BankAccounts.List(ctx, practice.BankAccountListOptions{}))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.BankAccounts.List(ctx, practice.BankAccountListOptions{Type: models.BankAccountTrust, MatterID: f.MatterID}))
			},
		},
		"getExpense": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Expenses.Get(ctx, f.MatterID, f.ExpenseID))
		}},
		"patchFee": {
			minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{}))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, wholeFee(f)))
			},
		},
		"getSubscription": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Subscriptions.Get(ctx, f.SubscriptionID))
		}},
		"listPromotions": {
			minimal: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Subscriptions.ListPromotions(ctx, practice.PromotionListOptions{}))
			},
			full: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Subscriptions.ListPromotions(ctx, practice.PromotionListOptions{Offset: 1, Limit: 1}))
			},
		},
		"getPaymentMethod": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Subscriptions.GetPaymentMethod(ctx, f.SubscriptionID, f.PaymentMethodID))
		}},
	}
}

// wholeFee sets every member of a fee.
func wholeFee(f practicetest.Firm) models.FeePatch {
	return models.FeePatch{
		FeeDate: models.Some(models.DateOf(from)), Subject: models.Some("Advice"), Description: models.Some("By telephone"),
		UpdatedByUserID: models.Some(f.UserID), StaffID: models.Some(f.StaffID), InvoiceID: models.Some(f.ExpenseID),
		ActivityCode: models.Some("A101"), FeeType: models.Some(models.FeeTime),
		Duration: models.Some(90), DurationWorked: models.Some(95),
		Rate: models.Some(models.MustDecimal("320.50")), Tax: models.Some(models.MustDecimal("0.00")),
		TaxInclusive: models.Some(false), TaxExempt: models.Some(true), TaxOutOfScope: models.Some(false),
		Finalized: models.Some(false), IsWrittenOff: models.Some(false), IsBillable: models.Some(true), IsInvoicedExternally: models.Some(false),
		SourceItems: models.Some([]models.FeeSourceItemWrite{
			{Description: models.Some("Call"), Duration: models.Some(60), IsBillable: models.Some(true)},
			{Description: models.Null[string]()},
		}),
		CreatedFromActivityID: models.Some(f.ExpenseID),
	}
}

package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func money() []Operation {
	return []Operation{
		{"BankAccounts.List", "listBankAccounts", func(f Firm) []any {
			return []any{practice.BankAccountListOptions{Type: models.BankAccountTrust, MatterID: f.MatterID}}
		}},
		{"Expenses.Get", "getExpense", func(f Firm) []any {
			return []any{f.MatterID, f.ExpenseID}
		}},
		{"Fees.Patch", "patchFee", func(f Firm) []any {
			return []any{f.MatterID, f.FeeID, models.FeePatch{Subject: models.Some("Advice")}}
		}},
		{"Subscriptions.Get", "getSubscription", func(f Firm) []any {
			return []any{f.SubscriptionID}
		}},
		{"Subscriptions.ListPromotions", "listPromotions", func(Firm) []any {
			return []any{practice.ListOptions{Offset: 1, Limit: 5}}
		}},
		{"Subscriptions.GetPaymentMethod", "getPaymentMethod", func(f Firm) []any {
			return []any{f.SubscriptionID, f.PaymentMethodID}
		}},
	}
}

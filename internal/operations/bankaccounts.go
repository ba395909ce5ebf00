package operations

import (
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func bankAccounts() []Operation {
	some := models.MustDecimal("1.10")
	one := practice.ListOptions{Offset: 1, Limit: 1}
	return []Operation{
		{"BankAccounts.List", "listBankAccounts", func(f Firm) []any {
			return []any{practice.BankAccountListOptions{Type: models.BankAccountTypeTrust, MatterID: f.MatterID}}
		}},
		{"BankAccounts.Get", "getBankAccount", func(f Firm) []any { return []any{f.BankAccountID} }},
		{"BankAccounts.ListMatterBalances", "listMatterBalances", func(f Firm) []any {
			return []any{f.BankAccountID, practice.MatterBalanceListOptions{ListOptions: one}}
		}},
		{"BankAccounts.ListTransactions", "listTransactions", func(f Firm) []any {
			return []any{f.BankAccountID, practice.TransactionListOptions{ListOptions: one}}
		}},
		{"BankAccounts.GetTransaction", "getTransaction", func(f Firm) []any { return []any{f.BankAccountID, f.TransactionID} }},
		{"BankAccounts.CreateTransaction", "createTransaction", func(f Firm) []any {
			return []any{f.BankAccountID, models.TransactionCreate{MatterID: f.MatterID, PayorID: f.ContactID, Amount: some, Reference: "D-1"}}
		}},
		{"BankAccounts.GetProtectedBalance", "getProtectedBalance", func(f Firm) []any { return []any{f.BankAccountID, f.ProtectionID} }},
		{"BankAccounts.ProtectFunds", "protectFunds", func(f Firm) []any {
			return []any{f.BankAccountID, models.ProtectFunds{MatterID: f.MatterID, ContactID: f.ContactID, Amount: models.MustDecimal("0.50"), EffectiveDate: models.DateTimeOf(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))}}
		}},
		{"BankAccounts.UnprotectFunds", "unprotectFunds", func(f Firm) []any {
			return []any{f.BankAccountID, f.ProtectionID, models.UnprotectFunds{Amount: models.MustDecimal("0.50")}}
		}},
		{"BankAccounts.CreateRequisition", "createRequisition", func(f Firm) []any {
			return []any{f.BankAccountID, models.RequisitionCreate{
				MatterID: f.MatterID, PayorID: f.ContactID, PayeeID: f.ContactID, Amount: some, Source: models.RequisitionSourceCheck, Reference: "R-1",
			}}
		}},
	}
}

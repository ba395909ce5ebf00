package operations

import (
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func bankAccounts(f Firm) rows {
	some := models.MustDecimal("1.10")
	one := practice.ListOptions{Offset: 1, Limit: 1}
	return rows{
		"listBankAccounts":   {practice.BankAccountListOptions{Type: models.BankAccountTypeTrust, MatterID: f.MatterID}},
		"listMatterBalances": {practice.MatterBalanceListOptions{ListOptions: one}},
		"listTransactions":   {practice.TransactionListOptions{ListOptions: one}},
		"createTransaction":  {models.TransactionCreate{MatterID: f.MatterID, PayorID: f.ContactID, Amount: some, Reference: "D-1"}},
		"protectFunds":       {models.ProtectFunds{MatterID: f.MatterID, ContactID: f.ContactID, Amount: models.MustDecimal("0.50"), EffectiveDate: models.DateTimeOf(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))}},
		"unprotectFunds":     {models.UnprotectFunds{Amount: models.MustDecimal("0.50")}},
		"createRequisition": {models.RequisitionCreate{
			MatterID: f.MatterID, PayorID: f.ContactID, PayeeID: f.ContactID, Amount: some, Source: models.RequisitionSourceCheck, Reference: "R-1",
		}},
	}
}

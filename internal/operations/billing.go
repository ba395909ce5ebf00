package operations

import (
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

var billedOn = models.DateOf(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))

func fees() []Operation {
	work := func(f Firm) models.FeeWrite {
		return models.FeeWrite{
			Subject: "Advice", FeeDate: billedOn, StaffID: f.StaffID, FeeType: models.Some(models.FeeTypeTime), Duration: models.Some(30),
			Rate: models.MustDecimal("350.50"), IsBillable: models.Some(true),
		}
	}
	return []Operation{
		{"Fees.List", "listFees", func(f Firm) []any {
			return []any{f.MatterID, practice.FeeListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 1}}}
		}},
		{"Fees.Create", "createFee", func(f Firm) []any {
			return []any{f.MatterID, work(f)}
		}},
		{"Fees.Get", "getFee", func(f Firm) []any {
			return []any{f.MatterID, f.FeeID}
		}},
		{"Fees.Update", "updateFee", func(f Firm) []any {
			return []any{f.MatterID, f.FeeID, work(f)}
		}},
		{"Fees.Patch", "patchFee", func(f Firm) []any {
			return []any{f.MatterID, f.FeeID, models.FeePatch{Subject: models.Some("Advice")}}
		}},
		{"Fees.Delete", "deleteFee", func(f Firm) []any {
			return []any{f.MatterID, f.FeeID}
		}},
	}
}

func expenses() []Operation {
	courier := models.ExpenseWrite{
		Subject: "Courier", ExpenseDate: billedOn, Quantity: models.MustDecimal("2"), Price: models.MustDecimal("12.50"), CostType: models.ExpenseCostTypeHard,
	}
	return []Operation{
		{"Expenses.List", "listExpenses", func(f Firm) []any {
			return []any{f.MatterID, practice.ExpenseListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 1}}}
		}},
		{"Expenses.Create", "createExpense", func(f Firm) []any {
			return []any{f.MatterID, courier}
		}},
		{"Expenses.Get", "getExpense", func(f Firm) []any {
			return []any{f.MatterID, f.ExpenseID}
		}},
		{"Expenses.Update", "updateExpense", func(f Firm) []any {
			return []any{f.MatterID, f.ExpenseID, courier}
		}},
		{"Expenses.Patch", "patchExpense", func(f Firm) []any {
			return []any{f.MatterID, f.ExpenseID, models.ExpensePatch{Subject: models.Some("Courier")}}
		}},
		{"Expenses.Delete", "deleteExpense", func(f Firm) []any {
			return []any{f.MatterID, f.ExpenseID}
		}},
	}
}

func invoices() []Operation {
	return []Operation{
		{"Invoices.List", "listInvoices", func(f Firm) []any {
			return []any{f.MatterID, practice.InvoiceListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 1}}}
		}},
		{"Invoices.Get", "getInvoice", func(f Firm) []any {
			return []any{f.MatterID, f.InvoiceID}
		}},
		{"Invoices.GetDownloadURL", "getInvoiceDownload", func(f Firm) []any {
			return []any{f.MatterID, f.InvoiceID}
		}},
	}
}

package operations

import (
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

var billedOn = models.DateOf(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))

func fees(f Firm) rows {
	work := models.FeeWrite{
		Subject: "Advice", FeeDate: billedOn, StaffID: f.StaffID, FeeType: models.Some(models.FeeTypeTime), Duration: models.Some(30),
		Rate: models.MustDecimal("350.50"), IsBillable: models.Some(true),
	}
	return rows{
		"listFees":  {practice.FeeListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 1}}},
		"createFee": {work},
		"updateFee": {work},
		"patchFee":  {models.FeePatch{Subject: models.Some("Advice")}},
	}
}

func expenses(Firm) rows {
	courier := models.ExpenseWrite{
		Subject: "Courier", ExpenseDate: billedOn, Quantity: models.MustDecimal("2"), Price: models.MustDecimal("12.50"), CostType: models.ExpenseCostTypeHard,
	}
	return rows{
		"listExpenses":  {practice.ExpenseListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 1}}},
		"createExpense": {courier},
		"updateExpense": {courier},
		"patchExpense":  {models.ExpensePatch{Subject: models.Some("Courier")}},
	}
}

func invoices(Firm) rows {
	return rows{
		"listInvoices": {practice.InvoiceListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 1}}},
	}
}

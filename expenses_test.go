package practice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAnExpenseHasEveryFieldExactly(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		e, err := client.Expenses.Get(t.Context(), f.MatterID, f.ExpenseID)
		require.NoError(t, err)
		assertSent(t, server, "GET", "/matters/"+f.MatterID+"/expenses/"+f.ExpenseID, "")
		assertRecord(t, wireTree(t, wireText(t, client, "/matters/{matterId}/expenses/{id}", f.MatterID, f.ExpenseID)), map[string]any{
			"id": e.ID, "href": e.Href, "relation": e.Relation, "method": e.Method, "self": e.Self, "versionId": e.VersionID,
			"createdByUserId": e.CreatedByUserID, "staff": e.Staff, "matter": e.Matter, "staffId": e.StaffID, "matterId": e.MatterID,
			"invoiceId": e.InvoiceID, "origin": e.Origin, "activityCode": e.ActivityCode, "utbmsTaskCode": e.UTBMSTaskCode,
			"subject": e.Subject, "description": e.Description, "expenseDate": e.ExpenseDate, "quantity": e.Quantity, "price": e.Price,
			"amount": e.Amount, "amountExcTax": e.AmountExcTax, "amountIncTax": e.AmountIncTax, "tax": e.Tax,
			"taxInclusive": e.TaxInclusive, "finalized": e.Finalized, "isWrittenOff": e.IsWrittenOff, "isBillable": e.IsBillable,
			"isInvoicedExternally": e.IsInvoicedExternally, "isDeleted": e.IsDeleted, "invoice": e.Invoice, "costType": e.CostType,
			"outputTax": e.OutputTax, "taxZeroRated": e.TaxZeroRated, "taxOutOfScope": e.TaxOutOfScope, "taxExempt": e.TaxExempt,
		})
		assert.Equal(t, f.MatterID, e.Matter.TargetID())
		assert.False(t, e.ExpenseDate.IsZero())

		withTax, err := e.AmountExcTax.Add(e.Tax)
		require.NoError(t, err)
		assert.True(t, withTax.Equal(e.AmountIncTax), "%s + %s is %s", e.AmountExcTax, e.Tax, e.AmountIncTax)
	})
}

func TestRefusalsOfExpenses(t *testing.T) {
	t.Parallel()
	get := func(ids func(practicetest.Firm) (string, string)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			matter, expense := ids(f)
			return discard(c.Expenses.Get(ctx, matter, expense))
		}
	}
	testRefusals(t, "Expenses.Get",
		refusal{
			rule: "an unknown expense", want: practice.ErrNotFound,
			call: get(func(f practicetest.Firm) (string, string) { return f.MatterID, unknownID }),
		},
		refusal{
			rule: "an expense of another matter", want: practice.ErrNotFound,
			call: get(func(f practicetest.Firm) (string, string) { return f.MatterIDs[1], f.ExpenseID }),
		},
		refusal{
			rule: "an unknown matter", want: practice.ErrNotFound,
			call: get(func(f practicetest.Firm) (string, string) { return unknownID, f.ExpenseID }),
		},
		refusal{
			rule: "a matter of another firm", want: practice.ErrForbidden,
			call: get(func(f practicetest.Firm) (string, string) { return f.OtherFirmMatterID, f.ExpenseID }),
		},
		refusal{
			rule: "ids that are no UUIDs", want: practice.ErrBadRequest, fields: []string{"matterId: not a UUID", "id: not a UUID"},
			call: get(func(practicetest.Firm) (string, string) { return "10001", "lunch" }),
		},
	)
}

package practice_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAnExpenseHasEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		e, err := client.Expenses.Get(t.Context(), f.MatterID, f.ExpenseID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/expenses/"+f.ExpenseID, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/expenses/{id}", f.MatterID, f.ExpenseID)), map[string]any{
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

// printing returns an expense of three units at 12.50.
func printing(f practicetest.Firm) models.ExpenseWrite {
	return models.ExpenseWrite{
		Subject: "Printing", ExpenseDate: models.DateOf(testkit.SomeTime), StaffID: f.StaffID, Quantity: models.MustDecimal("3"),
		Price: models.MustDecimal("12.50"), Tax: models.MustDecimal("3.75"), CostType: models.ExpenseCostTypeSoft, IsBillable: models.Some(true),
	}
}

func TestAnExpenseIsCreatedChangedReplacedAndDeleted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		get := func(id string) *models.Expense {
			t.Helper()
			server.Settle()
			found, err := client.Expenses.Get(t.Context(), f.MatterID, id)
			require.NoError(t, err)
			return found
		}
		link, err := client.Expenses.Create(t.Context(), f.MatterID, printing(f))
		require.NoError(t, err)
		_, err = client.Expenses.Get(t.Context(), f.MatterID, link.ID)
		require.ErrorIs(t, err, practice.ErrNotFound, "the write takes effect later")
		made := get(link.ID)
		assert.Equal(t, []string{"37.50", "41.25"}, []string{made.AmountExcTax.String(), made.AmountIncTax.String()})
		assert.Equal(t, models.ExpenseCostTypeSoft, made.CostType)

		patch := models.ExpensePatch{Quantity: models.Some(models.MustDecimal("4")), Description: models.Some("Bundle"), Tax: models.Null[models.Decimal]()}
		require.NoError(t, testkit.Discard(client.Expenses.Patch(t.Context(), f.MatterID, link.ID, patch)))
		assert.JSONEq(t, `{"quantity":4,"description":"Bundle","tax":null}`, string(testkit.LastSent(t, server).Body), "what is set is sent, and nothing else")
		changed := get(link.ID)
		assert.Equal(t, []string{"50.00", "50.00", "Printing"}, []string{changed.Amount.String(), changed.AmountIncTax.String(), changed.Subject})

		require.NoError(t, testkit.Discard(client.Expenses.Update(t.Context(), f.MatterID, link.ID, models.ExpenseWrite{Subject: "Copies", Price: models.MustDecimal("0.10")})))
		replaced := get(link.ID)
		assert.Equal(t, []string{"Copies", "", "0.10"}, []string{replaced.Subject, replaced.Description, replaced.Amount.String()})
		assert.NotEqual(t, changed.VersionID, replaced.VersionID)

		require.NoError(t, testkit.Discard(client.Expenses.Delete(t.Context(), f.MatterID, link.ID)))
		assert.True(t, get(link.ID).IsDeleted.Or(false))
	})
}

func TestAnExpenseIsThatOfItsUserOrOfTheOwner(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule  string
		write func(practicetest.Firm) models.ExpenseWrite
		want  func(practicetest.Firm) string
	}{
		{"without a staff member that of the user", func(practicetest.Firm) models.ExpenseWrite { return models.ExpenseWrite{} }, func(f practicetest.Firm) string { return f.StaffID }},
		{"the owner's on demand", func(practicetest.Firm) models.ExpenseWrite {
			return models.ExpenseWrite{AssignToFirmOwner: models.Some(true)}
		}, func(f practicetest.Firm) string { return f.StaffIDs[0] }},
		{"a staff member counts more", func(f practicetest.Firm) models.ExpenseWrite {
			return models.ExpenseWrite{AssignToFirmOwner: models.Some(true), StaffID: f.StaffIDs[3]}
		}, func(f practicetest.Firm) string { return f.StaffIDs[3] }},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
				f := server.Firm()
				client := testkit.ServerToServer(t, server)
				link, err := client.Expenses.Create(t.Context(), f.MatterID, test.write(f), practice.WithUserID(f.UserID))
				require.NoError(t, err)
				server.Settle()
				made, err := client.Expenses.Get(t.Context(), f.MatterID, link.ID)
				require.NoError(t, err)
				assert.Equal(t, test.want(f), made.Staff.TargetID())
			})
		})
	}
}

func TestAnExpenseWhoseAnswerWasLostIsFound(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, since, expense := server.Firm(), server.Clock().Now(), printing(server.Firm())
		expense.Description, expense.ActivityCode = "Bill 4711", "PRT"
		server.Inject(practicetest.Fault{Operation: "createExpense", Kind: practicetest.FaultResetAfter})
		_, err := client.Expenses.Create(t.Context(), f.MatterID, expense)
		require.True(t, testkit.IsAmbiguous(err), "%v", err)
		server.Settle()
		found, err := client.Expenses.FindCreated(t.Context(), f.MatterID, expense, since)
		require.NoError(t, err)
		require.Len(t, found, 1, "it was added, once")
		assert.Equal(t, "Bill 4711", found[0].Description)

		for member, other := range map[string]func(*models.ExpenseWrite){
			"subject":       func(w *models.ExpenseWrite) { w.Subject = "Copies" },
			"day":           func(w *models.ExpenseWrite) { w.ExpenseDate = w.ExpenseDate.AddDays(1) },
			"staff member":  func(w *models.ExpenseWrite) { w.StaffID = f.StaffIDs[3] },
			"activity code": func(w *models.ExpenseWrite) { w.ActivityCode = "TEL" },
			"description":   func(w *models.ExpenseWrite) { w.Description = "Bill 4712" },
			"quantity":      func(w *models.ExpenseWrite) { w.Quantity = models.MustDecimal("2") },
			"price":         func(w *models.ExpenseWrite) { w.Price = models.MustDecimal("12.51") },
		} {
			unlike := expense
			other(&unlike)
			found, err := client.Expenses.FindCreated(t.Context(), f.MatterID, unlike, since)
			require.NoError(t, err)
			assert.Empty(t, found, "another %s", member)
		}
		found, err = client.Expenses.FindCreated(t.Context(), f.MatterID, models.ExpenseWrite{Subject: "Printing", Price: models.MustDecimal("12.5")}, since)
		require.NoError(t, err)
		assert.Len(t, found, 1, "a member that was not written may be anything")
	})
}

func TestExpensesAreListedWithWhatHasChanged(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		all, err := practice.Collect(client.Expenses.All(t.Context(), f.MatterID, practice.ExpenseListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
		require.NoError(t, err)
		assert.Greater(t, len(all), 1, "several pages")

		server.Clock().Advance(time.Second)
		since := server.Clock().Now()
		require.NoError(t, testkit.Discard(client.Expenses.Patch(t.Context(), f.MatterID, all[1].ID, models.ExpensePatch{Subject: models.Some("Taxi")})))
		server.Settle()
		page, err := client.Expenses.List(t.Context(), f.MatterID, practice.ExpenseListOptions{UpdatedSince: since})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		assert.Equal(t, "Taxi", page.Items[0].Subject)
	})
}

func TestRefusalsOfExpenses(t *testing.T) {
	t.Parallel()
	create := func(write models.ExpenseWrite) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Expenses.Create(ctx, f.MatterID, write))
		}
	}
	testkit.AssertRefusals(t, "Expenses.Create",
		testkit.Refusal{
			Rule: "a tax that there is none of", Want: practice.ErrBadRequest, Fields: []string{"tax: must be 0 if taxExempt is true"},
			Call: create(models.ExpenseWrite{TaxExempt: models.Some(true), Tax: models.MustDecimal("1")}),
		},
		testkit.Refusal{
			Rule: "an output tax at the rate of zero", Want: practice.ErrBadRequest, Fields: []string{"outputTax: must be 0 if taxZeroRated is true"},
			Call: create(models.ExpenseWrite{TaxZeroRated: models.Some(true), OutputTax: models.MustDecimal("1")}),
		},
		testkit.Refusal{
			Rule: "inclusive and exempt exclude each other", Want: practice.ErrBadRequest, Fields: []string{"taxExempt: must not be combined with taxInclusive"},
			Call: create(models.ExpenseWrite{TaxInclusive: models.Some(true), TaxExempt: models.Some(true)}),
		},
		testkit.Refusal{
			Rule: "written off without being billable", Want: practice.ErrBadRequest, Fields: []string{"isWrittenOff: requires isBillable to be true"},
			Call: create(models.ExpenseWrite{IsWrittenOff: models.Some(true), IsBillable: models.Some(false)}),
		},
		testkit.Refusal{
			Rule: "fractions of a cent", Want: practice.ErrBadRequest, Fields: []string{"price: must have at most two decimal places"},
			Call: create(models.ExpenseWrite{Price: models.MustDecimal("0.125")}),
		},
		testkit.Refusal{
			Rule: "a staff member of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"staffId: no such staff member"},
			Call: create(models.ExpenseWrite{StaffID: testkit.UnknownID}),
		},
	)
}

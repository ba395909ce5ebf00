package practice

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	expensesCreate = operation{"Expenses.Create", http.MethodPost, "/matters/{matterId}/expenses", transport.Create}
	expensesGet    = operation{"Expenses.Get", http.MethodGet, "/matters/{matterId}/expenses/{id}", transport.Read}
	expensesUpdate = operation{"Expenses.Update", http.MethodPut, "/matters/{matterId}/expenses/{id}", transport.IdempotentWrite}
	expensesPatch  = operation{"Expenses.Patch", http.MethodPatch, "/matters/{matterId}/expenses/{id}", transport.IdempotentWrite}
	expensesDelete = operation{"Expenses.Delete", http.MethodDelete, "/matters/{matterId}/expenses/{id}", transport.IdempotentWrite}
)

func expensesList() *list[models.Expense] {
	return paged("Expenses.List", "Expenses.All", "/matters/{matterId}/expenses", func(e *models.Expense) string { return e.ID })
}

// ExpensesService manages the expenses of matters: money that the firm spent on
// them. Amounts are dollars.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/expenses.md
type ExpensesService service

// ExpenseListOptions narrow a list of expenses. The zero value lists all.
type ExpenseListOptions struct {
	ListOptions
	// UpdatedSince lists expenses changed at or after a time, to 100 ns.
	UpdatedSince time.Time
}

func (o ExpenseListOptions) filter(c *call) { c.time(KindTicks, "UpdatedSince", o.UpdatedSince) }

// List returns one page of the expenses of a matter. Deleted ones are probably
// among them; see [models.Expense.IsDeleted].
//   - API: GET /matters/{matterId}/expenses
func (s *ExpensesService) List(ctx context.Context, matterID string, options ExpenseListOptions, opts ...CallOption) (*Page[models.Expense], error) {
	return expensesList().page(ctx, s.client, options, opts, matterID)
}

// All yields all the expenses of a matter. It reads Limit records per page from
// Offset.
//   - API: GET /matters/{matterId}/expenses
func (s *ExpensesService) All(ctx context.Context, matterID string, options ExpenseListOptions, opts ...CallOption) iter.Seq2[models.Expense, error] {
	return expensesList().walk(ctx, s.client, options, opts, matterID)
}

// Create adds an expense to a matter. The client never repeats it after a lost
// answer: it would bill twice. FindCreated looks for it then. It may fail after
// the service accepted it; only an `error` event reports that.
//   - API: POST /matters/{matterId}/expenses, asynchronous
func (s *ExpensesService) Create(ctx context.Context, matterID string, expense models.ExpenseWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, expensesCreate, opts).at(matterID).with(&expense))
}

// FindCreated returns the expenses of a matter that changed since a time and
// may be the one that Create was to add: those with the same subject and, where
// expense has them, the same day, staff member, activity code, description,
// quantity and price. A unique description avoids other matches. See
// [ContactsService.FindCreated] for such methods.
func (s *ExpensesService) FindCreated(ctx context.Context, matterID string, expense models.ExpenseWrite, since time.Time, opts ...CallOption) ([]models.Expense, error) {
	return findCreated(ctx, s.client, "Expenses.FindCreated", func(ctx context.Context) iter.Seq2[models.Expense, error] {
		return s.All(ctx, matterID, ExpenseListOptions{UpdatedSince: since}, wholeLists(opts)...)
	}, func(e *models.Expense) bool { return isExpense(e, &expense) })
}

// isExpense compares the members that the service keeps unchanged.
func isExpense(e *models.Expense, w *models.ExpenseWrite) bool {
	return e.Subject == w.Subject && sameIfGiven(w.ExpenseDate, e.ExpenseDate) && sameIDIfGiven(w.StaffID, e.Staff.TargetID()) &&
		sameIfGiven(w.ActivityCode, e.ActivityCode) && sameIfGiven(w.Description, e.Description) &&
		(w.Quantity.IsZero() || w.Quantity.Equal(e.Quantity)) && (w.Price.IsZero() || w.Price.Equal(e.Price))
}

// Get returns an expense of a matter.
//   - API: GET /matters/{matterId}/expenses/{id}
func (s *ExpensesService) Get(ctx context.Context, matterID, id string, opts ...CallOption) (*models.Expense, error) {
	return send[models.Expense](s.client.call(ctx, expensesGet, opts).at(matterID, id))
}

// Update replaces an expense: the service clears what the body leaves out.
// Patch changes single fields. To repeat an update changes nothing; Get shows
// the result.
//   - API: PUT /matters/{matterId}/expenses/{id}, asynchronous
func (s *ExpensesService) Update(ctx context.Context, matterID, id string, expense models.ExpenseWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, expensesUpdate, opts).at(matterID, id).with(&expense))
}

// Patch changes the fields of an expense that the body sets, and clears those
// that it sets to null. The service probably leaves omitted fields unchanged;
// this is not documented. To repeat a patch changes nothing; Get shows the
// result.
//   - API: PATCH /matters/{matterId}/expenses/{id}, asynchronous
func (s *ExpensesService) Patch(ctx context.Context, matterID, id string, patch models.ExpensePatch, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, expensesPatch, opts).at(matterID, id).with(&patch))
}

// Delete deletes an expense.
//   - API: DELETE /matters/{matterId}/expenses/{id}, asynchronous
func (s *ExpensesService) Delete(ctx context.Context, matterID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, expensesDelete, opts).at(matterID, id))
}

// Modify reads an expense of a matter, calls change with a body that would
// leave it unchanged, and sends the changed body. It returns a *ModifyError if
// the write could lose data. UpdatedByUserID, the id of the user who makes the
// change, cannot be read back and so starts empty. AssignToFirmOwner, which
// assigns the expense to one of the owners of the firm, cannot be read back and
// so starts false. Patch sends only what changes.
//   - API: PUT /matters/{matterId}/expenses/{id}, asynchronous
func (s *ExpensesService) Modify(ctx context.Context, matterID, id string, change func(*models.ExpenseWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.ExpenseWrite, models.Link]{
		s.client, "Expenses.Modify", "Expenses.Patch", twoIDs(s.Get, matterID, id), ontoTwoIDs(s.Update, matterID, id), opts,
	}, change)
}

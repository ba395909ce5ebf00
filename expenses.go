package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var expensesGet = operation{"Expenses.Get", http.MethodGet, "/matters/{matterId}/expenses/{id}", transport.Read}

// ExpensesService reads the expenses of matters.
type ExpensesService service

// Get returns one expense of a matter.
//
// API: GET /matters/{matterId}/expenses/{id}
func (s *ExpensesService) Get(ctx context.Context, matterID, id string, opts ...CallOption) (*models.Expense, error) {
	c := s.client.call(ctx, expensesGet, opts)
	c.id("matterId", matterID)
	c.id("id", id)
	return send[models.Expense](c)
}

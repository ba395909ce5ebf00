package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var bankAccountsList = operation{"BankAccounts.List", http.MethodGet, "/bankaccounts", transport.Read}

// BankAccountsService reads the bank accounts of the firm and their balances.
type BankAccountsService service

// BankAccountListOptions narrow a list of bank accounts. The zero value lists
// all of them.
type BankAccountListOptions struct {
	Type     models.BankAccountType // only accounts of this type
	MatterID string                 // only accounts of this matter
}

// List returns the bank accounts of the firm. The service does not page them:
// Offset, Limit and Size of the page are usually absent. It answers 400 to an
// unsupported combination of options.
//
// API: GET /bankaccounts
func (s *BankAccountsService) List(ctx context.Context, options BankAccountListOptions, opts ...CallOption) (*Page[models.BankAccount], error) {
	c := s.client.call(ctx, bankAccountsList, opts)
	c.param("type", string(options.Type))
	c.param("matterId", options.MatterID)
	return list[models.BankAccount](c)
}

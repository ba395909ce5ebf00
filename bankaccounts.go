package practice

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	bankAccountsList                = operation{"BankAccounts.List", http.MethodGet, "/bankaccounts", transport.Read}
	bankAccountsGet                 = operation{"BankAccounts.Get", http.MethodGet, "/bankaccounts/{id}", transport.Read}
	bankAccountsGetProtectedBalance = operation{"BankAccounts.GetProtectedBalance", http.MethodGet, "/bankaccounts/{id}/protected-balances/{protectionId}", transport.Read}
	bankAccountsProtectFunds        = operation{"BankAccounts.ProtectFunds", http.MethodPost, "/bankaccounts/{id}/protect-funds", transport.Create}
	bankAccountsUnprotectFunds      = operation{"BankAccounts.UnprotectFunds", http.MethodPost, "/bankaccounts/{id}/unprotect-funds/{protectionId}", transport.Create}
	bankAccountsCreateRequisition   = operation{"BankAccounts.CreateRequisition", http.MethodPost, "/bankaccounts/{id}/requisitions", transport.Create}
	bankAccountsCreateTransaction   = operation{"BankAccounts.CreateTransaction", http.MethodPost, "/bankaccounts/{bankAccountId}/transactions", transport.Create}
	bankAccountsGetTransaction      = operation{"BankAccounts.GetTransaction", http.MethodGet, "/bankaccounts/{bankAccountId}/transactions/{id}", transport.Read}
)

func bankAccountsListMatterBalances() *list[models.MatterBalance] {
	return paged("BankAccounts.ListMatterBalances", "BankAccounts.AllMatterBalances", "/bankaccounts/{id}/matter-balances",
		func(b *models.MatterBalance) string { return b.Matter.TargetID() })
}

func bankAccountsListTransactions() *list[models.Transaction] {
	return paged("BankAccounts.ListTransactions", "BankAccounts.AllTransactions", "/bankaccounts/{bankAccountId}/transactions",
		func(t *models.Transaction) string { return t.ID })
}

// BankAccountsService reads the bank accounts of the firm and moves the money
// of its clients. Amounts are dollars.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/bankaccounts.md
type BankAccountsService service

// BankAccountListOptions narrow a list of bank accounts. The zero value lists
// all.
type BankAccountListOptions struct {
	Type     models.BankAccountType // if set, lists only accounts of this type
	MatterID string                 // if set, lists only accounts of this matter
}

func (o BankAccountListOptions) filter(c *call) {
	c.param("type", string(o.Type))
	c.param("matterId", o.MatterID)
}

// List returns the bank accounts of the firm with their balances. The service
// does not page them: Offset, Limit and Size of the page are usually absent. It
// answers 400 to an unsupported combination of options.
//   - API: GET /bankaccounts
func (s *BankAccountsService) List(ctx context.Context, options BankAccountListOptions, opts ...CallOption) (*Page[models.BankAccount], error) {
	return listUnpaged[models.BankAccount](s.client.call(ctx, bankAccountsList, opts), options)
}

// Get returns a bank account with its balances.
//   - API: GET /bankaccounts/{id}
func (s *BankAccountsService) Get(ctx context.Context, id string, opts ...CallOption) (*models.BankAccount, error) {
	return send[models.BankAccount](s.client.call(ctx, bankAccountsGet, opts).at(id))
}

// MatterBalanceListOptions narrow a list of balances of matters. The zero value
// lists all.
type MatterBalanceListOptions struct {
	ListOptions
	MatterID string // if set, lists only the balance of this matter
	// UpdatedSince lists balances changed at or after a time, to 100 ns. It is
	// sent as LastUpdated.
	UpdatedSince time.Time
}

func (o MatterBalanceListOptions) filter(c *call) {
	c.param("MatterId", o.MatterID)
	c.time(KindInstant, "LastUpdated", o.UpdatedSince)
}

// ListMatterBalances returns one page of the balances that matters have in an
// account.
//   - API: GET /bankaccounts/{id}/matter-balances
func (s *BankAccountsService) ListMatterBalances(ctx context.Context, id string, options MatterBalanceListOptions, opts ...CallOption) (*Page[models.MatterBalance], error) {
	return bankAccountsListMatterBalances().page(ctx, s.client, options, opts, id)
}

// AllMatterBalances yields all the balances that matters have in an account. It
// reads Limit records per page from Offset.
//   - API: GET /bankaccounts/{id}/matter-balances
func (s *BankAccountsService) AllMatterBalances(ctx context.Context, id string, options MatterBalanceListOptions, opts ...CallOption) iter.Seq2[models.MatterBalance, error] {
	return bankAccountsListMatterBalances().walk(ctx, s.client, options, opts, id)
}

// TransactionListOptions narrow a list of transactions. The zero value lists
// all.
type TransactionListOptions struct {
	ListOptions
	MatterID string // if set, lists only the transactions of this matter
	// UpdatedSince lists transactions changed at or after a time, to 100 ns. It
	// is sent as LastUpdated.
	UpdatedSince time.Time
}

func (o TransactionListOptions) filter(c *call) { MatterBalanceListOptions(o).filter(c) }

// ListTransactions returns one page of the transactions of an account. The
// interface declares a single transaction; a page, an array and one transaction
// are read alike.
//   - API: GET /bankaccounts/{bankAccountId}/transactions
func (s *BankAccountsService) ListTransactions(ctx context.Context, accountID string, options TransactionListOptions, opts ...CallOption) (*Page[models.Transaction], error) {
	return bankAccountsListTransactions().page(ctx, s.client, options, opts, accountID)
}

// AllTransactions yields all the transactions of an account. It reads Limit
// records per page from Offset.
//   - API: GET /bankaccounts/{bankAccountId}/transactions
func (s *BankAccountsService) AllTransactions(ctx context.Context, accountID string, options TransactionListOptions, opts ...CallOption) iter.Seq2[models.Transaction, error] {
	return bankAccountsListTransactions().walk(ctx, s.client, options, opts, accountID)
}

// GetTransaction returns a transaction of an account.
//   - API: GET /bankaccounts/{bankAccountId}/transactions/{id}
func (s *BankAccountsService) GetTransaction(ctx context.Context, accountID, id string, opts ...CallOption) (*models.Transaction, error) {
	return send[models.Transaction](s.client.call(ctx, bankAccountsGetTransaction, opts).at(accountID, id))
}

// CreateTransaction records a deposit on an account. The client never repeats
// it after a lost answer, because it would be recorded twice and nothing
// deletes it. FindCreatedTransaction looks for it then. It may fail after the
// service accepted it; only an `error` event reports that.
//   - API: POST /bankaccounts/{bankAccountId}/transactions, asynchronous
func (s *BankAccountsService) CreateTransaction(ctx context.Context, accountID string, deposit models.TransactionCreate, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, bankAccountsCreateTransaction, opts).at(accountID).with(&deposit))
}

// FindCreatedTransaction returns the transactions of an account that changed
// since a time and may be the one that CreateTransaction was to record: those
// of its matter, with the same amount and, where deposit has them, the same
// type, effective day (as written, or in UTC) and reference. A unique reference
// avoids other matches. See [ContactsService.FindCreated] for such methods.
func (s *BankAccountsService) FindCreatedTransaction(ctx context.Context, accountID string, deposit models.TransactionCreate, since time.Time, opts ...CallOption) ([]models.Transaction, error) {
	options := TransactionListOptions{MatterID: deposit.MatterID, UpdatedSince: since}
	return findCreated(ctx, s.client, "BankAccounts.FindCreatedTransaction", func(ctx context.Context) iter.Seq2[models.Transaction, error] {
		return s.AllTransactions(ctx, accountID, options, wholeLists(opts)...)
	}, func(t *models.Transaction) bool { return isDeposit(t, &deposit) })
}

// isDeposit reports whether t agrees with d in all members that the service
// does not change.
func isDeposit(t *models.Transaction, d *models.TransactionCreate) bool {
	return t.Amount.Equal(d.Amount) && sameIfGiven(d.Type, t.Type) && sameIfGiven(d.Reference, t.Reference) &&
		sameDayIfGiven(d.EffectiveDate, t.EffectiveDate)
}

// sameDayIfGiven reports whether two days are equal, as written or in UTC. The
// API does not document which of them the service keeps, and a missed deposit
// would be recorded twice.
func sameDayIfGiven(wrote, kept models.DateTime) bool {
	return sameIfGiven(writtenDay(wrote), writtenDay(kept)) ||
		sameIfGiven(models.DateOf(wrote.Time()), models.DateOf(kept.Time()))
}

func writtenDay(d models.DateTime) string {
	day, _, _ := strings.Cut(d.String(), "T")
	return day
}

// GetProtectedBalance returns a protection of funds. Its id is no UUID.
//   - API: GET /bankaccounts/{id}/protected-balances/{protectionId}
func (s *BankAccountsService) GetProtectedBalance(ctx context.Context, accountID, protectionID string, opts ...CallOption) (*models.ProtectedBalance, error) {
	return send[models.ProtectedBalance](s.client.call(ctx, bankAccountsGetProtectedBalance, opts).at(accountID, protectionID))
}

// ProtectFunds holds money of a matter back in a trust account. It moves no
// money, but makes it unavailable. The client never repeats it after a lost
// answer, because it would protect twice: the protected balance of the matter
// shows what became of it (ListMatterBalances).
//   - API: POST /bankaccounts/{id}/protect-funds, asynchronous
func (s *BankAccountsService) ProtectFunds(ctx context.Context, accountID string, protection models.ProtectFunds, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, bankAccountsProtectFunds, opts).at(accountID).with(&protection))
}

// UnprotectFunds ends a protection of funds as a whole and once: an amount,
// when given, must equal the protected one. The client never repeats it after a
// lost answer; GetProtectedBalance shows what became of it.
//   - API: POST /bankaccounts/{id}/unprotect-funds/{protectionId}, asynchronous
func (s *BankAccountsService) UnprotectFunds(ctx context.Context, accountID, protectionID string, amount models.UnprotectFunds, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, bankAccountsUnprotectFunds, opts).at(accountID, protectionID).with(&amount))
}

// CreateRequisition asks for a payment out of a trust account. It needs a user:
// client credentials alone get ErrForbidden. The requisition is approved at
// once when the account has no approvals or an owner of the firm asks; others
// wait for approval, and only these have an ID. The client never repeats it
// after a lost answer, because it would pay twice, and no operation reads a
// requisition again: FindCreatedTransaction with TransactionTypeVendorPayment,
// its amount and its reference finds a payment that was made, and only the firm
// can see one that waits for approval.
//   - API: POST /bankaccounts/{id}/requisitions, asynchronous
func (s *BankAccountsService) CreateRequisition(ctx context.Context, accountID string, requisition models.RequisitionCreate, opts ...CallOption) (*models.Requisition, error) {
	return send[models.Requisition](s.client.call(ctx, bankAccountsCreateRequisition, opts).at(accountID).with(&requisition))
}

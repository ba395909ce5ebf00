package testkit

import (
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// InBubble runs a test of an area in a synctest bubble, with a new small
// service and a client.
func InBubble(t *testing.T, test func(t *testing.T, server *practicetest.Server, client *practice.Client), opts ...practicetest.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, append([]practicetest.Option{practicetest.WithEvents(30), practicetest.WithMatters(3)}, opts...)...)
		test(t, server, server.Client(t))
	})
}

// Discard returns only the error of a call.
func Discard[T any](_ T, err error) error { return err }

// SomeTime is a time for requests whose time does not matter.
var SomeTime = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// SubscriptionOf returns a subscription to events of these types.
func SubscriptionOf(types ...models.EventType) models.WebhookSubscriptionWrite {
	return models.WebhookSubscriptionWrite{
		Name: "Matters", EventTypes: types, EventNotificationURL: "https://hooks.example.test/in",
		Key: models.Some(models.NewSecret("k-0123456789")),
	}
}

// RequireAddsUp checks that the balances of the bank are consistent with each
// other and with the transactions of the account.
func RequireAddsUp(t *testing.T, client *practice.Client, id string) *models.BankAccount {
	t.Helper()
	account, err := client.BankAccounts.Get(t.Context(), id)
	require.NoError(t, err)
	require.Nil(t, account.Audit())
	matters, moved := models.MustDecimal("0"), models.MustDecimal("0")
	for balance, err := range client.BankAccounts.AllMatterBalances(t.Context(), id, practice.MatterBalanceListOptions{}) {
		require.NoError(t, err)
		matters, err = matters.Add(balance.Balance)
		require.NoError(t, err)
	}
	for transaction, err := range client.BankAccounts.AllTransactions(t.Context(), id, practice.TransactionListOptions{}) {
		require.NoError(t, err)
		switch transaction.Type {
		case models.TransactionTypeVendorPayment, models.TransactionTypeDepositReversal:
			moved, err = moved.Sub(transaction.Amount)
		default:
			moved, err = moved.Add(transaction.Amount)
		}
		require.NoError(t, err)
	}
	require.True(t, matters.Equal(account.Balance), "matters hold %s, the account %s", matters, account.Balance)
	require.True(t, moved.Equal(account.Balance), "transactions come to %s, the account holds %s", moved, account.Balance)
	return account
}

// SomeID is an id for requests whose record is not looked up.
const SomeID = "b7a3c0de-0000-4000-8000-000000000001"

// Creates holds creates with and without a body, and a call with the method of
// a read that must be sent only once.
var Creates = map[string]func(context.Context, *practice.Client, ...practice.CallOption) error{
	"with a body": func(ctx context.Context, c *practice.Client, opts ...practice.CallOption) error {
		return Discard(c.Documents.CreateFolder(ctx, SomeID, models.FolderWrite{Name: "Leases"}, opts...))
	},
	"without a body": func(ctx context.Context, c *practice.Client, opts ...practice.CallOption) error {
		return c.Do(ctx, practice.Request{Method: http.MethodPost, Path: "/matters/{id}/archive", PathValues: []string{SomeID}}, nil, opts...)
	},
	"with a method that net/http repeats": func(ctx context.Context, c *practice.Client, opts ...practice.CallOption) error {
		return c.Do(ctx, practice.Request{Method: http.MethodGet, Path: "/matters/{id}/archive", PathValues: []string{SomeID}, Once: true}, nil, opts...)
	},
}

// FoldersNamed counts the folders of a name in the root folder of a matter.
func FoldersNamed(t *testing.T, client *practice.Client, matterID, name string) int {
	t.Helper()
	found := 0
	for entry, err := range client.Documents.AllEntries(t.Context(), matterID, "") {
		require.NoError(t, err)
		if entry.Folder != nil && entry.Folder.Name == name {
			found++
		}
	}
	return found
}

// Listless holds responses that contain no list, from a faulty service or one
// that writes lists differently.
var Listless = []string{
	"{}", `{"message":"maintenance"}`, `{"value":{}}`, `{"value":null,"size":3}`,
	`{"value":null,"size":-1}`, `{"value":null,"next":{"href":"?offset=9"}}`, `{"size":-1}`,
	`{"items":[{"id":"a"}]}`, `{"Value":[{"id":"a"}]}`, `{"data":[],"total":0}`, `{"next":{"href":"?offset=9"}}`, "\ufeff{}",
}

// NullLists holds responses with null in place of the list, which means an
// empty list. They do not contain their folder.
var NullLists = []string{`{"value":null}`, `{"value":null,"size":null}`, `{ "id" : "x", "value" : null , "next": {} }`}

// RequestsTo returns the requests to a part of the service.
func RequestsTo(server *practicetest.Server, part string) []practicetest.RecordedRequest {
	var found []practicetest.RecordedRequest
	for _, r := range server.Requests() {
		if r.Part == part {
			found = append(found, r)
		}
	}
	return found
}

// Inbox starts a server that acknowledges notifications, and returns its
// address.
func Inbox(t *testing.T, server *practicetest.Server) string {
	t.Helper()
	address, err := server.Mount(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	require.NoError(t, err)
	return address + "/hooks"
}

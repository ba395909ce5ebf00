package acceptance_test

import (
	"iter"
	"net/url"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestTheAmountsOfAWalkAreAddedUp(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		for _, amount := range []string{"0.10", "0.20", "1234.56"} {
			server.AddTransaction(f.BankAccountID, models.TransactionCreate{
				MatterID: f.MatterID, PayorID: f.ContactID, Amount: models.MustDecimal(amount), EffectiveDate: models.DateTimeOf(testkit.SomeTime),
			})
		}
		account, err := client.BankAccounts.Get(t.Context(), f.BankAccountID)
		require.NoError(t, err)
		one := practice.TransactionListOptions{ListOptions: practice.ListOptions{Limit: 2}}
		sum, err := practice.Sum(client.BankAccounts.AllTransactions(t.Context(), f.BankAccountID, one), func(m models.Transaction) models.Decimal { return m.Amount })
		require.NoError(t, err)
		assert.True(t, sum.Equal(account.Balance), "%s, not %s: nothing but deposits", sum, account.Balance)

		one.MatterID = testkit.UnknownID
		sum, err = practice.Sum(client.BankAccounts.AllTransactions(t.Context(), f.BankAccountID, one), func(m models.Transaction) models.Decimal { return m.Amount })
		require.NoError(t, err)
		assert.Equal(t, "0", sum.String())
	})
}

func TestASumThatWouldBeWrongIsAnError(t *testing.T) {
	t.Parallel()
	total := func(records ...string) (models.Decimal, error) {
		service := &testkit.Scripted{Pages: func(url.Values) string { return testkit.Page(records) }}
		walk := testkit.ScriptedClient(t, service).Fees.All(t.Context(), testkit.SomeID, practice.FeeListOptions{})
		return practice.Sum(walk, func(f models.Fee) models.Decimal { return f.Amount })
	}
	sum, err := total(`{"id":"f1","amount":1.10}`, `{"id":"f2","amount":2}`)
	require.NoError(t, err)
	assert.Equal(t, "3.10", sum.String())
	for name, record := range map[string]string{"unreadable": `{"id":"f2","amount":1e400}`, "absent": `{"id":"f2"}`} {
		sum, err = total(`{"id":"f1","amount":1.10}`, record, `{"id":"f3","amount":1}`)
		require.Error(t, err, name)
		assert.False(t, sum.IsPresent(), "%s: a part of it is no sum", name)
	}
}

func TestASumIsExact(t *testing.T) {
	t.Parallel()
	total := func(amounts ...models.Decimal) (models.Decimal, error) {
		return practice.Sum(yielding(amounts), func(d models.Decimal) models.Decimal { return d })
	}
	sum, err := total(slices.Repeat([]models.Decimal{models.MustDecimal("0.10")}, 1000)...)
	require.NoError(t, err)
	assert.Equal(t, "100.00", sum.String())
	sum, err = total()
	require.NoError(t, err)
	assert.Equal(t, "0", sum.String(), "the sum of none")
	_, err = total(models.MustDecimal("1"), models.Decimal{})
	require.ErrorIs(t, err, models.ErrDecimalAbsent)
	_, err = total(models.MustDecimal("1e300"), models.MustDecimal("0.01"))
	require.ErrorIs(t, err, models.ErrDecimalRange)

	cents := func(c models.Cents) models.Cents { return c }
	both, err := practice.Sum(yielding([]models.Cents{models.MustCents("10.9"), models.MustCents("5900")}), cents)
	require.NoError(t, err)
	assert.Equal(t, "5910.9", both.String())
	none, err := practice.Sum(yielding[models.Cents](nil), cents)
	require.NoError(t, err)
	assert.True(t, none.IsPresent())
}

// yielding returns an iterator over a slice.
func yielding[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
}

func TestWalksYieldEveryRecordInOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name            string
		events, limit   int
		prefetch, pages int
	}{
		{"one page", 5, 10, 1, 1},
		{"none", 0, 10, 1, 1},
		{"a full last page", 20, 10, 1, 2},
		{"one after another", 23, 5, 0, 5},
		{"one ahead", 23, 5, 1, 5},
		{"five in flight", 203, 5, 4, 41},
		{"more ahead than there are", 23, 5, 64, 5},
		{"the default page size", 1100, 0, 1, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t, practicetest.WithEvents(test.events))
				client := server.Client(t)
				options := practice.EventListOptions{ListOptions: practice.ListOptions{Limit: test.limit}, From: time.Unix(0, 0)}
				walked, err := practice.Collect(client.Events.All(t.Context(), options, practice.WithPrefetch(test.prefetch)))
				require.NoError(t, err)
				require.Len(t, walked, test.events)
				assert.Len(t, server.Requests(), test.pages, "no page is requested twice, and none beyond the last")
				assert.Equal(t, listAll(t, client, options), walked, "in the order of the service")
			})
		})
	}
}

// listAll reads the calendar page by page with List.
func listAll(t *testing.T, client *practice.Client, options practice.EventListOptions) []models.CalendarEvent {
	t.Helper()
	var all []models.CalendarEvent
	for {
		page, err := client.Events.List(t.Context(), options)
		require.NoError(t, err)
		all = append(all, page.Items...)
		options.Offset += len(page.Items)
		if len(page.Items) == 0 || len(all) >= page.Size.Or(0) {
			return all
		}
	}
}

func TestEveryWalk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithPromotions(12))
		client, firm := server.Client(t), server.Firm()
		promotions, err := practice.Collect(client.Subscriptions.AllPromotions(t.Context(), practice.PromotionListOptions{ListOptions: practice.ListOptions{Limit: 5}}))
		require.NoError(t, err)
		assert.Len(t, promotions, 12)
		hooks, err := practice.Collect(client.Webhooks.All(t.Context(), practice.WebhookSubscriptionListOptions{}))
		require.NoError(t, err)
		assert.Equal(t, firm.WebhookID, hooks[0].ID)
		relations, err := practice.Collect(client.Contacts.AllRelations(t.Context(), firm.ContactID, practice.ContactRelationListOptions{}))
		require.NoError(t, err)
		assert.NotEmpty(t, relations)
	})
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithPromotions(12), practicetest.WithBarePromotions(true))
		for _, limit := range []int{0, 5, 6, 12} {
			promotions, err := practice.Collect(server.Client(t).Subscriptions.AllPromotions(t.Context(), practice.PromotionListOptions{ListOptions: practice.ListOptions{Limit: limit}}))
			require.NoError(t, err, "limit %d", limit)
			assert.Len(t, promotions, 12, "a bare array says neither size nor next (limit %d)", limit)
		}
	})
}

package practice_test

import (
	"net/url"
	"testing"

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
			server.AddTransaction(f.BankAccountID, deposited(f, amount, "D-"+amount))
		}
		account, err := client.BankAccounts.Get(t.Context(), f.BankAccountID)
		require.NoError(t, err)
		one := practice.MatterMoneyOptions{ListOptions: practice.ListOptions{Limit: 2}}
		sum, err := practice.Sum(client.BankAccounts.AllTransactions(t.Context(), f.BankAccountID, one), func(m models.Transaction) models.Decimal { return m.Amount })
		require.NoError(t, err)
		assert.True(t, sum.Equal(account.Balance), "%s, not %s: nothing but deposits", sum, account.Balance)

		one.MatterID = unknownID
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

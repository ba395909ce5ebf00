package models_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

func TestAuditOfSamplesThatAddUp(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"responses/listBankAccounts.full.json", "responses/listBankAccounts.nulls.json"} {
		var accounts models.Collection[models.BankAccount]
		require.NoError(t, codec.Unmarshal(readSample(t, name), &accounts, models.Wire))
		require.NotEmpty(t, accounts.Items)
		for _, account := range accounts.Items {
			assert.Empty(t, account.Audit(), "%s %s", name, account.ID)
		}
	}
}

func TestAuditFindings(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		account string
		want    []string
	}{
		"an account without entries": {account: `{"balance":5}`},
		"float arithmetic would see a fault here": {
			account: `{"matterBalances":[{"matter":{"id":"m"},"balance":0.3,"protectedBalance":0.1,"availableBalance":0.20}],
				"contactBalances":[{"matter":{"id":"M"},"balance":0.1,"protectedBalance":0,"availableBalance":0.1},
				{"matter":{"href":"https://api.example.test/matters/m"},"balance":0.2,"protectedBalance":0,"availableBalance":0.2}]}`,
		},
		"one cent too much available": {
			account: `{"matterBalances":[{"balance":10.00,"protectedBalance":2.50,"availableBalance":7.51}]}`,
			want:    []string{"matterBalances[0]: the available balance is 7.51, but the balance minus the protected balance is 7.50"},
		},
		"a contact balance is checked as well": {
			account: `{"contactBalances":[{"balance":1,"protectedBalance":0,"availableBalance":1},{"balance":1,"protectedBalance":2,"availableBalance":1}]}`,
			want:    []string{"contactBalances[1]: the available balance is 1, but the balance minus the protected balance is -1"},
		},
		"the contacts of a matter do not add up": {
			account: `{"matterBalances":[{"matter":{"id":"m"},"balance":10,"protectedBalance":0,"availableBalance":10}],
				"contactBalances":[{"matter":{"id":"m"},"balance":4,"protectedBalance":0,"availableBalance":4},
				{"matter":{"id":"other"},"balance":6,"protectedBalance":0,"availableBalance":6}]}`,
			want: []string{"matterBalances[0]: the balance is 10, but the contact balances of the matter add up to 4"},
		},
		"a matter without contacts in an account with contacts": {
			account: `{"matterBalances":[{"matter":{"id":"m"},"balance":10,"protectedBalance":0,"availableBalance":10}],
				"contactBalances":[{"matter":{"id":"other"},"balance":6,"protectedBalance":0,"availableBalance":6}]}`,
			want: []string{"matterBalances[0]: the balance is 10, but the contact balances of the matter add up to 0"},
		},
		"without contact balances there is no sum to check": {
			account: `{"matterBalances":[{"matter":{"id":"m"},"balance":10,"protectedBalance":0,"availableBalance":10}]}`,
		},
		"an entry without a matter has no sum to check": {
			account: `{"matterBalances":[{"balance":10,"protectedBalance":0,"availableBalance":10}],
				"contactBalances":[{"matter":{"id":"m"},"balance":6,"protectedBalance":0,"availableBalance":6}]}`,
		},
		"an absent amount is not zero": {
			account: `{"matterBalances":[{"balance":10,"availableBalance":10},{"protectedBalance":0,"availableBalance":10},{"balance":1,"protectedBalance":0}]}`,
			want: []string{
				"matterBalances[0]: the balances cannot be checked because an amount is absent or too large",
				"matterBalances[1]: the balances cannot be checked because an amount is absent or too large",
				"matterBalances[2]: the balances cannot be checked because an amount is absent or too large",
			},
		},
		"an absent contact balance leaves the sum open": {
			account: `{"matterBalances":[{"matter":{"id":"m"},"balance":4,"protectedBalance":0,"availableBalance":4}],
				"contactBalances":[{"matter":{"id":"m"},"balance":4,"protectedBalance":0,"availableBalance":4},{"matter":{"id":"m"}}]}`,
			want: []string{
				"contactBalances[1]: the balances cannot be checked because an amount is absent or too large",
				"matterBalances[0]: the balances cannot be checked because an amount is absent or too large",
			},
		},
		"an amount that cannot be reckoned exactly": {
			account: `{"matterBalances":[{"balance":1e308,"protectedBalance":-0.01,"availableBalance":0}]}`,
			want:    []string{"matterBalances[0]: the balances cannot be checked because an amount is absent or too large"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var account models.BankAccount
			require.NoError(t, codec.Unmarshal([]byte(tt.account), &account, models.Wire))
			var got []string
			for _, fault := range account.Audit() {
				got = append(got, fault.String())
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestAuditFindingsNameTheirEntry(t *testing.T) {
	t.Parallel()
	var account models.BankAccount
	require.NoError(t, codec.Unmarshal([]byte(`{"contactBalances":[{"matter":{"id":"m"},"contact":{"id":"c"},
		"balance":3,"protectedBalance":1,"availableBalance":3.0}]}`), &account, models.Wire))
	assert.Equal(t, []models.BalanceFault{{
		Kind: models.BalanceFaultAvailable, List: "contactBalances", Index: 0,
		Matter: models.Link{ID: "m"}, Contact: models.Link{ID: "c"},
		Want: models.MustDecimal("2"), Got: models.MustDecimal("3.0"),
	}}, account.Audit())
}

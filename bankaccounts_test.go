package practice_test

import (
	"context"
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestBankAccountsHaveEveryFieldExactly(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		page, err := client.BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
		require.NoError(t, err)
		wire := wireTree(t, wireText(t, client, "/bankaccounts")).(map[string]any)["value"].([]any)
		require.Len(t, page.Items, len(wire))
		seen := map[models.BankAccountType]int{}
		for i, account := range page.Items {
			seen[account.Type]++
			assertRecord(t, wire[i], map[string]any{
				"id": account.ID, "href": account.Href, "relation": account.Relation, "method": account.Method, "self": account.Self,
				"type": account.Type, "status": account.Status, "matter": account.Matter,
				"accountType": account.AccountType, //nolint:staticcheck // deprecated, but read as long as the service sends it

				"accountName": account.AccountName, "accountNumber": account.AccountNumber, "bankName": account.BankName,
				"branchNumber": account.BranchNumber, "branchName": account.BranchName, "balance": account.Balance,
				"contactBalances": account.ContactBalances, "matterBalances": account.MatterBalances,
			})
			assert.Equal(t, account.Type == models.BankAccountControlledMoney, account.Matter.ID != "", "controlled money has a matter")
			assertBalances(t, wire[i].(map[string]any), account)
		}
		assert.Len(t, seen, 4, "every type occurs")
		assert.True(t, page.Size.IsZero() && page.Offset.IsZero() && page.Limit.IsZero(), "the list is not paged")
		assert.NotEmpty(t, page.Href)
	})
}

// assertBalances compares the digits of every amount with those of the wire.
func assertBalances(t *testing.T, wire map[string]any, account models.BankAccount) {
	t.Helper()
	assert.Equal(t, wire["balance"].(json.Number).String(), account.Balance.String())
	contacts, _ := wire["contactBalances"].([]any)
	require.Len(t, account.ContactBalances, len(contacts))
	for i, balance := range account.ContactBalances {
		assertRecord(t, contacts[i], map[string]any{
			"matter": balance.Matter, "contact": balance.Contact, "balance": balance.Balance, "protectedBalance": balance.ProtectedBalance,
			"availableBalance": balance.AvailableBalance, "lastUpdated": balance.LastUpdated,
		})
	}
	matters, _ := wire["matterBalances"].([]any)
	require.Len(t, account.MatterBalances, len(matters))
	for i, balance := range account.MatterBalances {
		assertRecord(t, matters[i], map[string]any{
			"matter": balance.Matter, "balance": balance.Balance, "protectedBalance": balance.ProtectedBalance,
			"availableBalance": balance.AvailableBalance, "unpresentedChequesBalance": balance.UnpresentedChequesBalance,
			"lastUpdated": balance.LastUpdated,
		})
	}
}

func TestTheBalancesOfTheFirmAddUp(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		page, err := client.BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
		require.NoError(t, err)
		for _, account := range page.Items {
			assert.Nil(t, account.Audit(), account.AccountName)
			if len(account.MatterBalances) == 0 {
				continue
			}
			sum := models.MustDecimal("0")
			for _, balance := range account.MatterBalances {
				sum, err = sum.Add(balance.Balance)
				require.NoError(t, err)
			}
			assert.True(t, sum.Equal(account.Balance), "%s: %s, not %s", account.AccountName, sum, account.Balance)
		}
	}, practicetest.WithMatters(12))
}

func TestBankAccountsAreFilteredByTypeAndMatter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		options func(practicetest.Firm) practice.BankAccountListOptions
		query   string // M stands for the matter
		types   []models.BankAccountType
	}{
		{
			"nothing lists all", func(practicetest.Firm) practice.BankAccountListOptions { return practice.BankAccountListOptions{} }, "",
			[]models.BankAccountType{
				models.BankAccountOperating, models.BankAccountOperating, models.BankAccountTrust, models.BankAccountCredit,
				models.BankAccountControlledMoney, models.BankAccountControlledMoney,
			},
		},
		{
			"a type", func(practicetest.Firm) practice.BankAccountListOptions {
				return practice.BankAccountListOptions{Type: models.BankAccountCredit}
			}, "type=Credit",
			[]models.BankAccountType{models.BankAccountCredit},
		},
		{
			"a matter", func(f practicetest.Firm) practice.BankAccountListOptions {
				return practice.BankAccountListOptions{MatterID: f.MatterID}
			}, "matterId=M",
			[]models.BankAccountType{models.BankAccountTrust, models.BankAccountControlledMoney},
		},
		{
			"both", func(f practicetest.Firm) practice.BankAccountListOptions {
				return practice.BankAccountListOptions{Type: models.BankAccountControlledMoney, MatterID: f.MatterID}
			}, "matterId=M&type=ControlledMoney",
			[]models.BankAccountType{models.BankAccountControlledMoney},
		},
		{
			"a matter without money", func(practicetest.Firm) practice.BankAccountListOptions {
				return practice.BankAccountListOptions{MatterID: unknownID}
			}, "matterId=" + unknownID, nil,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				page, err := client.BankAccounts.List(t.Context(), test.options(server.Firm()))
				require.NoError(t, err)
				var types []models.BankAccountType
				for _, account := range page.Items {
					types = append(types, account.Type)
				}
				assert.ElementsMatch(t, test.types, types)
				assertSent(t, server, "GET", "/bankaccounts", withMatter(test.query, server.Firm()))
			})
		})
	}
}

func TestRefusalsOfBankAccounts(t *testing.T) {
	t.Parallel()
	testRefusals(t, "BankAccounts.List", refusal{
		rule: "a type that there is not", want: practice.ErrBadRequest,
		fields: []string{`type: must be one of Operating, Trust, Credit, ControlledMoney, not "Savings"`},
		call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return discard(c.BankAccounts.List(ctx, practice.BankAccountListOptions{Type: "Savings"}))
		},
	})
}

// An amount that a binary fraction cannot hold keeps every digit, and a
// missing one is not zero.
func TestAmountsKeepTheirDigits(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]string{
		`{"balance":90071992547409.93}`:    "90071992547409.93",
		`{"balance":1.10}`:                 "1.10",
		`{"balance":0.1}`:                  "0.1",
		`{"balance":12345678901234567.89}`: "12345678901234567.89",
		`{"balance":null}`:                 "",
		`{}`:                               "",
	} {
		service := &scripted{pages: func(url.Values) string { return page([]string{wire}) }}
		listed, err := scriptedClient(t, service).BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
		require.NoError(t, err)
		assert.Equal(t, want, listed.Items[0].Balance.String(), wire)
		assert.Equal(t, want != "", listed.Items[0].Balance.IsPresent(), wire)
	}
	service := &scripted{pages: func(url.Values) string {
		return page([]string{`{"id":"a1","balance":1e400}`, `{"id":"a2","balance":1}`})
	}}
	listed, err := scriptedClient(t, service).BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
	require.Error(t, err, "an amount that cannot be held is never rounded")
	require.Len(t, listed.Items, 1)
	assert.Equal(t, "a2", listed.Items[0].ID)
}

package practicetest_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// exactly converts a JSON number without rounding.
func exactly(t *testing.T, v any) *big.Rat {
	t.Helper()
	n, isNumber := v.(json.Number)
	require.True(t, isNumber, "%v", v)
	r, valid := new(big.Rat).SetString(string(n))
	require.True(t, valid, n)
	return r
}

func TestBalancesAddUpExactly(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		s := practicetest.New(t, practicetest.WithSeed(seed), practicetest.WithMatters(17), practicetest.WithRendering(practicetest.Rendering{}))
		kinds := map[string]int{}
		for _, item := range call(t, s).get("/bankaccounts").list("value") {
			account := item.(map[string]any)
			kinds[account["type"].(string)]++
			assert.Contains(t, []any{json.Number("0"), json.Number("1")}, account["status"])
			perMatter, total := map[string]*big.Rat{}, new(big.Rat)
			contacts, _ := account["contactBalances"].([]any)
			for _, entry := range contacts {
				line := entry.(map[string]any)
				matter := line["matter"].(map[string]any)["id"].(string)
				if perMatter[matter] == nil {
					perMatter[matter] = new(big.Rat)
				}
				perMatter[matter].Add(perMatter[matter], available(t, line))
			}
			matters, held := account["matterBalances"].([]any)
			for _, entry := range matters {
				line := entry.(map[string]any)
				balance := available(t, line)
				total.Add(total, balance)
				assert.NotNil(t, line["unpresentedChequesBalance"])
				if contacts != nil {
					sum := perMatter[line["matter"].(map[string]any)["id"].(string)]
					assert.Zero(t, balance.Cmp(sum), "a matter holds what its contacts hold")
				}
			}
			if held {
				assert.Zero(t, total.Cmp(exactly(t, account["balance"])), "an account holds what its matters hold")
			}
			assert.Equal(t, account["type"] == "ControlledMoney", account["matter"] != nil)
		}
		assert.Equal(t, map[string]int{"Operating": 2, "Trust": 1, "Credit": 1, "ControlledMoney": 2}, kinds)
	}
}

func TestAnAccountThatIsAddedHoldsItsTransactions(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	matter := s.Firm().MatterIDs[1]
	id := s.AddBankAccount(models.BankAccount{
		Type: models.BankAccountTypeTrust, AccountName: "Second trust account", Balance: models.MustDecimal("7"),
	})
	account := call(t, s).get("/bankaccounts/" + id).want(200)
	assert.Equal(t, "Second trust account", account.text("accountName"))
	assert.Equal(t, json.Number("0.00"), account.at("balance"), "nobody has put money in")
	made := s.AddTransaction(id, models.TransactionCreate{
		MatterID: matter, Type: models.TransactionTypeDeposit, Amount: models.MustDecimal("120.05"), Reference: "R-1",
	})
	assert.NotEmpty(t, made)
	account = call(t, s).get("/bankaccounts/" + id).want(200)
	assert.Equal(t, json.Number("120.05"), account.at("balance"))
	assert.Equal(t, []string{"Trust account", "Second trust account"},
		call(t, s).get("/bankaccounts?type=Trust&matterId="+matter).texts("accountName", "value"))
	held, _ := s.BankAccount(id)
	assert.Equal(t, "Second trust account", held.AccountName)
}

// available checks that the available balance is the balance minus the
// protected amount. It returns the balance.
func available(t *testing.T, line map[string]any) (balance *big.Rat) {
	t.Helper()
	balance = exactly(t, line["balance"])
	free := new(big.Rat).Sub(balance, exactly(t, line["protectedBalance"]))
	assert.Zero(t, free.Cmp(exactly(t, line["availableBalance"])))
	return balance
}

// TestADepositOfClientMoneyNamesItsMatter deposits money without a matter in an
// account of each type. An account that holds money for clients refuses it; one
// with the firm's own money accepts it.
func TestADepositOfClientMoneyNamesItsMatter(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	c, seen := call(t, s), map[string]bool{}
	for _, item := range c.get("/bankaccounts").list("value") {
		account := item.(map[string]any)
		kind := account["type"].(string)
		if seen[kind] || account["status"] != json.Number("0") {
			continue
		}
		seen[kind] = true
		got := c.do("POST", "/bankaccounts/"+account["id"].(string)+"/transactions", `{"amount":10.50,"reference":"R-1"}`)
		if kind == "Trust" || kind == "ControlledMoney" {
			assert.Contains(t, got.want(400).Body, "matterId", kind)
		} else {
			got.want(202)
		}
	}
	assert.Contains(t, seen, "Trust")
	assert.Contains(t, seen, "Operating")
}

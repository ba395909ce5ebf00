package practicetest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

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

// TestADepositOfClientMoneyNamesItsMatter deposits money without a matter in an
// account of each type. An account that holds money for clients refuses it; one
// with the firm's own money accepts it.
func TestADepositOfClientMoneyNamesItsMatter(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	c, seen := call(t, s), map[string]any{}
	for _, item := range c.get("/bankaccounts").list("value") {
		account := item.(map[string]any)
		kind := account["type"].(string)
		if seen[kind] != nil || account["status"] != json.Number("0") {
			continue
		}
		seen[kind] = account["accountType"]
		got := c.do("POST", "/bankaccounts/"+account["id"].(string)+"/transactions", `{"amount":10.50,"reference":"R-1"}`)
		if kind == "Trust" || kind == "ControlledMoney" {
			assert.Contains(t, got.want(400).Body, "matterId", kind)
		} else {
			got.want(202)
		}
	}
	assert.Equal(t, map[string]any{
		"Operating": json.Number("0"), "Trust": json.Number("1"), "Credit": json.Number("2"), "ControlledMoney": json.Number("3"),
	}, seen)
}

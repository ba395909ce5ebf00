package practicetest_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// exactly reads a number of the wire without rounding.
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
		s := practicetest.New(t, practicetest.WithSeed(seed), practicetest.WithMatters(17))
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

// available checks that what is available is what is not protected.
func available(t *testing.T, line map[string]any) (balance *big.Rat) {
	t.Helper()
	balance = exactly(t, line["balance"])
	free := new(big.Rat).Sub(balance, exactly(t, line["protectedBalance"]))
	assert.Zero(t, free.Cmp(exactly(t, line["availableBalance"])))
	return balance
}

func TestBankAccountsByTypeAndMatter(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	for kind, n := range map[string]int{"Operating": 2, "Trust": 1, "Credit": 1, "ControlledMoney": 2} {
		assert.Len(t, call(t, s).get("/bankaccounts?type="+kind).want(200).list("value"), n)
	}
	problem := call(t, s).get("/bankaccounts?type=Savings").want(400)
	assert.Contains(t, problem.text("detail"), "Unsupported request")
	assert.Equal(t, "/practice/v1/bankaccounts", problem.text("instance"))
	of := func(matter int) []string {
		return call(t, s).get("/bankaccounts?matterId="+s.Firm().MatterIDs[matter]).texts("type", "value")
	}
	assert.Equal(t, []string{"Trust", "ControlledMoney"}, of(0))
	assert.Equal(t, []string{"Trust"}, of(5))
}

func TestAFeeIsMerged(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	f := s.Firm()
	path := "/matters/" + f.MatterID + "/fees/" + f.FeeID
	before := call(t, s).get(path).want(200)
	patch := func(body string) answer {
		t.Helper()
		link := call(t, s).do("PATCH", path, body).want(202)
		assert.Equal(t, []any{f.FeeID, s.BaseURL() + path, "Fees"}, []any{link.at("id"), link.at("href"), link.at("relation")})
		return call(t, s).get(path).want(200)
	}
	after := patch(`{"description":null}`)
	for name, value := range before.json().(map[string]any) {
		if name != "description" && name != "versionId" && name != "lastUpdatedByUserId" {
			assert.Equal(t, value, after.at(name), "what was not sent stays: %s", name)
		}
	}
	assert.Nil(t, after.at("description"))
	assert.NotEqual(t, before.at("versionId"), after.at("versionId"))
	assert.Equal(t, s.Credentials().UserID, after.at("lastUpdatedByUserId"))

	number := func(text string) json.Number { return json.Number(text) }
	a := patch(`{"feeType":1,"rate":350.50,"duration":90,"tax":47.80,"updatedByUserId":"` + f.UserID + `"}`)
	assert.Equal(t, []any{number("525.75"), number("525.75"), number("573.55"), number("350.50")},
		[]any{a.at("amount"), a.at("amountExcTax"), a.at("amountIncTax"), a.at("rate")})
	assert.Equal(t, f.UserID, a.at("lastUpdatedByUserId"))
	a = patch(`{"taxInclusive":true}`)
	assert.Equal(t, []any{number("477.95"), number("525.75")}, []any{a.at("amountExcTax"), a.at("amountIncTax")})
	a = patch(`{"taxExempt":true}`)
	assert.Equal(t, []any{number("0"), number("525.75")}, []any{a.at("tax"), a.at("amountExcTax")})
	a = patch(`{"feeType":0,"taxExempt":false,"tax":null,"staffId":"` + f.StaffIDs[3] + `","createdFromActivityId":"` + f.FeeID + `"}`)
	assert.Equal(t, []any{number("350.50"), f.StaffIDs[3], f.StaffIDs[3], nil},
		[]any{a.at("amount"), a.at("staffId"), a.at("staff", "id"), a.at("createdFromActivityId")})

	a = patch(`{"sourceItems":[{"description":"Call","duration":10,"isBillable":true},{"description":null,"duration":50}]}`)
	assert.Equal(t, "Call", a.text("sourceItems", 0, "description"))
	assert.Equal(t, a.text("sourceItems", 1, "id"), call(t, s).get(path).text("sourceItems", 1, "id"))
	assert.Empty(t, patch(`{"sourceItems":[]}`).list("sourceItems"))

	call(t, s).do("PATCH", path, `{"taxExempt":true,"taxOutOfScope":true}`).want(400)
	call(t, s).do("PATCH", path, `{"isBillable":false,"isWrittenOff":true}`).want(400)
	patch(`{"isBillable":true,"isWrittenOff":true}`)
}

func TestAnExpenseAddsUp(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	a := call(t, s).get("/matters/" + s.Firm().MatterID + "/expenses/" + s.Firm().ExpenseID).want(200)
	amount := new(big.Rat).Mul(exactly(t, a.at("price")), exactly(t, a.at("quantity")))
	assert.Zero(t, amount.Cmp(exactly(t, a.at("amountIncTax"))))
	net := new(big.Rat).Sub(amount, exactly(t, a.at("tax")))
	assert.Zero(t, net.Cmp(exactly(t, a.at("amountExcTax"))))
	assert.Regexp(t, `^\d{4}-\d\d-\d\d$`, a.at("expenseDate"))
}

func TestSeedsAreDeterministic(t *testing.T) {
	t.Parallel()
	everything := func(seed uint64, opts ...practicetest.Option) string {
		s := practicetest.New(t, append(opts, practicetest.WithClock(start), practicetest.WithSeed(seed))...)
		f, text := s.Firm(), fmt.Sprint(s.Firm(), s.Credentials())
		for _, path := range []string{
			"/bankaccounts", "/events?From=2025-01-01T00:00:00", "/matters/" + f.MatterID + "/documents/folders/" + f.FolderID,
			"/matters/" + f.MatterID + "/fees/" + f.FeeID, "/staff/" + f.StaffID, "/contacts/" + f.ContactID + "/tags",
			"/policies/" + f.PolicyReference, "/subscriptions/" + f.SubscriptionID, "/subscriptions/promotions", "/webhooks",
		} {
			text += call(t, s).get(path).want(200).Body
		}
		return text
	}
	one, again := everything(1), everything(1)
	assert.Equal(t, one, again)
	assert.NotEqual(t, one, everything(2))
	few, many := practicetest.New(t, practicetest.WithEvents(1)), practicetest.New(t, practicetest.WithEvents(900))
	assert.Equal(t, few.Firm(), many.Firm(), "the number of events changes no identifier")
}

package practicetest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

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
	a := patch(`{"feeType":1,"rate":350.50,"duration":90,"tax":47.80,"updatedByUserId":"` + s.Credentials().UserID + `"}`)
	assert.Equal(t, []any{number("525.75"), number("525.75"), number("573.55"), number("350.50")},
		[]any{a.at("amount"), a.at("amountExcTax"), a.at("amountIncTax"), a.at("rate")})
	assert.Equal(t, s.Credentials().UserID, a.at("lastUpdatedByUserId"))
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

	call(t, s).mistake("PATCH", path, `{"taxExempt":true,"taxOutOfScope":true}`)
	call(t, s).mistake("PATCH", path, `{"isBillable":false,"isWrittenOff":true}`)
	patch(`{"isBillable":true,"isWrittenOff":true}`)
}

// TestAnAmountBeyondExactNumbersIsRefused sends numbers that are valid
// individually, but whose product exceeds the range of exact numbers.
func TestAnAmountBeyondExactNumbersIsRefused(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	c, f := call(t, s), s.Firm()
	fee, expense := "/matters/"+f.MatterID+"/fees/"+f.FeeID, "/matters/"+f.MatterID+"/expenses/"+f.ExpenseID
	before := c.get(fee).want(200).Body
	for _, body := range []string{
		`{"feeType":1,"rate":1e18,"duration":600}`, `{"feeType":1,"rate":-1e18,"duration":600}`, `{"feeType":1,"rate":100,"duration":9223372036854775807}`,
		`{"sourceItems":[{"duration":9223372036854775807,"isBillable":true},{"duration":9223372036854775807,"isBillable":true}]}`,
		`{"feeType":0,"rate":9e18,"tax":9e18}`, `{"feeType":0,"rate":-9e18,"tax":9e18,"taxInclusive":true}`,
	} {
		s.Tolerate(func() {
			assert.Contains(t, c.do("PATCH", fee, body).want(400).Body, "results in an amount that is too large", body)
		})
	}
	assert.Equal(t, before, c.get(fee).Body)
	s.Tolerate(func() {
		body := `{"subject":"s","expenseDate":"2026-03-02","staffId":"` + f.StaffID + `","price":1e16,"quantity":1e16}`
		assert.Contains(t, c.do("PUT", expense, body).want(400).Body, "results in an amount that is too large")
	})
	c.do("PATCH", fee, `{"feeType":1,"rate":1e15,"duration":600,"tax":0}`).want(202)
	assert.Equal(t, json.Number("10000000000000000.00"), c.get(fee).at("amount"))
}

package practicetest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestAFeeThatBecomesFreeOfTaxHasNone(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	c, fee := call(t, s), "/matters/"+s.Firm().MatterID+"/fees/"+s.Firm().FeeID
	c.do("PATCH", fee, `{"tax":47.80}`).want(202)
	assert.Equal(t, json.Number("47.80"), c.get(fee).at("tax"))
	c.do("PATCH", fee, `{"taxExempt":true}`).want(202)
	assert.Equal(t, json.Number("0"), c.get(fee).at("tax"))
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

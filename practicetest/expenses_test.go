package practicetest_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

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

package models_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestATransactionHasTheSignOfItsType(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		kind         models.TransactionType
		amount, want string // no want: the sign is unknown
	}{
		"a deposit comes in":                                {models.TransactionTypeDeposit, "10.50", "10.50"},
		"a deposit that is reversed goes out":               {models.TransactionTypeDepositReversal, "10.50", "-10.50"},
		"a payment of an invoice goes out":                  {models.TransactionTypeInvoicePayment, "10.50", "-10.50"},
		"a payment of an invoice that is reversed comes in": {models.TransactionTypeInvoicePaymentReversal, "10.50", "10.50"},
		"a payment of a supplier goes out":                  {models.TransactionTypeVendorPayment, "10.50", "-10.50"},
		"a payment of a supplier that is reversed comes in": {models.TransactionTypeVendorPaymentReversal, "10.50", "10.50"},
		"fees of the bank go out":                           {models.TransactionTypeBankFees, "10.50", "-10.50"},
		"fees of the bank that are reversed come in":        {models.TransactionTypeBankFeesReversal, "10.50", "10.50"},
		"interest comes in":                                 {models.TransactionTypeInterest, "10.50", "10.50"},
		"interest that is reversed goes out":                {models.TransactionTypeInterestReversal, "10.50", "-10.50"},
		"nothing is nothing":                                {models.TransactionTypeDeposit, "0", "0"},
		"an amount that has its sign keeps it":              {models.TransactionTypeDepositReversal, "-10.50", "-10.50"},
		"a deposit below 0 is unknown":                      {models.TransactionTypeDeposit, "-10.50", ""},
		"a transfer goes either way":                        {models.TransactionTypeTransfer, "10.50", ""},
		"a type of a later service is unknown":              {"Adjustment", "10.50", ""},
		"no type is unknown":                                {"", "10.50", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := models.Transaction{ID: "t", Type: row.kind, Amount: models.MustDecimal(row.amount)}.Signed()
			if row.want == "" {
				require.ErrorIs(t, err, models.ErrSign)
				assert.True(t, got.IsZero(), "there is no value beside the error")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, row.want, got.String())
		})
	}
	_, err := models.Transaction{Type: models.TransactionTypeDeposit}.Signed()
	require.ErrorContains(t, err, "no amount")
}

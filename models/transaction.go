package models

import (
	"errors"
	"fmt"
)

// ErrSign reports a transaction of which it is not known whether it increases
// or decreases the balance of its account.
var ErrSign = errors.New("models: the API description does not say whether the transaction adds or removes money")

// Signed returns the amount that a transaction adds to the balance of its bank
// account, in dollars: positive for money in, negative for money out. Amount
// has no sign of its own, so add Signed to sum up a ledger.
//
//   - Deposit and Interest bring money in.
//   - InvoicePayment, VendorPayment and BankFees take money out: invoices are
//     paid from money that is held for a client.
//   - A reversal has the opposite sign: DepositReversal and InterestReversal
//     take money out, InvoicePaymentReversal, VendorPaymentReversal and
//     BankFeesReversal bring it in. The reversed transaction does not change,
//     so the sum of both is 0.
//
// It returns an error that wraps ErrSign for a Transfer, whose direction is not
// published, for a type without a constant, and for a negative Amount of a
// transaction that brings money in. A negative Amount of one that takes money
// out is returned unchanged. An absent Amount is also an error.
func (x Transaction) Signed() (Decimal, error) {
	in := false // Assumed: the sign of a transaction
	switch x.Type {
	case TransactionTypeDeposit, TransactionTypeInterest,
		TransactionTypeInvoicePaymentReversal, TransactionTypeVendorPaymentReversal, TransactionTypeBankFeesReversal:
		in = true
	case TransactionTypeInvoicePayment, TransactionTypeVendorPayment, TransactionTypeBankFees,
		TransactionTypeDepositReversal, TransactionTypeInterestReversal:
	default:
		return Decimal{}, fmt.Errorf("%w: transaction %q of type %q", ErrSign, x.ID, x.Type)
	}
	switch negative := x.Amount.Sign() < 0; {
	case x.Amount.IsZero():
		return Decimal{}, fmt.Errorf("models: transaction %q has no amount", x.ID)
	case in && negative:
		return Decimal{}, fmt.Errorf("%w: transaction %q of type %q has the amount %s", ErrSign, x.ID, x.Type, x.Amount)
	case in || negative:
		return x.Amount, nil
	}
	return x.Amount.Neg(), nil
}

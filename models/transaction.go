package models

import (
	"errors"
	"fmt"
)

// ErrSign reports a transaction that may add to the balance of its account or
// take from it.
var ErrSign = errors.New("models: it is not published whether the transaction adds or takes money")

// Signed returns what a transaction adds to the balance of its bank account, in
// dollars: more than 0 for money that comes in, less for money that goes out.
// Amount has no sign of its own, so the sums of a ledger are sums of Signed.
//
//   - Deposit and Interest bring money in.
//   - InvoicePayment, VendorPayment and BankFees take money out: invoices are
//     paid from the money that is held for a client.
//   - A reversal takes back what it reverses: DepositReversal and
//     InterestReversal take money out, InvoicePaymentReversal,
//     VendorPaymentReversal and BankFeesReversal bring it in. The reversed
//     transaction stays as it was, so the pair comes to 0.
//
// It returns an error that wraps ErrSign for a Transfer, whose direction is not
// published, for a type without a constant, and for an Amount below 0 of a
// transaction that brings money in. An Amount below 0 of one that takes money
// out is returned as it is. It returns an error for an absent Amount, too.
func (x Transaction) Signed() (Decimal, error) {
	in := false
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

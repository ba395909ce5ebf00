package models

import "iter"

// Sum adds up amounts, all of them dollars or all of them cents, exactly;
// slices.Values makes an argument of a slice. The sum of none is 0. An absent
// amount, which is not zero, is ErrDecimalAbsent; a sum that cannot be held is
// ErrDecimalRange.
func Sum[A interface {
	Decimal | Cents
	Add(A) (A, error)
}](amounts iter.Seq[A]) (A, error) {
	var sum, none A
	switch zero := any(&sum).(type) {
	case *Decimal:
		*zero = MustDecimal("0")
	case *Cents:
		*zero = MustCents("0")
	}
	for amount := range amounts {
		var err error
		if sum, err = sum.Add(amount); err != nil {
			return none, err
		}
	}
	return sum, nil
}

package models

import "github.com/govalues/decimal"

// Add returns the exact sum, with the digits after the point of the longer operand. It is ErrDecimalAbsent when an
// operand is absent and ErrDecimalRange when the sum cannot be held.
func (d Decimal) Add(e Decimal) (Decimal, error) {
	return exact(d, e, max(d.number.Scale(), e.number.Scale()), decimal.Decimal.AddExact)
}

// Sub returns the exact difference d - e, with the digits after the point of the longer operand. It is
// ErrDecimalAbsent when an operand is absent and ErrDecimalRange when the difference cannot be held.
func (d Decimal) Sub(e Decimal) (Decimal, error) {
	return exact(d, e, max(d.number.Scale(), e.number.Scale()), decimal.Decimal.SubExact)
}

// Mul returns the exact product, with the digits after the point of both operands together. It is ErrDecimalAbsent
// when an operand is absent and ErrDecimalRange when the product cannot be held; [Decimal.Round] the operands to
// keep it short.
func (d Decimal) Mul(e Decimal) (Decimal, error) {
	return exact(d, e, d.number.Scale()+e.number.Scale(), decimal.Decimal.MulExact)
}

// Neg returns the amount with the other sign. An absent amount stays absent.
func (d Decimal) Neg() Decimal {
	return Decimal{number: d.number.Neg(), present: d.present}
}

// Round returns the amount with at most scale digits after the point, a half rounded to the even neighbour. An amount
// that is shorter already, or absent, is given back as it is; a negative scale counts as 0.
func (d Decimal) Round(scale int) Decimal {
	return Decimal{number: d.number.Round(scale), present: d.present}
}

// exact does a calculation whose result needs scale digits after the point, and refuses to lose any of them.
func exact(d, e Decimal, scale int, op func(a, b decimal.Decimal, scale int) (decimal.Decimal, error)) (Decimal, error) {
	if !d.present || !e.present {
		return Decimal{}, ErrDecimalAbsent
	}
	number, err := op(d.number, e.number, scale)
	if err != nil {
		return Decimal{}, ErrDecimalRange
	}
	return Decimal{number: number, present: true}, nil
}

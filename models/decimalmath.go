package models

import (
	"math/big"

	"github.com/govalues/decimal"
)

// Add returns the exact sum. It has as many digits after the decimal point as
// the longer operand, unless that many zeros do not fit. The error is
// ErrDecimalAbsent if an operand is absent and ErrDecimalRange if the sum is
// out of range.
func (d Decimal) Add(e Decimal) (Decimal, error) {
	return exact(d, e, max(d.number.Scale(), e.number.Scale()), decimal.Decimal.AddExact, func(a, b wide) wide {
		x, y, scale := aligned(a, b)
		return wide{x.Add(x, y), scale}
	})
}

// Sub returns the exact difference d - e. It has as many digits after the
// decimal point as the longer operand, unless that many zeros do not fit. The
// error is ErrDecimalAbsent if an operand is absent and ErrDecimalRange if the
// difference is out of range.
func (d Decimal) Sub(e Decimal) (Decimal, error) {
	return exact(d, e, max(d.number.Scale(), e.number.Scale()), decimal.Decimal.SubExact, func(a, b wide) wide {
		x, y, scale := aligned(a, b)
		return wide{x.Sub(x, y), scale}
	})
}

// Mul returns the exact product. It has as many digits after the decimal point
// as both operands together, unless that many zeros do not fit. The error is
// ErrDecimalAbsent if an operand is absent and ErrDecimalRange if the product
// is out of range; use [Decimal.Round] on the operands to keep it short.
func (d Decimal) Mul(e Decimal) (Decimal, error) {
	return exact(d, e, d.number.Scale()+e.number.Scale(), decimal.Decimal.MulExact, func(a, b wide) wide {
		return wide{new(big.Int).Mul(a.coef, b.coef), a.scale + b.scale}
	})
}

// Neg returns the negated amount. An absent amount remains absent.
func (d Decimal) Neg() Decimal {
	if !d.isWide() {
		return Decimal{number: d.number.Neg(), kind: d.kind}
	}
	w := d.wide()
	negated, _ := wide{new(big.Int).Neg(w.coef), w.scale}.decimal() // never fails: as many digits as d
	return negated
}

// Round returns the amount with at most scale digits after the decimal point,
// rounded half to even: 2.345 with two digits is 2.34. It returns an amount
// that is already shorter, or absent, unchanged. A negative scale counts as 0.
func (d Decimal) Round(scale int) Decimal {
	if !d.isWide() {
		return Decimal{number: d.number.Round(scale), kind: d.kind}
	}
	return d.round(scale, halfEven)
}

// RoundHalfUp is like [Decimal.Round], but rounds a half away from zero, as
// invoices usually do: 2.345 with two digits is 2.35, and -2.345 is -2.35.
func (d Decimal) RoundHalfUp(scale int) Decimal {
	if d.IsAbsent() {
		return d
	}
	return d.round(scale, halfUp)
}

func (d Decimal) round(scale int, divide func(coef, by *big.Int) *big.Int) Decimal {
	w := d.wide()
	scale = max(scale, 0)
	if w.scale <= scale {
		return d
	}
	rounded, _ := wide{divide(w.coef, powerOfTen(w.scale-scale)), scale}.decimal() // never fails: no more digits than d
	return rounded
}

// halfEven divides and rounds to the nearest integer, half to even.
func halfEven(coef, by *big.Int) *big.Int {
	quotient, half := divided(coef, by)
	if half > 0 || half == 0 && quotient.Bit(0) == 1 {
		quotient.Add(quotient, big.NewInt(int64(coef.Sign())))
	}
	return quotient
}

// halfUp divides and rounds to the nearest integer, half away from zero.
func halfUp(coef, by *big.Int) *big.Int {
	quotient, half := divided(coef, by)
	if half >= 0 {
		quotient.Add(quotient, big.NewInt(int64(coef.Sign())))
	}
	return quotient
}

// divided returns the quotient, truncated, and how the rest compares with half
// of the divisor.
func divided(coef, by *big.Int) (quotient *big.Int, half int) {
	quotient, rest := new(big.Int).QuoRem(coef, by, new(big.Int))
	return quotient, rest.Abs(rest).Lsh(rest, 1).CmpAbs(by)
}

// exact calculates a result that needs scale digits after the decimal point. It
// uses the decimal library if operands and result fit, otherwise big integers.
// It returns an error instead of losing a digit.
func exact(d, e Decimal, scale int, op func(a, b decimal.Decimal, scale int) (decimal.Decimal, error), wideOp func(a, b wide) wide) (Decimal, error) {
	if d.IsAbsent() || e.IsAbsent() {
		return Decimal{}, ErrDecimalAbsent
	}
	if d.kind == ordinary && e.kind == ordinary {
		if number, err := op(d.number, e.number, scale); err == nil {
			return Decimal{number: number, kind: ordinary}, nil
		}
	}
	return wideOp(d.wide(), e.wide()).decimal()
}

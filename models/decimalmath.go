package models

import (
	"math/big"

	"github.com/govalues/decimal"
)

// Add returns the exact sum, with the digits after the point of the longer
// operand unless so many zeros cannot be held. It is ErrDecimalAbsent when an
// operand is absent and ErrDecimalRange when the sum cannot be held.
func (d Decimal) Add(e Decimal) (Decimal, error) {
	return exact(d, e, max(d.number.Scale(), e.number.Scale()), decimal.Decimal.AddExact, func(a, b wide) wide {
		x, y, scale := aligned(a, b)
		return wide{x.Add(x, y), scale}
	})
}

// Sub returns the exact difference d - e, with the digits after the point of
// the longer operand unless so many zeros cannot be held. It is
// ErrDecimalAbsent when an operand is absent and ErrDecimalRange when the
// difference cannot be held.
func (d Decimal) Sub(e Decimal) (Decimal, error) {
	return exact(d, e, max(d.number.Scale(), e.number.Scale()), decimal.Decimal.SubExact, func(a, b wide) wide {
		x, y, scale := aligned(a, b)
		return wide{x.Sub(x, y), scale}
	})
}

// Mul returns the exact product, with the digits after the point of both
// operands together unless so many zeros cannot be held. It is ErrDecimalAbsent
// when an operand is absent and ErrDecimalRange when the product cannot be
// held; [Decimal.Round] the operands to keep it short.
func (d Decimal) Mul(e Decimal) (Decimal, error) {
	return exact(d, e, d.number.Scale()+e.number.Scale(), decimal.Decimal.MulExact, func(a, b wide) wide {
		return wide{new(big.Int).Mul(a.coef, b.coef), a.scale + b.scale}
	})
}

// Neg returns the amount with the other sign. An absent amount stays absent.
func (d Decimal) Neg() Decimal {
	if !d.isWide() {
		return Decimal{number: d.number.Neg(), kind: d.kind}
	}
	w := d.wide()
	negated, _ := wide{new(big.Int).Neg(w.coef), w.scale}.decimal() // as long as d
	return negated
}

// Round returns the amount with at most scale digits after the point, a half
// rounded to the even neighbour. An amount that is shorter already, or absent,
// is given back as it is; a negative scale counts as 0.
func (d Decimal) Round(scale int) Decimal {
	if !d.isWide() {
		return Decimal{number: d.number.Round(scale), kind: d.kind}
	}
	w := d.wide()
	scale = max(scale, 0)
	if w.scale <= scale {
		return d
	}
	rounded, _ := wide{halfEven(w.coef, powerOfTen(w.scale-scale)), scale}.decimal() // shorter than d
	return rounded
}

// halfEven divides and rounds to the nearest whole number, a half to the even
// one.
func halfEven(coef, by *big.Int) *big.Int {
	quotient, rest := new(big.Int).QuoRem(coef, by, new(big.Int))
	half := rest.Abs(rest).Lsh(rest, 1).CmpAbs(by)
	if half > 0 || half == 0 && quotient.Bit(0) == 1 {
		quotient.Add(quotient, big.NewInt(int64(coef.Sign())))
	}
	return quotient
}

// exact does a calculation whose result needs scale digits after the point: in
// the library where it can hold operands and result, else with whole numbers.
// It refuses to lose any digit.
func exact(d, e Decimal, scale int, op func(a, b decimal.Decimal, scale int) (decimal.Decimal, error), wideOp func(a, b wide) wide) (Decimal, error) {
	if d.IsZero() || e.IsZero() {
		return Decimal{}, ErrDecimalAbsent
	}
	if d.kind == ordinary && e.kind == ordinary {
		if number, err := op(d.number, e.number, scale); err == nil {
			return Decimal{number: number, kind: ordinary}, nil
		}
	}
	return wideOp(d.wide(), e.wide()).decimal()
}

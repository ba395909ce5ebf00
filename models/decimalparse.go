package models

import (
	"math"
	"strconv"

	"github.com/govalues/decimal"

	"github.com/practicesdk/practice-go/internal/codec"
)

// parseDecimal parses a JSON number. It parses the digits itself, because the
// library would round a number that does not fit.
func parseDecimal(s []byte) (Decimal, error) {
	n, ok := codec.ParseNumber(s)
	if !ok {
		return Decimal{}, ErrInvalidDecimal
	}
	coef, scale, ok := digitsOf(n)
	if !ok {
		if len(s) > longestNumber && n.Coef != 0 {
			return Decimal{}, ErrDecimalRange // avoids reading all digits of a hostile text
		}
		return wideOf(n.Negative, digitsIn(s), -n.Exp)
	}
	number, err := fromDigits(coef, scale)
	if err != nil {
		return Decimal{}, ErrDecimalRange
	}
	if n.Negative {
		number = number.Neg()
	}
	return Decimal{number: number, kind: ordinary}, nil
}

// digitsOf returns all digits of the number as an integer, including trailing
// zeros, and the number of digits after the decimal point. It adds the zeros of
// an exponent. ok is false if there are too many digits for the library.
func digitsOf(n codec.Number) (coef uint64, scale int, ok bool) {
	zeros, scale := n.Zeros, -n.Exp
	if n.Coef == 0 {
		scale = max(scale, 0)
		return 0, scale, scale <= decimal.MaxScale
	}
	if scale < 0 {
		zeros, scale = zeros-scale, 0
	}
	if n.Overflow || zeros >= decimal.MaxPrec {
		return 0, 0, false
	}
	coef = n.Coef
	for range zeros {
		if coef > codec.MaxCoef/10 {
			return 0, 0, false
		}
		coef *= 10
	}
	return coef, scale, scale <= decimal.MaxScale
}

// fromDigits builds the number. Coefficients beyond int64 are passed to the
// library as text.
func fromDigits(coef uint64, scale int) (decimal.Decimal, error) {
	if coef <= math.MaxInt64 {
		return decimal.New(int64(coef), scale)
	}
	return decimal.Parse(strconv.FormatUint(coef, 10) + "e-" + strconv.Itoa(scale))
}

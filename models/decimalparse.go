package models

import (
	"math"
	"strconv"

	"github.com/govalues/decimal"
)

// numeral is a JSON number taken apart: its digits as one integer, and the power of ten they are multiplied by.
type numeral struct {
	coef     uint64
	exp      int
	negative bool
	overflow bool // more digits than coef can take
}

// maxCoef is the largest integer of maxDigits digits.
const maxCoef = 9_999_999_999_999_999_999

// maxExponent is far outside what can be held; the digits of a longer exponent no longer matter.
const maxExponent = 10_000

// parseDecimal reads a JSON number. It collects the digits itself, because a number that does not fit must be
// refused, where the library would round it.
func parseDecimal(s []byte) (Decimal, error) {
	n, ok := parseNumeral(s)
	if !ok {
		return Decimal{}, ErrInvalidDecimal
	}
	if !n.fit() {
		return Decimal{}, ErrDecimalRange
	}
	number, err := n.number()
	if err != nil {
		return Decimal{}, ErrDecimalRange
	}
	return Decimal{number: number, present: true}, nil
}

// parseNumeral takes a JSON number apart and tells whether it was one.
func parseNumeral(s []byte) (numeral, bool) {
	var n numeral
	if len(s) > 0 && s[0] == '-' {
		n.negative = true
		s = s[1:]
	}
	whole := n.digits(s)
	if whole == 0 || (s[0] == '0' && whole > 1) {
		return n, false
	}
	s = s[whole:]
	if len(s) > 0 && s[0] == '.' {
		fraction := n.digits(s[1:])
		if fraction == 0 {
			return n, false
		}
		n.exp = -fraction
		s = s[1+fraction:]
	}
	if len(s) > 0 && (s[0] == 'e' || s[0] == 'E') {
		return n, n.exponent(s[1:])
	}
	return n, len(s) == 0
}

// digits takes up the digits that s begins with, and gives their count.
func (n *numeral) digits(s []byte) int {
	for i, c := range s {
		if c < '0' || c > '9' {
			return i
		}
		if n.coef > (maxCoef-uint64(c-'0'))/10 {
			n.overflow = true
			continue
		}
		n.coef = n.coef*10 + uint64(c-'0')
	}
	return len(s)
}

// exponent takes up the exponent that s consists of.
func (n *numeral) exponent(s []byte) bool {
	sign := 1
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	exp := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
		exp = min(exp*10+int(c-'0'), maxExponent)
	}
	n.exp += sign * exp
	return len(s) > 0
}

// fit brings the exponent into the range of a scale, -maxDigits to 0, and tells whether no digit was lost.
func (n *numeral) fit() bool {
	if n.coef == 0 {
		n.exp = min(max(n.exp, -maxDigits), 0)
	}
	for ; n.exp > 0 && n.coef <= maxCoef/10; n.exp-- {
		n.coef *= 10
	}
	for ; n.exp < -maxDigits && n.coef%10 == 0; n.exp++ {
		n.coef /= 10
	}
	return !n.overflow && -maxDigits <= n.exp && n.exp <= 0
}

// number builds the decimal; digits above the range of int64 have to go through their text.
func (n *numeral) number() (number decimal.Decimal, err error) {
	if n.coef <= math.MaxInt64 {
		number, err = decimal.New(int64(n.coef), -n.exp)
	} else {
		number, err = decimal.Parse(strconv.FormatUint(n.coef, 10) + "e" + strconv.Itoa(n.exp))
	}
	if n.negative {
		number = number.Neg()
	}
	return number, err
}

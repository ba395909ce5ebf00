package codec

import "math"

// Number is a parsed JSON number. Its value is Coef times ten to the power of
// Zeros + Exp.
type Number struct {
	Coef     uint64 // digits without trailing zeros
	Zeros    int    // number of trailing zeros as written
	Exp      int    // exponent minus the number of digits after the decimal point
	Negative bool
	Overflow bool // the digits do not fit into Coef
}

// MaxDigits is the number of digits that always fit into Coef; MaxCoef is the
// largest number with that many digits.
const (
	MaxDigits = 19
	MaxCoef   = 9_999_999_999_999_999_999
)

// maxExponent limits exponents. It is larger than any exponent that the digits
// of a text could compensate.
const maxExponent = 1 << 30

// ParseNumber parses a JSON number and reports whether it is one.
func ParseNumber(s []byte) (Number, bool) {
	var n Number
	if end, ok := numberEnd(s, 0); !ok || end != len(s) {
		return n, false
	}
	point := false
	for i, c := range s {
		switch {
		case c == '-':
			n.Negative = true
		case c == '.':
			point = true
		case !isDigit(c):
			n.Exp += exponent(s[i+1:])
			return n, true
		default:
			n.digit(uint64(c - '0'))
			if point {
				n.Exp--
			}
		}
	}
	return n, true
}

// digit adds the next digit. Zeros are added only when another digit follows.
func (n *Number) digit(digit uint64) {
	if digit == 0 {
		n.Zeros++
		return
	}
	for ; n.Zeros > 0 && n.Coef > 0 && !n.Overflow; n.Zeros-- {
		n.push(0)
	}
	n.Zeros = 0
	n.push(digit)
}

func (n *Number) push(digit uint64) {
	if n.Coef > (MaxCoef-digit)/10 {
		n.Overflow = true
		return
	}
	n.Coef = n.Coef*10 + digit
}

func exponent(s []byte) int {
	exp := 0
	for _, c := range s {
		if isDigit(c) {
			exp = min(exp*10+int(c-'0'), maxExponent)
		}
	}
	if s[0] == '-' {
		return -exp
	}
	return exp
}

// Int64 returns the value, and false if it is not an integer in range.
func (n Number) Int64() (int64, bool) {
	if n.Coef == 0 {
		return 0, true
	}
	power := n.Zeros + n.Exp
	if n.Overflow || power < 0 || power >= MaxDigits {
		return 0, false
	}
	value := n.Coef
	for range power {
		if value > math.MaxInt64/10+1 {
			return 0, false
		}
		value *= 10
	}
	switch {
	case n.Negative && value <= 1<<63:
		return int64(-value), true
	case !n.Negative && value <= math.MaxInt64:
		return int64(value), true
	default:
		return 0, false
	}
}

// numberEnd returns the end of the number that begins at i, or the offset of
// the error if there is none.
func numberEnd(data []byte, i int) (end int, ok bool) {
	if at(data, i) == '-' {
		i++
	}
	whole := i
	if i = digitsEnd(data, i); i == whole || (i > whole+1 && data[whole] == '0') {
		return whole, false
	}
	if at(data, i) == '.' {
		point := i
		if i = digitsEnd(data, i+1); i == point+1 {
			return i, false
		}
	}
	if c := at(data, i); c == 'e' || c == 'E' {
		i++
		if c := at(data, i); c == '+' || c == '-' {
			i++
		}
		first := i
		if i = digitsEnd(data, i); i == first {
			return i, false
		}
	}
	return i, true
}

func digitsEnd(data []byte, i int) int {
	for i < len(data) && isDigit(data[i]) {
		i++
	}
	return i
}

// at returns the byte at i, or 0 beyond the end.
func at(data []byte, i int) byte {
	if i < len(data) {
		return data[i]
	}
	return 0
}

func isDigit(c byte) bool { return c-'0' <= 9 }

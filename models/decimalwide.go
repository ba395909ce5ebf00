package models

import (
	"math/big"
	"strconv"
	"strings"
	"unique"

	"github.com/govalues/decimal"

	"github.com/practicesdk/practice-go/internal/codec"
)

// Limits of a Decimal:
const (
	// mostDigits is the maximum number of digits, including trailing zeros.
	mostDigits = 64
	// mostPower limits the powers of ten of the first and the last digit. A
	// double needs 308 for the first digit. For the last it needs 324 after the
	// decimal point, and 16 more if it is written with 17 digits, which always
	// suffice.
	mostPower = 350
	// longestNumber is longer than any valid number without leading zeros.
	longestNumber = 2 * mostPower
)

// wide is a number for big-integer arithmetic: coef divided by ten to the power
// of scale, which may be negative.
type wide struct {
	coef  *big.Int
	scale int
}

// isWide reports whether the library cannot hold the amount.
func (d Decimal) isWide() bool { return d.kind != ordinary && d.IsPresent() }

// wide returns the parts of the number.
func (d Decimal) wide() wide {
	text := []byte(d.String())
	n, _ := codec.ParseNumber(text) // the text was written by this package
	coef, _ := new(big.Int).SetString(digitsIn(text), 10)
	if n.Negative {
		coef.Neg(coef)
	}
	return wide{coef, -n.Exp}
}

// decimal returns the number, or ErrDecimalRange. If there are too many digits,
// it drops trailing zeros.
func (w wide) decimal() (Decimal, error) {
	digits, scale := new(big.Int).Abs(w.coef).String(), w.scale
	if extra := len(digits) - mostDigits; extra > 0 {
		if extra > scale { // also zeros before the decimal point
			extra = len(digits) - len(strings.TrimRight(digits, "0"))
		}
		if kept, zeros := digits[:len(digits)-extra], digits[len(digits)-extra:]; strings.Trim(zeros, "0") == "" {
			digits, scale = kept, scale-extra
		}
	}
	return wideOf(w.coef.Sign() < 0, digits, scale)
}

// aligned returns the coefficients of two numbers for the larger scale. The
// caller may modify them.
func aligned(a, b wide) (x, y *big.Int, scale int) {
	scale = max(a.scale, b.scale)
	x = new(big.Int).Mul(a.coef, powerOfTen(scale-a.scale))
	y = new(big.Int).Mul(b.coef, powerOfTen(scale-b.scale))
	return x, y, scale
}

func powerOfTen(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// digitsIn returns the digits of a JSON number before its exponent, without
// leading zeros. Zero has one digit.
func digitsIn(number []byte) string {
	var digits []byte
	for _, c := range number {
		if c == 'e' || c == 'E' {
			break
		}
		if c > '0' && c <= '9' || c == '0' && len(digits) > 0 {
			digits = append(digits, c)
		}
	}
	if len(digits) == 0 {
		return "0"
	}
	return string(digits)
}

// wideOf returns the amount with the given digits, scale of them after the
// decimal point. It replaces a negative scale by zeros if they fit. An amount
// within the range of the library becomes an ordinary one, so that each number
// with its digits has only one representation.
func wideOf(negative bool, digits string, scale int) (Decimal, error) {
	if digits == "0" {
		negative, scale = false, min(max(scale, 0), mostDigits)
	}
	if scale < 0 && len(digits)-scale <= mostDigits {
		digits, scale = digits+strings.Repeat("0", -scale), 0
	}
	if len(digits) > mostDigits || scale > mostPower || len(digits)-scale > mostPower {
		return Decimal{}, ErrDecimalRange
	}
	text := writeOut(digits, scale)
	if negative {
		text = "-" + text
	}
	if len(digits) <= decimal.MaxPrec && scale >= 0 && scale <= decimal.MaxScale {
		number, err := decimal.ParseExact(text, scale)
		if err != nil {
			return Decimal{}, ErrDecimalRange
		}
		return Decimal{number: number, kind: ordinary}, nil
	}
	return Decimal{kind: unique.Make(text)}, nil
}

// writeOut writes a number without an exponent if it has at most mostDigits
// digits then.
func writeOut(digits string, scale int) string {
	switch {
	case scale == 0:
		return digits
	case scale < 0 || scale > mostDigits:
		exponent := "e" + strconv.Itoa(len(digits)-1-scale)
		if len(digits) == 1 {
			return digits + exponent
		}
		return digits[:1] + "." + digits[1:] + exponent
	case len(digits) <= scale:
		return "0." + strings.Repeat("0", scale-len(digits)) + digits
	}
	return digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

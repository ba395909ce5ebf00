package models

import (
	"errors"
	"unique"

	"github.com/govalues/decimal"

	"github.com/practicesdk/practice-go/internal/codec"
)

var (
	// ErrInvalidDecimal reports a text that is not a JSON number.
	ErrInvalidDecimal = errors.New("models: the text is not a valid decimal number")
	// ErrDecimalRange reports a number that needs more than 64 digits, or is
	// outside the range of a double, so that it cannot be represented exactly.
	ErrDecimalRange = errors.New("models: the decimal number is out of range")
	// ErrDecimalAbsent reports a calculation with an absent amount. An absent
	// amount is not zero.
	ErrDecimalAbsent = errors.New("models: the calculation contains an absent decimal number")
)

// Decimal is an exact amount, for money, rates and percentages: up to 64
// digits, in the range of a double. It can hold every number of a .NET decimal
// and the shortest text of every double. It keeps its digits, so that 1.10
// remains 1.10 when it is read and written; an exponent is expanded if that
// takes at most 64 digits, and a zero has no sign: -0.00 is read as 0.00. The zero value is absent, which differs from the
// number 0. It is a number in JSON. The operator == distinguishes 1.10 from
// 1.1; [Decimal.Equal] does not.
type Decimal struct {
	number decimal.Decimal // up to 19 digits, up to 19 of them after the decimal point
	// kind is zero for an absent amount, ordinary for an amount in number, and
	// the text of any other amount. A handle is as small as a flag, and ==
	// compares the texts.
	kind unique.Handle[string]
}

// ordinary must not be modified.
var ordinary = unique.Make("")

// ParseDecimal parses a JSON number, such as -12.50 or 1e3. Any other text is
// ErrInvalidDecimal, and a number that cannot be represented exactly is
// ErrDecimalRange.
func ParseDecimal(text string) (Decimal, error) { return parseDecimal([]byte(text)) }

// MustDecimal is like [ParseDecimal] but panics if the text is not a number. It
// is for constants in source code.
func MustDecimal(text string) Decimal {
	d, err := ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// NewDecimal returns coef divided by ten to the power of scale:
// NewDecimal(1250, 2) is 12.50. A scale outside 0 to 19 is ErrDecimalRange.
func NewDecimal(coef int64, scale int) (Decimal, error) {
	number, err := decimal.New(coef, scale)
	if err != nil {
		return Decimal{}, ErrDecimalRange
	}
	return Decimal{number: number, kind: ordinary}, nil
}

// IsAbsent reports whether there is no amount. The number 0 is not absent; see
// [Decimal.Sign] for it.
func (d Decimal) IsAbsent() bool { return d.kind == unique.Handle[string]{} }

// IsPresent reports whether there is an amount.
func (d Decimal) IsPresent() bool { return !d.IsAbsent() }

// IsZero is IsAbsent, for the option omitzero of encoding/json.
func (d Decimal) IsZero() bool { return d.IsAbsent() }

// Sign returns -1 for a negative amount, 1 for a positive one, and 0 for zero
// and for an absent amount.
func (d Decimal) Sign() int {
	if d.isWide() {
		return d.wide().coef.Sign()
	}
	return d.number.Sign()
}

// Cmp returns -1 when d is less than e, 1 when it is greater and 0 when they
// are equal. An absent amount is less than every number.
func (d Decimal) Cmp(e Decimal) int {
	switch {
	case d.kind == ordinary && e.kind == ordinary:
		return d.number.Cmp(e.number)
	case d.IsPresent() && e.IsPresent():
		a, b, _ := aligned(d.wide(), e.wide())
		return a.Cmp(b)
	case d.IsPresent():
		return 1
	case e.IsPresent():
		return -1
	default:
		return 0
	}
}

// Equal reports whether both are the same number, ignoring trailing zeros, or
// both are absent.
func (d Decimal) Equal(e Decimal) bool { return d.Cmp(e) == 0 }

// String returns the digits as read, or "" if the amount is absent.
func (d Decimal) String() string {
	switch {
	case d.IsAbsent():
		return ""
	case d.isWide():
		return d.kind.Value()
	}
	return d.number.String()
}

// read reads a number; null is absent. A number that cannot be represented
// exactly is an error.
func (d *Decimal) read(r *codec.Reader) error {
	*d = Decimal{}
	if coef, scale, ok := r.Usual(); ok {
		number, err := decimal.New(coef, scale) // never fails: at most 18 digits
		*d = Decimal{number: number, kind: ordinary}
		return err
	}
	text, present := r.Number()
	if !present {
		return r.Err()
	}
	parsed, err := parseDecimal(text)
	if err != nil {
		return r.Reject("a number with more than 64 digits or outside the range of a double")
	}
	*d = parsed
	return nil
}

// write writes the number with its digits, or null if it is absent.
func (d Decimal) write(b []byte, _ *codec.Writer) []byte {
	if d.IsAbsent() {
		return append(b, "null"...)
	}
	return d.appendTo(b)
}

// UnmarshalJSON reads a number; null is absent. A number that cannot be
// represented exactly is an error.
func (d *Decimal) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, d, Wire) }

// MarshalJSON writes the number with its digits, or null if it is absent.
func (d Decimal) MarshalJSON() ([]byte, error) { return codec.Marshal(&d, Wire) }

func (d Decimal) appendTo(b []byte) []byte {
	if d.isWide() {
		return append(b, d.kind.Value()...)
	}
	b, _ = d.number.AppendText(b) // documented not to fail
	return b
}

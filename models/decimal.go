package models

import (
	"errors"

	"github.com/govalues/decimal"

	"github.com/practicesdk/practice-go/internal/codec"
)

var (
	// ErrInvalidDecimal says that a text is not a number as JSON writes it. Specification, Bank account.
	ErrInvalidDecimal = errors.New("models: not a decimal number")
	// ErrDecimalRange says that a number needs more than 19 digits, or more than 19 of them after the point, so
	// that it cannot be held exactly. Specification, Bank account.
	ErrDecimalRange = errors.New("models: decimal number out of range")
	// ErrDecimalAbsent says that a calculation met an absent amount, which is not zero.
	// Specification, Bank account.
	ErrDecimalAbsent = errors.New("models: absent decimal number in a calculation")
)

// Decimal is an exact amount, for money, rates and percentages: up to 19 digits, of which up to 19 after the
// point. It keeps its digits, so that 1.10 stays 1.10 when it is read and written. The zero value is absent, which
// is not the number 0. It is a number in JSON. The operator == tells 1.10 from 1.1; [Decimal.Equal] does not.
// Specification, Bank account.
type Decimal struct {
	number  decimal.Decimal
	present bool
}

// ParseDecimal reads a number as JSON writes it, such as -12.50 or 1e3. Another text is ErrInvalidDecimal, and a
// number that cannot be held exactly is ErrDecimalRange. Specification, Bank account.
func ParseDecimal(text string) (Decimal, error) { return parseDecimal([]byte(text)) }

// MustDecimal is [ParseDecimal] for texts in the source of a program; it panics when the text is not a number.
// Specification, Bank account.
func MustDecimal(text string) Decimal {
	d, err := ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// NewDecimal gives coef divided by ten to the power of scale: NewDecimal(1250, 2) is 12.50. A scale outside 0 to 19
// is ErrDecimalRange. Specification, Bank account.
func NewDecimal(coef int64, scale int) (Decimal, error) {
	number, err := decimal.New(coef, scale)
	if err != nil {
		return Decimal{}, ErrDecimalRange
	}
	return Decimal{number: number, present: true}, nil
}

// IsZero tells whether the amount is absent; the number 0 is not. Specification, Bank account.
func (d Decimal) IsZero() bool { return !d.present }

// IsPresent tells whether there is an amount. Specification, Bank account.
func (d Decimal) IsPresent() bool { return d.present }

// Sign gives -1 for a negative amount, 1 for a positive one, and 0 for zero and for an absent amount.
// Specification, Bank account.
func (d Decimal) Sign() int { return d.number.Sign() }

// Cmp gives -1 when d is less than e, 1 when it is greater and 0 when they are equal. An absent amount is less than
// every number. Specification, Bank account.
func (d Decimal) Cmp(e Decimal) int {
	switch {
	case d.present && e.present:
		return d.number.Cmp(e.number)
	case d.present:
		return 1
	case e.present:
		return -1
	default:
		return 0
	}
}

// Equal tells whether both are the same number, with whatever trailing zeros, or both absent.
// Specification, Bank account.
func (d Decimal) Equal(e Decimal) bool { return d.Cmp(e) == 0 }

// String gives the digits as they were read, or the empty text when the amount is absent.
// Specification, Bank account.
func (d Decimal) String() string {
	if !d.present {
		return ""
	}
	return d.number.String()
}

// read reads a number; null is absent. A number that cannot be held exactly is an error.
// Specification, Bank account.
func (d *Decimal) read(r *codec.Reader) error {
	*d = Decimal{}
	text, present := r.Number()
	if !present {
		return r.Err()
	}
	parsed, err := parseDecimal(text)
	if err != nil {
		return r.Reject("a number of more than 19 digits")
	}
	*d = parsed
	return nil
}

// write writes the number with its digits, an absent one as null.
func (d Decimal) write(w *codec.Writer) error {
	if !d.present {
		w.Null()
	} else {
		w.Append(d.appendTo)
	}
	return w.Err()
}

// UnmarshalJSON reads a number; null is absent. A number that cannot be held exactly is an error.
// Specification, Bank account.
func (d *Decimal) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, d, Wire) }

// MarshalJSON writes the number with its digits, an absent one as null. Specification, Bank account.
func (d Decimal) MarshalJSON() ([]byte, error) { return codec.Marshal(&d, Wire) }

func (d Decimal) appendTo(b []byte) []byte {
	b, _ = d.number.AppendText(b) // never fails, by its documentation
	return b
}

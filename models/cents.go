package models

import "github.com/practicesdk/practice-go/internal/codec"

// Cents is an exact number of cents, of which some have a fraction, such as
// 10.9. It is a type of its own, so that the compiler refuses to add it to an
// amount of dollars, which is a [Decimal]: [Cents.Dollars] converts it. It
// keeps its digits, and is a number in JSON. The zero value is absent, which is
// not the number 0.
type Cents struct{ number Decimal }

// ParseCents reads a number of cents as [ParseDecimal] reads a number.
func ParseCents(text string) (Cents, error) {
	number, err := ParseDecimal(text)
	return Cents{number}, err
}

// MustCents is [ParseCents] for texts in the source of a program; it panics
// when the text is not a number.
func MustCents(text string) Cents { return Cents{MustDecimal(text)} }

// Dollars returns the amount in dollars, exactly: 10900 cents are 109.00
// dollars. An absent amount, or one with too many digits for a Decimal, returns
// the absent Decimal.
func (c Cents) Dollars() Decimal {
	if c.IsZero() {
		return Decimal{}
	}
	hundredth, _ := NewDecimal(1, 2)
	dollars, _ := c.number.Mul(hundredth)
	return dollars
}

// Add returns the exact sum. It is ErrDecimalAbsent when an operand is absent
// and ErrDecimalRange when the sum cannot be held.
func (c Cents) Add(e Cents) (Cents, error) {
	sum, err := c.number.Add(e.number)
	return Cents{sum}, err
}

// Sub returns the exact difference c - e. It is ErrDecimalAbsent when an
// operand is absent and ErrDecimalRange when the difference cannot be held.
func (c Cents) Sub(e Cents) (Cents, error) {
	difference, err := c.number.Sub(e.number)
	return Cents{difference}, err
}

// IsZero reports whether the amount is absent; the number 0 is not.
func (c Cents) IsZero() bool { return c.number.IsZero() }

// IsPresent reports whether there is an amount.
func (c Cents) IsPresent() bool { return c.number.IsPresent() }

// Sign returns -1 for a negative amount, 1 for a positive one, and 0 for zero
// and for an absent amount.
func (c Cents) Sign() int { return c.number.Sign() }

// Cmp returns -1 when c is less than e, 1 when it is greater and 0 when they
// are equal. An absent amount is less than every number.
func (c Cents) Cmp(e Cents) int { return c.number.Cmp(e.number) }

// Equal reports whether both are the same number, regardless of trailing zeros,
// or both absent.
func (c Cents) Equal(e Cents) bool { return c.number.Equal(e.number) }

// String returns the digits as they were read, or the empty text when the
// amount is absent.
func (c Cents) String() string { return c.number.String() }

func (c *Cents) read(r *codec.Reader) error { return c.number.read(r) }

func (c Cents) write(b []byte, w *codec.Writer) []byte { return c.number.write(b, w) }

// UnmarshalJSON reads a number; null is absent. A number that cannot be held
// exactly is an error.
func (c *Cents) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, c, Wire) }

// MarshalJSON writes the number with its digits, an absent one as null.
func (c Cents) MarshalJSON() ([]byte, error) { return codec.Marshal(&c, Wire) }

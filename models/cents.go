package models

import "github.com/practicesdk/practice-go/internal/codec"

// Cents is an exact number of cents, possibly with a fraction, such as 10.9. It
// is a separate type so that the compiler rejects adding it to an amount of
// dollars, which is a [Decimal]; [Cents.Dollars] converts it. It keeps its
// digits, and is a number in JSON. The zero value is absent, which differs from
// the number 0.
type Cents struct{ number Decimal }

// ParseCents parses a number of cents like [ParseDecimal].
func ParseCents(text string) (Cents, error) {
	number, err := ParseDecimal(text)
	return Cents{number}, err
}

// MustCents is like [ParseCents] but panics if the text is not a number. It is
// for constants in source code.
func MustCents(text string) Cents { return Cents{MustDecimal(text)} }

// Dollars returns the exact amount in dollars: 10900 cents are 109.00 dollars.
// For an absent amount, or one with too many digits for a Decimal, it returns
// the absent Decimal.
func (c Cents) Dollars() Decimal {
	if c.IsAbsent() {
		return Decimal{}
	}
	hundredth, _ := NewDecimal(1, 2)
	dollars, _ := c.number.Mul(hundredth)
	return dollars
}

// Add returns the exact sum. The error is ErrDecimalAbsent if an operand is
// absent and ErrDecimalRange if the sum is out of range.
func (c Cents) Add(e Cents) (Cents, error) {
	sum, err := c.number.Add(e.number)
	return Cents{sum}, err
}

// Sub returns the exact difference c - e. The error is ErrDecimalAbsent if an
// operand is absent and ErrDecimalRange if the difference is out of range.
func (c Cents) Sub(e Cents) (Cents, error) {
	difference, err := c.number.Sub(e.number)
	return Cents{difference}, err
}

// IsAbsent reports whether there is no amount. The number 0 is not absent.
func (c Cents) IsAbsent() bool { return c.number.IsAbsent() }

// IsPresent reports whether there is an amount.
func (c Cents) IsPresent() bool { return !c.IsAbsent() }

// IsZero is IsAbsent, for the option omitzero of encoding/json.
func (c Cents) IsZero() bool { return c.IsAbsent() }

// Sign returns -1 for a negative amount, 1 for a positive one, and 0 for zero
// and for an absent amount.
func (c Cents) Sign() int { return c.number.Sign() }

// Cmp returns -1 when c is less than e, 1 when it is greater and 0 when they
// are equal. An absent amount is less than every number.
func (c Cents) Cmp(e Cents) int { return c.number.Cmp(e.number) }

// Equal reports whether both are the same number, ignoring trailing zeros, or
// both are absent.
func (c Cents) Equal(e Cents) bool { return c.number.Equal(e.number) }

// String returns the digits as read, or "" if the amount is absent.
func (c Cents) String() string { return c.number.String() }

func (c *Cents) read(r *codec.Reader) error { return c.number.read(r) }

func (c Cents) write(b []byte, w *codec.Writer) []byte { return c.number.write(b, w) }

// UnmarshalJSON reads a number; null is absent. A number that cannot be
// represented exactly is an error.
func (c *Cents) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, c, Wire) }

// MarshalJSON writes the number with its digits, or null if it is absent.
func (c Cents) MarshalJSON() ([]byte, error) { return codec.Marshal(&c, Wire) }

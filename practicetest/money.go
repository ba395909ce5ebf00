package practicetest

import (
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/govalues/decimal"
)

var numberForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// amount reads a JSON number exactly.
func amount(text string) (decimal.Decimal, bool) {
	if !numberForm.MatchString(text) {
		return decimal.Decimal{}, false
	}
	d, err := decimal.Parse(text)
	return d, err == nil
}

// exact returns a number that the seed or a schema has vouched for.
func exact(text json.Number) decimal.Decimal {
	d, valid := amount(string(text))
	if !valid {
		panic("practicetest: not a number: " + string(text))
	}
	return d
}

func number(d decimal.Decimal) json.Number { return json.Number(d.String()) }

// product multiplies and rounds to whole cents; a product beyond the range of
// the library is out of every plausible fee and stays at zero.
func product(a, b decimal.Decimal) decimal.Decimal {
	d, err := a.Mul(b)
	if err != nil {
		return decimal.Decimal{}
	}
	return d.Round(2).Pad(2)
}

// sum adds; one beyond the range of the library is out of every plausible fee
// and stays at zero.
func sum(a, b decimal.Decimal) decimal.Decimal {
	d, err := a.Add(b)
	if err != nil {
		return decimal.Decimal{}
	}
	return d
}

// share returns the part of an amount that some of all units make up, in whole
// cents; 0 when it is beyond the range of the library.
func share(amount, some, all decimal.Decimal) decimal.Decimal {
	whole, err := amount.Mul(some)
	if err == nil {
		whole, err = whole.Quo(all)
	}
	if err != nil {
		return decimal.Decimal{}
	}
	return whole.Round(2).Pad(2)
}

// checkCharge checks the rules that fees and expenses share.
func checkCharge(c *call, r *record) error {
	if r.fields.is("isWrittenOff") && !r.fields.is("isBillable") {
		return c.exclusion("isWrittenOff", "isBillable", "only a billable "+r.of.name+" can be written off")
	}
	return nil
}

// charge finds the staff member of a fee or an expense that names none: that of
// the user who makes it.
func (t *tx) charge(r *record) {
	if r.fields.str("staffId") != "" || t.from.userID == "" {
		return
	}
	members := t.server.catalog.byTarget["staff"]
	for _, member := range t.server.state.list(members, t.account.id).All() {
		if member.fields.is("enabled") && member.fields.str("user") == t.from.userID {
			r.fields["staffId"] = member.id
		}
	}
}

// owner returns the staff member who owns the firm: the first one.
func (t *tx) owner() string {
	return t.server.state.list(t.server.catalog.byTarget["staff"], t.account.id).All()[0].id
}

func whole(n int64) decimal.Decimal { return decimal.MustNew(n, 0) }

// cents writes an amount of money as an exact decimal number.
func cents(n int64) json.Number {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	fraction := strconv.FormatInt(n%100+100, 10)[1:]
	return json.Number(sign + strconv.FormatInt(n/100, 10) + "." + fraction)
}

// withTax splits an amount into those without and with tax, as its fields say.
func withTax(total decimal.Decimal, f fields) fields {
	excluding, including := total, total
	if f.is("taxInclusive") {
		if less, err := total.Sub(f.amount("tax")); err == nil {
			excluding = less
		}
	} else if more, err := total.Add(f.amount("tax")); err == nil {
		including = more
	}
	return fields{"amount": number(total), "amountExcTax": number(excluding), "amountIncTax": number(including)}
}

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

// reckoning records failures in the calculation of an amount: a step beyond the
// range of exact numbers, whose result is 0.
type reckoning struct{ err error }

func (k *reckoning) step(d decimal.Decimal, err error) decimal.Decimal {
	if err != nil {
		k.err = err
	}
	return d
}

// product multiplies and rounds to whole cents.
func (k *reckoning) product(a, b decimal.Decimal) decimal.Decimal {
	return k.step(a.Mul(b)).Round(2).Pad(2)
}

func (k *reckoning) sum(a, b decimal.Decimal) decimal.Decimal { return k.step(a.Add(b)) }

// share returns the part of an amount that some of all units make up, in whole
// cents.
func (k *reckoning) share(amount, some, all decimal.Decimal) decimal.Decimal {
	return k.step(k.step(amount.Mul(some)).Quo(all)).Round(2).Pad(2)
}

// checkCharge refuses a charge that is too large to be reckoned with. Its
// amount is the product of two members.
func checkCharge(amounts func(*reckoning, *record) fields, price, units string) func(*tx, *call, *record) error {
	return func(_ *tx, c *call, r *record) error {
		k := &reckoning{}
		if amounts(k, r); k.err != nil {
			return c.exclusion(price, units, "comes to more than can be reckoned with")
		}
		return nil
	}
}

// reckoned returns amounts that a check has found to be in range.
func reckoned(amounts func(*reckoning, *record) fields) func(*record) fields {
	return func(r *record) fields { return amounts(&reckoning{}, r) }
}

// charge sets the staff member of a fee or an expense without one: that of the
// user who makes it.
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
func (t *tx) owner() *record {
	return t.server.state.list(t.server.catalog.byTarget["staff"], t.account.id).All()[0]
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

// withTax splits an amount into those without and with tax, according to its
// fields.
func (k *reckoning) withTax(total decimal.Decimal, f fields) fields {
	excluding, including := total, total
	if f.is("taxInclusive") {
		excluding = k.sum(total, f.amount("tax").Neg())
	} else {
		including = k.sum(total, f.amount("tax"))
	}
	return fields{"amount": number(total), "amountExcTax": number(excluding), "amountIncTax": number(including)}
}

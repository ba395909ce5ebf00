package practicetest

import (
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/govalues/decimal"
)

var numberForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// amount parses a JSON number without loss, and returns false for others.
func amount(text string) (decimal.Decimal, bool) {
	if !numberForm.MatchString(text) {
		return decimal.Decimal{}, false
	}
	d, err := decimal.Parse(text)
	return d, err == nil
}

// exact converts a number that is known to be valid.
func exact(text json.Number) decimal.Decimal {
	d, valid := amount(string(text))
	if !valid {
		panic("practicetest: the text is not a number: " + string(text))
	}
	return d
}

func number(d decimal.Decimal) json.Number { return json.Number(d.String()) }

// reckoning records the error of a calculation. A step that exceeds the range
// of exact numbers sets err and returns 0.
type reckoning struct{ err error }

func (k *reckoning) step(d decimal.Decimal, err error) decimal.Decimal {
	if err != nil {
		k.err = err
	}
	return d
}

// product returns a × b, rounded to cents.
func (k *reckoning) product(a, b decimal.Decimal) decimal.Decimal {
	return k.step(a.Mul(b)).Round(2).Pad(2)
}

func (k *reckoning) sum(a, b decimal.Decimal) decimal.Decimal { return k.step(a.Add(b)) }

// share returns amount × some / all, rounded to cents.
func (k *reckoning) share(amount, some, all decimal.Decimal) decimal.Decimal {
	return k.step(k.step(amount.Mul(some)).Quo(all)).Round(2).Pad(2)
}

// checkCharge returns a check that refuses charges whose amounts exceed the
// range of exact numbers. price and units name the members whose product is the
// amount.
func checkCharge(amounts func(*reckoning, *record) fields, price, units string) func(*tx, *call, *record) error {
	return func(_ *tx, c *call, r *record) error {
		k := &reckoning{}
		if amounts(k, r); k.err != nil {
			return c.exclusion(price, units, "results in an amount that is too large")
		}
		return nil
	}
}

// reckoned returns a function that computes the amounts of a record and ignores
// errors: checkCharge has excluded them.
func reckoned(amounts func(*reckoning, *record) fields) func(*record) fields {
	return func(r *record) fields { return amounts(&reckoning{}, r) }
}

// charge sets the staff member of a fee or expense that has none to the staff
// member of the acting user.
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

// owner returns the staff member who owns the firm, which is the first one.
func (t *tx) owner() *record {
	return t.server.state.list(t.server.catalog.byTarget["staff"], t.account.id).All()[0]
}

func whole(n int64) decimal.Decimal { return decimal.MustNew(n, 0) }

// cents converts an amount in cents to a decimal number.
func cents(n int64) json.Number {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	fraction := strconv.FormatInt(n%100+100, 10)[1:]
	return json.Number(sign + strconv.FormatInt(n/100, 10) + "." + fraction)
}

// withTax returns the amounts with and without tax. The member taxInclusive
// determines whether total includes the tax.
func (k *reckoning) withTax(total decimal.Decimal, f fields) fields {
	excluding, including := total, total
	if f.is("taxInclusive") {
		excluding = k.sum(total, f.amount("tax").Neg())
	} else {
		including = k.sum(total, f.amount("tax"))
	}
	return fields{"amount": number(total), "amountExcTax": number(excluding), "amountIncTax": number(including)}
}

package practicetest

import (
	"encoding/json"

	"github.com/govalues/decimal"
)

// fees are work on a matter.
func fees() area {
	fee := &resource{
		path: "/matters/{matterId}/fees/{id}", relation: "Fees", event: "fee", late: true,
		final: []string{"createdFromActivityId"}, check: checkFee, change: changeFee, derive: feeAmounts,
	}
	return area{name: "Fees", resources: []*resource{fee}, handlers: handlers{"getFee": fee.get}, below: func(sd *seeder, m *record, _ int) {
		staff := sd.all(m.account, "staff")
		for i, subject := range []string{"Review lease", "Telephone call", "Appearance"} {
			minutes := 6 * (1 + sd.rand.IntN(20))
			sd.add(m.account, fee, fields{
				"subject": subject, "feeDate": sd.date(90), "staffId": staff[1+i%2].id, "activityCode": "REV", "feeType": min(i, 1),
				"description": "", "duration": minutes, "durationWorked": minutes + 6, "rate": staff[1].fields["rate"],
				"tax": json.Number("0.00"), "isBillable": true, "sourceItems": json.RawMessage("[]"),
			}, m.id)
		}
	}}
}

// checkFee knows the rules that span several members.
func checkFee(t *tx, c *call, r *record) error {
	if err := excludes("taxExempt", "taxOutOfScope")(t, c, r); err != nil {
		return err
	}
	if r.fields.is("isWrittenOff") && !r.fields.is("isBillable") {
		return c.exclusion("isWrittenOff", "isBillable", "only a billable fee can be written off")
	}
	return t.refers(r, "staffId", "staff")
}

// changeFee takes the tax off a fee that has none, and names the source items.
func changeFee(t *tx, r *record, body fields) {
	if r.fields.is("taxExempt") || r.fields.is("taxOutOfScope") {
		r.fields["tax"] = json.RawMessage("0")
	}
	if _, given := body["sourceItems"]; !given {
		return
	}
	var items []map[string]json.RawMessage
	_ = json.Unmarshal(body.raw("sourceItems"), &items) // the schema has checked them
	for i := range items {
		items[i]["id"] = encode(t.server.state.uuid("source item of "+r.id, uint64(i)))
	}
	r.fields["sourceItems"] = json.RawMessage(encode(items))
}

// feeAmounts are what a fee comes to: the rate of a fixed fee, or the rate times the
// hours of a timed one.
func feeAmounts(r *record) fields {
	total := r.fields.amount("rate").Pad(2)
	if string(r.fields.raw("feeType")) == "1" {
		hours, err := r.fields.amount("duration").Quo(decimal.MustNew(60, 0))
		if err != nil {
			hours = decimal.Decimal{}
		}
		total = product(r.fields.amount("rate"), hours)
	}
	f := withTax(total, r.fields)
	f["billableAmountExcTax"] = f["amountExcTax"]
	return f
}

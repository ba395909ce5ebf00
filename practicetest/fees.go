package practicetest

import (
	"encoding/json"

	"github.com/govalues/decimal"

	"github.com/practicesdk/practice-go/models"
)

// fees are work on a matter.
func fees() area {
	fee := &resource{
		path: "/matters/{matterId}/fees/{id}", relation: "Fees", event: "fee",
		final: []string{"createdFromActivityId"}, check: checkCharge(feeAmounts, "rate", "duration"), change: changeFee, derive: reckoned(feeAmounts),
	}
	return area{name: "Fees", resources: []*resource{fee}, below: func(sd *seeder, m *record, _ int) {
		staff := sd.all(m.account, "staff")
		for i, subject := range []string{"Review lease", "Telephone call", "Appearance"} {
			minutes := 6 * (1 + sd.rand.IntN(20))
			made := sd.add(m.account, fee, fields{
				"subject": subject, "feeDate": sd.date(90), "staffId": staff[1+i%2].id, "activityCode": "REV", "feeType": min(i, 1),
				"description": "", "duration": minutes, "durationWorked": minutes + 6, "rate": staff[1].fields["rate"],
				"tax": json.Number("0.00"), "isBillable": true, "sourceItems": []fields{},
			}, m.id)
			if i == 2 {
				sd.itemize(made, []fields{
					{"description": "Hearing", "duration": minutes, "isBillable": true}, {"description": "On the way", "duration": 12, "isBillable": false},
				})
			}
		}
	}}
}

// changeFee takes the tax off a fee that has none, finds whose work it is, and
// names the source items.
func changeFee(t *tx, r *record, body fields) {
	t.charge(r)
	if _, given := body["tax"]; !given && (r.fields.is("taxExempt") || r.fields.is("taxOutOfScope")) {
		r.fields["tax"] = json.RawMessage("0")
	}
	if _, given := body["sourceItems"]; !given {
		return
	}
	items := []fields{}
	_ = json.Unmarshal(body.raw("sourceItems"), &items) // the schema has checked them
	t.server.state.itemize(r, items)
}

// itemize sets the source items of a fee, each with an id and an address.
func (st *state) itemize(r *record, items []fields) {
	for i := range items {
		id := st.uuid("source item of "+r.id, uint64(i))
		items[i]["id"] = id
		items[i]["head"] = location{"FeeSourceItems", append(r.of.at(r.path()...), "sourceitems", id)}
	}
	r.fields["sourceItems"] = items
}

// feeAmounts returns what a fee comes to: the rate of a fixed fee, or the rate
// times the hours of a timed one. The hours are those of its source items,
// where it has any.
func feeAmounts(k *reckoning, r *record) fields {
	minutes, billable := feeMinutes(k, r)
	total := r.fields.amount("rate").Pad(2)
	if string(r.fields.raw("feeType")) == "1" {
		total = k.share(total, minutes, whole(60))
	}
	derived := k.withTax(total, r.fields)
	excluding, tax := exact(derived["amountExcTax"].(json.Number)), r.fields.amount("tax")
	switch {
	case !r.fields.is("isBillable"):
		excluding, tax = decimal.Decimal{}, decimal.Decimal{}
	case minutes.Cmp(billable) != 0:
		excluding, tax = k.share(excluding, billable, minutes), k.share(tax, billable, minutes)
	}
	derived["billableAmountExcTax"], derived["billableTax"] = number(excluding.Pad(2)), number(tax.Pad(2))
	return derived
}

// feeMinutes returns the minutes of a fee, and those of them that are billed.
func feeMinutes(k *reckoning, r *record) (all, billable decimal.Decimal) {
	items, _ := r.fields["sourceItems"].([]fields)
	if len(items) == 0 {
		return r.fields.amount("duration"), r.fields.amount("duration")
	}
	for _, item := range items {
		all = k.sum(all, item.amount("duration"))
		if item.is("isBillable") {
			billable = k.sum(billable, item.amount("duration"))
		}
	}
	return all, billable
}

// AddFee adds a fee to a matter and returns its id.
func (s *Server) AddFee(matterID string, fee models.FeeWrite) string {
	return s.enter("createFee", &fee, matterID)
}

// Fee returns a fee, and whether there is one with the id.
func (s *Server) Fee(id string) (models.Fee, bool) {
	return recordOf[models.Fee](s, "/matters/{matterId}/fees/{id}", id)
}

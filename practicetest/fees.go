package practicetest

import (
	"encoding/json"

	"github.com/govalues/decimal"

	"github.com/practicesdk/practice-go/models"
)

// fees returns the area of fees, which bill work on a matter.
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

// changeFee sets the tax of a tax-free fee to 0 unless the body has one, sets
// the staff member, and gives the source items ids.
func changeFee(t *tx, r *record, body fields) {
	t.charge(r)
	if _, given := body["tax"]; !given && (r.fields.is("taxExempt") || r.fields.is("taxOutOfScope")) {
		r.fields["tax"] = json.RawMessage("0")
	}
	if _, given := body["sourceItems"]; given {
		t.server.state.itemize(r, decoded[[]fields](body.raw("sourceItems")))
	}
}

// itemize sets the source items of a fee and gives each an id and a link.
func (st *state) itemize(r *record, items []fields) {
	for i := range items {
		id := st.uuid("source item of "+r.id, uint64(i))
		items[i]["id"] = id
		items[i]["head"] = location{"FeeSourceItems", append(r.of.at(r.path()...), "sourceitems", id)}
	}
	r.fields["sourceItems"] = items
}

// feeAmounts computes the amounts of a fee. A fixed fee costs its rate; a timed
// fee costs its rate times the hours. If the fee has source items, their
// durations are added up to the hours.
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

// feeMinutes returns the minutes of a fee, and how many of them are billable.
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

// Fee returns the fee with the id and reports whether it exists.
func (s *Server) Fee(id string) (models.Fee, bool) {
	return recordOf[models.Fee](s, "/matters/{matterId}/fees/{id}", id)
}

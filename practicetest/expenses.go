package practicetest

import (
	"encoding/json"
	"strconv"
)

// expenses are what was paid for a matter.
func expenses() area {
	expense := &resource{
		path: "/matters/{matterId}/expenses/{id}", relation: "Expenses", event: "expense",
		derive: func(r *record) fields {
			return withTax(product(r.fields.amount("price"), r.fields.amount("quantity")), r.fields)
		},
	}
	return area{name: "Expenses", resources: []*resource{expense}, below: func(sd *seeder, m *record, _ int) {
		staff := sd.all(m.account, "staff")
		for _, subject := range []string{"Courier", "Printing"} {
			price, quantity := 100+sd.rand.Int64N(40000), 1+sd.rand.Int64N(5)
			sd.add(m.account, expense, fields{
				"subject": subject, "staffId": staff[1].id, "origin": "API", "activityCode": "PRT", "utbmsTaskCode": "E101",
				"description": "", "expenseDate": sd.date(90), "quantity": json.Number(strconv.FormatInt(quantity, 10) + ".0"),
				"price": cents(price), "tax": cents(price * quantity / 11), "taxInclusive": true, "isBillable": true,
			}, m.id)
		}
	}}
}

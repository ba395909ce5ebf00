package practicetest

import (
	"encoding/json"
	"strconv"

	"github.com/practicesdk/practice-go/models"
)

// expenses returns what was paid for a matter.
func expenses() area {
	expense := &resource{
		path: "/matters/{matterId}/expenses/{id}", relation: "Expenses", event: "expense", check: checkExpense, change: changeExpense,
		derive: reckoned(expenseAmounts),
	}
	return area{name: "Expenses", resources: []*resource{expense}, below: func(sd *seeder, m *record, _ int) {
		staff := sd.all(m.account, "staff")
		for _, subject := range []string{"Courier", "Printing", "Filing"} {
			price, quantity := 100+sd.rand.Int64N(40000), 1+sd.rand.Int64N(5)
			sd.add(m.account, expense, fields{
				"subject": subject, "staffId": staff[1].id, "origin": "API", "activityCode": "PRT", "utbmsTaskCode": "E101",
				"description": "", "expenseDate": sd.date(90), "quantity": json.Number(strconv.FormatInt(quantity, 10) + ".0"),
				"price": cents(price), "tax": cents(price * quantity / 11), "taxInclusive": true, "isBillable": true,
			}, m.id)
		}
	}}
}

// checkExpense wants a price in whole cents.
func checkExpense(t *tx, c *call, r *record) error {
	if r.fields.amount("price").MinScale() > 2 {
		return faulty("price", "has more than two decimals")
	}
	return checkCharge(expenseAmounts, "price", "quantity")(t, c, r)
}

// expenseAmounts returns what an expense comes to: its price for each unit.
func expenseAmounts(k *reckoning, r *record) fields {
	return k.withTax(k.product(r.fields.amount("price"), r.fields.amount("quantity")), r.fields)
}

// changeExpense sets the staff member of an expense, and one unit when it names
// no number.
func changeExpense(t *tx, r *record, body fields) {
	if body.is("assignToFirmOwner") && body.str("staffId") == "" {
		r.fields["staffId"] = t.owner().id
	}
	delete(r.fields, "assignToFirmOwner") // an instruction
	t.charge(r)
	if _, given := r.fields["quantity"]; !given {
		r.fields["quantity"] = json.Number("1")
	}
	if r.revision == 0 {
		r.fields["origin"] = "API"
	}
}

// AddExpense adds an expense to a matter and returns its id.
func (s *Server) AddExpense(matterID string, expense models.ExpenseWrite) string {
	return s.enter("createExpense", &expense, matterID)
}

// Expense returns an expense, and whether there is one with the id.
func (s *Server) Expense(id string) (models.Expense, bool) {
	return recordOf[models.Expense](s, "/matters/{matterId}/expenses/{id}", id)
}

package practicetest

import (
	"encoding/json"
	"strconv"

	"github.com/practicesdk/practice-go/models"
)

// expenses returns the area of expenses, which are costs paid for a matter.
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

// checkExpense requires a price in whole cents and checks the amounts.
func checkExpense(t *tx, c *call, r *record) error {
	if r.fields.amount("price").MinScale() > 2 {
		return faulty("price", "must have at most two decimal places")
	}
	return checkCharge(expenseAmounts, "price", "quantity")(t, c, r)
}

// expenseAmounts computes the amounts of an expense from its unit price and
// quantity.
func expenseAmounts(k *reckoning, r *record) fields {
	return k.withTax(k.product(r.fields.amount("price"), r.fields.amount("quantity")), r.fields)
}

// changeExpense sets the staff member of an expense. The quantity defaults to
// 1.
func changeExpense(t *tx, r *record, body fields) {
	if body.is("assignToFirmOwner") && body.str("staffId") == "" {
		r.fields["staffId"] = t.owner().id
	}
	delete(r.fields, "assignToFirmOwner") // an instruction to the service, not a member of the record
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

// Expense returns the expense with the id and reports whether it exists.
func (s *Server) Expense(id string) (models.Expense, bool) {
	return recordOf[models.Expense](s, "/matters/{matterId}/expenses/{id}", id)
}

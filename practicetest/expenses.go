package practicetest

import "encoding/json"

func expenseHandlers() handlers { return handlers{"getExpense": (*Server).getExpense} }

// expense is an expense of a matter.
type expense struct {
	id       string
	matter   *matter
	staff    *staffMember
	version  string
	author   string
	code     string
	task     string
	subject  string
	date     string
	quantity json.Number
	price    int64 // cents
	tax      int64 // cents, within the amount
}

type wireExpense struct {
	ID string `json:"id"`
	head
	VersionID            string      `json:"versionId"`
	CreatedByUserID      string      `json:"createdByUserId"`
	Staff                *link       `json:"staff"`
	Matter               *link       `json:"matter"`
	StaffID              string      `json:"staffId"`
	MatterID             string      `json:"matterId"`
	InvoiceID            *string     `json:"invoiceId"`
	Origin               string      `json:"origin"`
	ActivityCode         string      `json:"activityCode"`
	UTBMSTaskCode        string      `json:"utbmsTaskCode"`
	Subject              string      `json:"subject"`
	Description          string      `json:"description"`
	ExpenseDate          string      `json:"expenseDate"`
	Quantity             json.Number `json:"quantity"`
	Price                json.Number `json:"price"`
	Amount               json.Number `json:"amount"`
	AmountExcTax         json.Number `json:"amountExcTax"`
	AmountIncTax         json.Number `json:"amountIncTax"`
	Tax                  json.Number `json:"tax"`
	TaxInclusive         bool        `json:"taxInclusive"`
	Finalized            bool        `json:"finalized"`
	IsWrittenOff         bool        `json:"isWrittenOff"`
	IsBillable           bool        `json:"isBillable"`
	IsInvoicedExternally bool        `json:"isInvoicedExternally"`
	IsDeleted            bool        `json:"isDeleted"`
}

func (e *expense) wire(l linker) wireExpense {
	total := product(exact(cents(e.price)), exact(e.quantity))
	net, err := total.Sub(exact(cents(e.tax)))
	if err != nil {
		panic("practicetest: an expense beyond every range")
	}
	return wireExpense{
		ID: e.id, head: l.head("Expenses", "matters", e.matter.id, "expenses", e.id),
		VersionID: e.version, CreatedByUserID: e.author, Staff: l.staff(e.staff.id), Matter: l.matter(e.matter.id),
		StaffID: e.staff.id, MatterID: e.matter.id, Origin: "API", ActivityCode: e.code, UTBMSTaskCode: e.task,
		Subject: e.subject, ExpenseDate: e.date, Quantity: e.quantity, Price: cents(e.price),
		Amount: number(total), AmountExcTax: number(net), AmountIncTax: number(total), Tax: cents(e.tax),
		TaxInclusive: true, IsBillable: true,
	}
}

// getExpense answers one expense.
func (s *Server) getExpense(c *call) ([]byte, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	e, err := own(c, s.state.expenses, c.value("id"), "expense", func(e *expense) *account { return e.matter.account })
	if err == nil && e.matter != m {
		err = notFound("expense")
	}
	if err != nil {
		return nil, err
	}
	return encode(e.wire(c.link)), nil
}

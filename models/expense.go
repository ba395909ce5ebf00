package models

// ExpenseCostType says what kind of cost an expense is. The set is open: unknown values are kept as they came.
// Published interface, not in the specification.
type ExpenseCostType string

// The published kinds of cost. Published interface, not in the specification.
const (
	ExpenseCostTypeHard ExpenseCostType = "Hard" // paid to a third party
	ExpenseCostTypeSoft ExpenseCostType = "Soft" // charged for the firm's own means
)

// Expense is money spent on a matter. All amounts are dollars. The published interface also names outputTax
// without saying what it is; it is kept in Extra. Specification, Expense.
type Expense struct {
	Hypermedia
	// ID identifies the expense, a UUID. Empty when absent. Specification, Expense.
	ID string `json:"id"`
	// VersionID identifies the version of the record, a UUID. Empty when absent. Specification, Expense.
	VersionID string `json:"versionId"`
	// CreatedByUserID is the UUID of the user who recorded it. Empty when absent. Specification, Expense.
	CreatedByUserID string `json:"createdByUserId"`
	// Staff links to the staff member. The zero Link when absent. Specification, Expense.
	Staff Link `json:"staff"`
	// Matter links to the matter. The zero Link when absent. Specification, Expense.
	Matter Link `json:"matter"`
	// Invoice links to the invoice the expense is on. The zero Link when absent. Published interface, not in the
	// specification.
	Invoice Link `json:"invoice"`
	// StaffID identifies the staff member; the published interface prefers Staff. Empty when absent.
	// Specification, Expense.
	StaffID string `json:"staffId"`
	// MatterID identifies the matter; the published interface prefers Matter. Empty when absent.
	// Specification, Expense.
	MatterID string `json:"matterId"`
	// InvoiceID is the UUID of the invoice the expense is on. Empty when absent. Specification, Expense.
	InvoiceID string `json:"invoiceId"`
	// Origin says where the expense was recorded. Empty when absent. Specification, Expense.
	Origin string `json:"origin"`
	// ActivityCode is the code of the activity. Empty when absent. Specification, Expense.
	ActivityCode string `json:"activityCode"`
	// UTBMSTaskCode is the code of the task in the Uniform Task-Based Management System. Empty when absent.
	// Specification, Expense.
	UTBMSTaskCode string `json:"utbmsTaskCode"`
	// Subject describes the expense in short. Empty when absent. Specification, Expense.
	Subject string `json:"subject"`
	// Description holds details. Empty when absent. Specification, Expense.
	Description string `json:"description"`
	// ExpenseDate is the day of the expense; of a date-time only the day is kept. Zero when absent.
	// Specification, Expense.
	ExpenseDate Date `json:"expenseDate"`
	// CostType says what kind of cost it is. Empty when absent. Published interface, not in the specification.
	CostType ExpenseCostType `json:"costType"`
	// Quantity is how many units were bought. May be absent. Specification, Expense.
	Quantity Decimal `json:"quantity"`
	// Price is for one unit, in dollars. May be absent. Specification, Expense.
	Price Decimal `json:"price"`
	// Amount is the total in dollars; TaxInclusive tells whether it contains the tax. May be absent.
	// Specification, Expense.
	Amount Decimal `json:"amount"`
	// AmountExcTax is the total without tax, in dollars. May be absent. Specification, Expense.
	AmountExcTax Decimal `json:"amountExcTax"`
	// AmountIncTax is the total with tax, in dollars. May be absent. Specification, Expense.
	AmountIncTax Decimal `json:"amountIncTax"`
	// Tax is in dollars. May be absent. Specification, Expense.
	Tax Decimal `json:"tax"`
	// TaxInclusive tells whether Amount contains the tax. May be absent. Specification, Expense.
	TaxInclusive Opt[bool] `json:"taxInclusive"`
	// TaxExempt tells whether no tax is due. May be absent. Published interface, not in the specification.
	TaxExempt Opt[bool] `json:"taxExempt"`
	// TaxOutOfScope tells whether the tax does not apply. May be absent. Published interface, not in the
	// specification.
	TaxOutOfScope Opt[bool] `json:"taxOutOfScope"`
	// TaxZeroRated tells whether the tax rate is zero. May be absent. Published interface, not in the specification.
	TaxZeroRated Opt[bool] `json:"taxZeroRated"`
	// Finalized tells whether the expense is final. May be absent. Specification, Expense.
	Finalized Opt[bool] `json:"finalized"`
	// IsWrittenOff tells whether the expense is written off. May be absent. Specification, Expense.
	IsWrittenOff Opt[bool] `json:"isWrittenOff"`
	// IsBillable tells whether the client is billed for it. May be absent, which is not false.
	// Specification, Expense.
	IsBillable Opt[bool] `json:"isBillable"`
	// IsInvoicedExternally tells whether another system invoices it. May be absent. Specification, Expense.
	IsInvoicedExternally Opt[bool] `json:"isInvoicedExternally"`
	// IsDeleted tells whether the expense is deleted. May be absent. Specification, Expense.
	IsDeleted Opt[bool] `json:"isDeleted"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

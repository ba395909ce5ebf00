package models

// BankAccountType says what an account is for. The set is open: unknown values are kept as they came.
// Specification, Bank account.
type BankAccountType string

// The documented account types. Specification, Bank account.
const (
	BankAccountOperating       BankAccountType = "Operating"       // the firm's own money
	BankAccountTrust           BankAccountType = "Trust"           // money held for clients
	BankAccountCredit          BankAccountType = "Credit"          // a credit account
	BankAccountControlledMoney BankAccountType = "ControlledMoney" // client money held apart for one matter
)

// BankAccountStatus is the state of an account as the service numbers it. The specification names the states
// Open and Closed but not their numbers: 0 is probably Open and 1 probably Closed. Specification, Bank account.
type BankAccountStatus int

// BankAccount is a bank account of the firm with its balances. All amounts are dollars.
// Specification, Bank account.
type BankAccount struct {
	Hypermedia
	// ID identifies the account. Empty when absent. Specification, Bank account.
	ID string `json:"id"`
	// Type says what the account is for. Empty when absent. Specification, Bank account.
	Type BankAccountType `json:"type"`
	// Status is 0 or 1; see BankAccountStatus for what the numbers probably mean. May be absent.
	// Specification, Bank account.
	Status Opt[BankAccountStatus] `json:"status"`
	// Matter links to the matter of a ControlledMoney account. The zero Link for other types.
	// Specification, Bank account.
	Matter Link `json:"matter"`
	// AccountType numbers the type: 0 Operating, 1 Trust, 2 Credit, 3 ControlledMoney. May be absent.
	// Specification, Bank account.
	//
	// Deprecated: the service will remove it; use Type.
	AccountType Opt[int] `json:"accountType"`
	// AccountName is the name of the account. Empty when absent. Specification, Bank account.
	AccountName string `json:"accountName"`
	// AccountNumber is the number of the account at the bank. Empty when absent. Specification, Bank account.
	AccountNumber string `json:"accountNumber"`
	// BankName is the name of the bank. Empty when absent. Specification, Bank account.
	BankName string `json:"bankName"`
	// BranchNumber is the number of the bank's branch. Empty when absent. Specification, Bank account.
	BranchNumber string `json:"branchNumber"`
	// BranchName is the name of the bank's branch. Empty when absent. Specification, Bank account.
	BranchName string `json:"branchName"`
	// Balance is the total balance in dollars. May be absent, which is not zero. Specification, Bank account.
	Balance Decimal `json:"balance"`
	// ContactBalances holds the balance of each contact of each matter; only in the US. Empty when absent.
	// Specification, Bank account.
	ContactBalances []ContactBalance `json:"contactBalances"`
	// MatterBalances holds the balance of each matter. Empty when absent. Specification, Bank account.
	MatterBalances []MatterBalance `json:"matterBalances"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// ContactBalance is the part of an account's balance that belongs to one contact of one matter. All amounts
// are dollars. Specification, Bank account.
type ContactBalance struct {
	// Matter links to the matter. The zero Link when absent. Specification, Bank account.
	Matter Link `json:"matter"`
	// Contact links to the contact. The zero Link when balances are kept per matter.
	// Specification, Bank account.
	Contact Link `json:"contact"`
	// Balance is the total in dollars. May be absent. Specification, Bank account.
	Balance Decimal `json:"balance"`
	// ProtectedBalance is the part of Balance that is held back from use, in dollars. May be absent.
	// Specification, Bank account.
	ProtectedBalance Decimal `json:"protectedBalance"`
	// AvailableBalance is Balance less ProtectedBalance, in dollars. May be absent.
	// Specification, Bank account.
	AvailableBalance Decimal `json:"availableBalance"`
	// LastUpdated is when the balance last changed. Zero when absent. Specification, Bank account.
	LastUpdated DateTime `json:"lastUpdated"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// MatterBalance is the part of an account's balance that belongs to one matter. All amounts are dollars.
// Specification, Bank account.
type MatterBalance struct {
	// Matter links to the matter. The zero Link when absent. Specification, Bank account.
	Matter Link `json:"matter"`
	// Balance is the total in dollars: the sum of the contact balances of the same matter, where there are any.
	// May be absent. Specification, Bank account.
	Balance Decimal `json:"balance"`
	// ProtectedBalance is the part of Balance that is held back from use, in dollars. May be absent.
	// Specification, Bank account.
	ProtectedBalance Decimal `json:"protectedBalance"`
	// AvailableBalance is Balance less ProtectedBalance, in dollars. May be absent.
	// Specification, Bank account.
	AvailableBalance Decimal `json:"availableBalance"`
	// UnpresentedChequesBalance is the sum, in dollars, of cheques whose transaction is not reconciled. While it
	// is not zero, some actions such as closing the matter are restricted. May be absent.
	// Specification, Bank account.
	UnpresentedChequesBalance Decimal `json:"unpresentedChequesBalance"`
	// LastUpdated is when the balance last changed. Zero when absent. Specification, Bank account.
	LastUpdated DateTime `json:"lastUpdated"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

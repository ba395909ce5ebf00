package practicetest

import (
	"encoding/json"
	"slices"
)

func bankAccountHandlers() handlers { return handlers{"listBankAccounts": (*Server).listBankAccounts} }

// The types of bank accounts, at the place of their deprecated number.
var bankTypes = [...]string{"Operating", "Trust", "Credit", "ControlledMoney"}

// bankAccount keeps money in whole cents, so that balances add up.
type bankAccount struct {
	id       string
	kind     int // index into bankTypes
	closed   bool
	matter   *matter // of controlled money
	name     string
	number   string
	bank     string
	branch   string
	branchNo string
	own      int64             // the balance of an account without matters
	ledger   []contactBalance  // what contacts hold, matter by matter
	cheques  map[*matter]int64 // unpresented cheques
}

// contactBalance is what one contact, or a matter without one, holds in an account.
type contactBalance struct {
	matter    *matter
	contact   *contact // nil when the balance is kept per matter
	balance   int64
	protected int64
	updated   *string
}

type wireBalance struct {
	Matter      *link        `json:"matter"`
	Contact     *link        `json:"contact"`
	Balance     json.Number  `json:"balance"`
	Protected   json.Number  `json:"protectedBalance"`
	Available   json.Number  `json:"availableBalance"`
	Unpresented *json.Number `json:"unpresentedChequesBalance,omitempty"`
	LastUpdated *string      `json:"lastUpdated"`
}

// wireMatterBalance has no contact.
type wireMatterBalance struct {
	wireBalance
	Contact *struct{} `json:"contact,omitempty"`
}

type wireBankAccount struct {
	ID string `json:"id"`
	head
	Type            string              `json:"type"`
	Status          int                 `json:"status"`
	Matter          *link               `json:"matter"`
	AccountType     int                 `json:"accountType"`
	AccountName     string              `json:"accountName"`
	AccountNumber   string              `json:"accountNumber"`
	BankName        string              `json:"bankName"`
	BranchNumber    string              `json:"branchNumber"`
	BranchName      string              `json:"branchName"`
	Balance         json.Number         `json:"balance"`
	ContactBalances []wireBalance       `json:"contactBalances"`
	MatterBalances  []wireMatterBalance `json:"matterBalances"`
}

func (b *bankAccount) total() int64 {
	sum := b.own
	for _, e := range b.ledger {
		sum += e.balance
	}
	return sum
}

func (b *bankAccount) concerns(matterID string) bool {
	return slices.ContainsFunc(b.ledger, func(e contactBalance) bool { return e.matter.id == matterID })
}

func (b *bankAccount) wire(l linker) wireBankAccount {
	w := wireBankAccount{
		ID: b.id, head: l.head("BankAccounts", "bankaccounts", b.id),
		Type: bankTypes[b.kind], AccountType: b.kind, AccountName: b.name, AccountNumber: b.number,
		BankName: b.bank, BranchNumber: b.branchNo, BranchName: b.branch, Balance: cents(b.total()),
	}
	if b.closed {
		w.Status = 1
	}
	if b.matter != nil {
		w.Matter = l.matter(b.matter.id)
	}
	var order []*matter
	byMatter := map[*matter]*contactBalance{}
	for _, e := range b.ledger {
		if b.matter == nil {
			w.ContactBalances = append(w.ContactBalances, e.wire(l))
		}
		sum := byMatter[e.matter]
		if sum == nil {
			sum = &contactBalance{matter: e.matter, updated: e.updated}
			byMatter[e.matter] = sum
			order = append(order, e.matter)
		}
		sum.balance += e.balance
		sum.protected += e.protected
	}
	for _, m := range order {
		line := wireMatterBalance{wireBalance: byMatter[m].wire(l)}
		line.Unpresented = new(cents(b.cheques[m]))
		w.MatterBalances = append(w.MatterBalances, line)
	}
	return w
}

func (e *contactBalance) wire(l linker) wireBalance {
	w := wireBalance{
		Matter: l.matter(e.matter.id), Balance: cents(e.balance), Protected: cents(e.protected),
		Available: cents(e.balance - e.protected), LastUpdated: e.updated,
	}
	if e.contact != nil {
		w.Contact = l.contact(e.contact.id)
	}
	return w
}

// listBankAccounts answers the accounts of a type, or those that hold money of a
// matter.
func (s *Server) listBankAccounts(c *call) ([]byte, error) {
	kind, byKind := c.query["type"]
	matterID, byMatter := c.query["matterId"]
	var items [][]byte
	for _, b := range c.account.banks {
		if byKind && bankTypes[b.kind] != kind || byMatter && !b.concerns(matterID) {
			continue
		}
		items = append(items, encode(b.wire(c.link)))
	}
	all := collection{head: c.link.head("BankAccounts", "bankaccounts")}
	return withValue(all, items), nil
}

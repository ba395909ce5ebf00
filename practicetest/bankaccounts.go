package practicetest

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// bankAccounts returns the area of bank accounts. Their balances are computed
// from the money that matters and contacts hold in them.
func bankAccounts() area {
	accounts := &resource{
		path: "/bankaccounts/{id}", relation: "BankAccounts", derive: balances, placed: openEmpty,
		filters: map[string]filter{
			"type":     equals("type"),
			"matterId": func(r *record, id string) bool { return r.data.(*ledger).of(id) != nil },
		},
	}
	b := bank{
		account: accounts,
		transaction: &resource{
			path: "/bankaccounts/{bankAccountId}/transactions/{id}", relation: "Transactions", order: byEntry,
			filters: map[string]filter{"MatterId": naming("matterId")},
		},
		protection: &resource{path: "/bankaccounts/{id}/protected-balances/{protectionId}", relation: "ProtectedBalances"},
	}
	return area{
		name: "BankAccounts", resources: []*resource{accounts, b.transaction, b.protection}, handlers: b.handlers(),
		seed: b.seed, below: b.below,
	}
}

// ledger holds the money of one account. Amounts are int64 cents, so that sums
// are exact.
type ledger struct {
	own     int64    // balance of an account that is not divided among matters
	entries []entry  // balances per matter and contact
	cheques []cheque // payments by cheque that the bank has not paid yet
	waiting []waitingPayment
	seeded  []entry // copy of the initial entries; must not be modified
}

// entry is the money that a contact holds in an account for a matter.
type entry struct {
	matter    string
	contact   string // empty if the balance belongs to the matter as a whole
	balance   int64
	protected int64
	updated   entryTime
	number    int // index of the matter among the seeded ones; seeded is sorted by it
}

// entryTime is a time with one of the three formats that the service uses for
// it.
type entryTime struct {
	time.Time
	form int // 0: UTC with Z, 1: without a zone, 2: with an offset
}

// MarshalJSON formats the time as form requires.
func (t entryTime) MarshalJSON() ([]byte, error) {
	switch t.form {
	case 1:
		return encode(t.Format("2006-01-02T15:04:05")), nil
	case 2:
		return encode(t.In(time.FixedZone("", 11*3600)).Format("2006-01-02T15:04:05.99-07:00")), nil
	default:
		return encode(utc(t.Time)), nil
	}
}

// byMatter returns the totals per matter, in the order in which the matters
// first appear.
func (l *ledger) byMatter() (all []*entry) {
	seen := map[string]*entry{}
	for _, e := range l.entries {
		if seen[e.matter] == nil {
			seen[e.matter] = &entry{matter: e.matter, updated: e.updated}
			all = append(all, seen[e.matter])
		}
		seen[e.matter].balance += e.balance
		seen[e.matter].protected += e.protected
	}
	return all
}

// of returns the total of a matter, or nil if it has no money in the account.
func (l *ledger) of(matter string) *entry {
	for _, e := range l.byMatter() {
		if e.matter == matter {
			return e
		}
	}
	return nil
}

func (e *entry) fields() fields {
	f := fields{
		"matter": ref{"matters", e.matter}, "balance": cents(e.balance), "protectedBalance": cents(e.protected),
		"availableBalance": cents(e.balance - e.protected), "lastUpdated": e.updated,
	}
	if e.contact != "" {
		f["contact"] = ref{"contacts", e.contact}
	}
	return f
}

// balances returns the record members that are computed from the ledger.
func balances(r *record) fields {
	l := r.data.(*ledger)
	total := l.own
	var contacts, matters []fields
	for i := range l.entries {
		total += l.entries[i].balance
		if r.fields["matter"] == nil {
			contacts = append(contacts, l.entries[i].fields())
		}
	}
	for _, e := range l.byMatter() {
		line := e.fields()
		line["unpresentedChequesBalance"] = cents(l.unpresented(e.matter))
		matters = append(matters, line)
	}
	f := fields{"balance": cents(total), "contactBalances": nil, "matterBalances": nil}
	if contacts != nil {
		f["contactBalances"] = contacts
	}
	if matters != nil {
		f["matterBalances"] = matters
	}
	return f
}

// seed creates accounts of all four types. In the trust account, the contacts'
// balances add up to those of their matters, and these to the balance of the
// account.
func (b bank) seed(sd *seeder, a *account) {
	add := func(kind int, name string, more fields, l ledger) {
		f := fields{
			"type": []string{"Operating", "Trust", "Credit", "ControlledMoney"}[kind], "accountType": kind, "accountName": name,
			"accountNumber": strconv.FormatInt(10_000_000+sd.rand.Int64N(90_000_000), 10), "bankName": "First Test Bank",
			"branchName": "Harbour", "branchNumber": "011222",
		}
		maps.Copy(f, more)
		l.seeded = slices.Clone(l.entries)
		made := sd.add(a, b.account, f)
		made.data = &l
		if l.own != 0 {
			b.opening(sd, a, made.id, entry{balance: l.own, updated: entryTime{Time: sd.now}})
		}
	}
	matters, contacts := sd.all(a, "matters"), sd.all(a, "contacts")
	add(0, "Office account", nil, ledger{own: 1_000_000 + sd.rand.Int64N(9_000_000)})
	add(0, "Old office account", fields{"status": 1}, ledger{})
	trust := ledger{entries: make([]entry, 0, 2*len(matters)), cheques: []cheque{{matter: matters[0].id, amount: 5550}}}
	for i, m := range matters {
		for k := range 1 + i%3 {
			e := entry{matter: m.id, number: i, balance: 100 + sd.rand.Int64N(5_000_000), updated: entryTime{sd.past(200), k}}
			if k < 2 {
				e.contact = contacts[(i+k)%len(contacts)].id
			}
			if k == 0 {
				e.protected = 50 // cents; each balance is at least 100
			}
			trust.entries = append(trust.entries, e)
		}
	}
	add(1, "Trust account", nil, trust)
	add(2, "Credit card", nil, ledger{own: -1234})
	for i, m := range matters[:min(2, len(matters))] {
		add(3, "Controlled money "+matterNumber(i), fields{"matter": ref{"matters", m.id}}, ledger{entries: []entry{
			{matter: m.id, number: i, balance: 12_345_678_901 + sd.rand.Int64N(100_000), updated: entryTime{sd.past(200), 2}},
		}})
	}
}

// openEmpty attaches an empty ledger to a new account.
func openEmpty(_ *tx, r *record) error {
	r.data = &ledger{}
	return nil
}

// AddBankAccount adds a bank account, as the vendor's own application would,
// and returns its id. Balances in account are ignored: the new account is
// empty. Use AddTransaction to deposit money.
func (s *Server) AddBankAccount(account models.BankAccount) string {
	return s.place("/bankaccounts/{id}", &account)
}

// BankAccount returns the bank account with the id and reports whether it
// exists.
func (s *Server) BankAccount(id string) (models.BankAccount, bool) {
	return recordOf[models.BankAccount](s, "/bankaccounts/{id}", id)
}

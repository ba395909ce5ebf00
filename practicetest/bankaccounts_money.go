package practicetest

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/govalues/decimal"

	"github.com/practicesdk/practice-go/models"
)

// bank applies double-entry postings, so that an account's balance equals the
// sum over its matters and over its transactions.
type bank struct{ account, transaction, protection *resource }

func (b bank) handlers() handlers {
	return handlers{
		"listMatterBalances": b.account.reading(b.listMatterBalances), "listTransactions": b.listTransactions, "createTransaction": b.deposit,
		"protectFunds": b.protect, "unprotectFunds": b.unprotect, "createRequisition": b.requisition,
	}
}

// outgoing holds the types of transactions that withdraw money; the others
// deposit it.
var outgoing = [...]string{"DepositReversal", "InvoicePayment", "VendorPayment", "BankFees", "InterestReversal"}

// most exceeds the balance of any account, in cents. It leaves room for sums
// without overflow.
const most = int64(1) << 62

// clone returns a copy of the ledger that can be modified without affecting
// committed records.
func (l *ledger) clone() *ledger {
	n := *l
	n.entries, n.cheques, n.waiting = slices.Clone(l.entries), slices.Clone(l.cheques), slices.Clone(l.waiting)
	return &n
}

// hold adds amount to the balance of a contact in a matter. Without a matter,
// it adds it to the account's own balance.
func (l *ledger) hold(matter, contact string, amount int64, now time.Time) {
	if matter == "" {
		l.own += amount
		return
	}
	i := slices.IndexFunc(l.entries, func(e entry) bool { return e.matter == matter && e.contact == contact })
	if i < 0 {
		i = len(l.entries)
		l.entries = append(l.entries, entry{matter: matter, contact: contact})
	}
	l.entries[i].balance += amount
	l.entries[i].updated = entryTime{Time: now}
}

// free returns an entry of the matter with at least amount cents available, or
// nil if there is none. An empty contact matches any contact.
func (l *ledger) free(matter, contact string, amount int64) *entry {
	for i := range l.entries {
		e := &l.entries[i]
		if e.matter == matter && (contact == "" || e.contact == contact) && e.balance-e.protected >= amount {
			return e
		}
	}
	return nil
}

// centsOf returns the amount in the request body in cents.
func centsOf(c *call) (int64, error) {
	amount := c.members().amount("amount")
	if amount.MinScale() > 2 {
		return 0, faulty("amount", "must have at most two decimal places")
	}
	whole, fraction, fits := amount.Int64(2)
	if n := whole*100 + fraction; fits && amount.Abs().Cmp(decimal.MustNew(most/200, 2)) < 0 {
		return n, nil
	}
	return 0, conflict("amount", "is larger than an account can hold")
}

// move accepts a write that changes the ledger of the account in the path. It
// refuses closed accounts.
func (b bank) move(s *Server, c *call, w *write, change func(t *tx, account *record, l *ledger) error) error {
	return b.account.alter(s, c, w, sameID(c.values[0]), nil, func(t *tx, r *record) error {
		if string(r.fields.raw("status")) == "1" {
			return conflict("id", "the account is closed")
		}
		l := r.data.(*ledger).clone()
		r.data = l
		return change(t, r, l)
	})
}

// trust returns a problem if the account does not hold money in trust.
func trust(account *record) error {
	if kind := account.fields.str("type"); kind != "Trust" && kind != "ControlledMoney" {
		return conflict("id", "must be the id of a trust account")
	}
	return nil
}

// deposit handles createTransaction: it adds the amount to the ledger and
// records the transaction.
func (b bank) deposit(s *Server, c *call) (answer, error) {
	amount, err := centsOf(c)
	if err != nil {
		return nil, err
	}
	account, body := sameID(c.values[0]), c.members()
	w := s.making(c, b.transaction, s.state.idFor(c, b.transaction.path), "transaction", account)
	err = b.move(s, c, w, func(t *tx, r *record, l *ledger) error {
		made := t.create(b.transaction, w.id, []string{account})
		maps.Copy(made.fields, body)
		matter := sameID(made.fields.str("matterId"))
		switch trusted := trust(r) == nil; {
		case amount <= 0:
			return faulty("amount", "must be greater than 0")
		case r.fields["matter"] != nil && r.fields["matter"].(ref).id != matter:
			return conflict("matterId", "the account belongs to a different matter")
		case trusted && matter == "":
			return conflict("matterId", "is required for a deposit into a trust account")
		case trusted:
			l.hold(matter, sameID(made.fields.str("payorId")), amount, t.now)
		default:
			l.hold("", "", amount, t.now)
		}
		made.fields["type"], made.fields["amount"], made.fields["enteredDate"] = "Deposit", cents(amount), t.now
		t.name(made)
		t.put(made, created)
		return nil
	})
	return s.link(c, b.transaction, w.id, account), err
}

// name sets the members of a transaction that follow from others: the payor,
// the payor's name and the effective date.
func (t *tx) name(made *record) {
	if string(made.fields.raw("effectiveDate")) == "null" {
		made.fields["effectiveDate"] = t.now
	}
	made.fields["payor"], made.fields["reversed"] = nil, false
	if payor := made.fields.str("payorId"); payor != "" {
		made.fields["payor"] = ref{"contacts", payor}
		if r, err := t.find(t.server.catalog.byTarget["contacts"], payor, nil); err == nil {
			made.fields["payorName"] = contactName(r)
		}
	}
}

// contactName returns the full name of a person, or nil for another kind of
// contact.
func contactName(r *record) any {
	if person, is := r.fields["person"].(fields); is {
		return person.str("firstName") + " " + person.str("lastName")
	}
	return nil
}

// protect handles protectFunds: it reserves money of a matter, which is then
// not available for payments.
func (b bank) protect(s *Server, c *call) (answer, error) {
	amount, err := centsOf(c)
	if err != nil {
		return nil, err
	}
	account, id, body := sameID(c.values[0]), s.state.newID(b.protection.path)+"_p", c.members()
	err = b.move(s, c, s.making(c, b.protection, id, "protectedbalance", account), func(t *tx, r *record, l *ledger) error {
		if err := trust(r); err != nil {
			return err
		}
		made := t.create(b.protection, id, []string{account})
		maps.Copy(made.fields, body)
		e := l.free(sameID(body.str("matterId")), sameID(body.str("contactId")), amount)
		if e == nil {
			return conflict("amount", "is larger than the available balance")
		}
		e.protected += amount
		e.updated = entryTime{Time: t.now}
		made.fields["amount"], made.fields["timestamp"], made.fields["isProtected"] = cents(amount), t.now, true
		made.fields["userId"], made.data = orNull(t.from.userID), held{e.matter, e.contact, amount}
		t.put(made, created)
		return nil
	})
	return s.link(c, b.protection, id, account), err
}

// held is the amount in cents that a protection reserves, with its matter and
// contact.
type held struct {
	matter, contact string
	amount          int64
}

// unprotect handles unprotectFunds. A protection can be ended only once and
// only in full.
func (b bank) unprotect(s *Server, c *call) (answer, error) {
	account, id := sameID(c.values[0]), c.values[1]
	given, amount := c.has("amount") && !c.isNull("amount"), int64(0)
	if given {
		var err error
		if amount, err = centsOf(c); err != nil {
			return nil, err
		}
	}
	err := b.move(s, c, &write{resource: "protectedbalance", id: id}, func(t *tx, _ *record, l *ledger) error {
		old, err := t.find(b.protection, id, []string{account})
		if err != nil {
			return err
		}
		of := old.data.(held)
		switch {
		case !old.fields.is("isProtected"):
			return conflict("protectionId", "is no longer protected")
		case given && amount != of.amount:
			return conflict("amount", "must equal the protected amount")
		}
		for i := range l.entries {
			if e := &l.entries[i]; e.matter == of.matter && e.contact == of.contact {
				e.protected -= of.amount
				e.updated = entryTime{Time: t.now}
			}
		}
		r := t.edit(old)
		r.fields["isProtected"], r.fields["unprotectingUserId"] = false, orNull(t.from.userID)
		t.put(r, updated)
		return nil
	})
	return s.link(c, b.protection, id, account), err
}

// listTransactions lists the transactions of an account, oldest first.
func (b bank) listTransactions(s *Server, c *call) (answer, error) {
	if matter := c.query["MatterId"]; matter != "" {
		s.state.furnish(sameID(matter))
	} else {
		s.state.furnishAll()
	}
	return b.transaction.list(s, c)
}

func (b bank) listMatterBalances(s *Server, c *call, r *record) (answer, error) {
	all, _ := balances(r)["matterBalances"].([]fields)
	since := c.moment("LastUpdated", time.Time{})
	all = slices.DeleteFunc(slices.Clone(all), func(f fields) bool {
		wanted := sameID(c.query["MatterId"])
		return wanted != "" && f["matter"].(ref).id != wanted || f["lastUpdated"].(entryTime).Before(since)
	})
	return pageOf(s, c, all, func(v view, some []fields) [][]byte { return v.objects("MatterBalance", some) }), nil
}

// ReverseTransaction reverses a transaction, as a user of the vendor's own
// application would, and returns the id of the reversal. It returns "" if the
// transaction does not exist, is already reversed, or is itself a reversal.
func (s *Server) ReverseTransaction(id string) (reversal string) {
	s.inFirmOf(s.catalog.byTarget["transactions"], id, func(t *tx, place *slot) bool {
		if place.Now == nil || place.Now.fields.is("reversed") || place.Now.fields["reversedFromTransaction"] != nil {
			return false
		}
		reversal = t.reverse(t.edit(place.Now))
		return true
	})
	return reversal
}

// reverse adds the transaction that undoes was, and returns its id.
func (t *tx) reverse(was *record) string {
	account := t.edit(t.server.state.slot(t.server.catalog.byTarget["bankaccounts"], was.above[0]).Now)
	made := t.create(was.of, t.newID(was.of.path), was.above)
	maps.Copy(made.fields, was.fields)
	made.fields["type"] = was.fields.str("type") + "Reversal"
	// Assumed: the day of a reversal
	made.fields["enteredDate"], made.fields["reversedFromTransaction"], made.fields["reversed"] = t.now, ref{"transactions", was.id}, false
	was.fields["reversed"], was.fields["reversedToTransaction"] = true, ref{"transactions", made.id}
	whole, fraction, _ := was.fields.amount("amount").Int64(2)
	amount := whole*100 + fraction
	if !slices.Contains(outgoing[:], was.fields.str("type")) {
		amount = -amount
	}
	l := account.data.(*ledger).clone()
	l.cheques = slices.DeleteFunc(l.cheques, func(c cheque) bool { return c.transaction == was.id })
	matter := sameID(was.fields.str("matterId"))
	if trust(account) != nil {
		matter = ""
	}
	l.hold(matter, sameID(was.fields.str("payorId")), amount, t.now)
	account.data = l
	t.put(was, updated)
	t.put(made, created)
	t.put(account, updated)
	return made.id
}

// AddTransaction deposits money in an account and returns the id of the
// transaction.
func (s *Server) AddTransaction(accountID string, deposit models.TransactionCreate) string {
	return s.enter("createTransaction", &deposit, accountID)
}

// Transaction returns the transaction with the id and reports whether it
// exists.
func (s *Server) Transaction(id string) (models.Transaction, bool) {
	return recordOf[models.Transaction](s, "/bankaccounts/{bankAccountId}/transactions/{id}", id)
}

// ProtectedBalance returns the protection of funds with the id and reports
// whether it exists.
func (s *Server) ProtectedBalance(id string) (models.ProtectedBalance, bool) {
	return recordOf[models.ProtectedBalance](s, "/bankaccounts/{id}/protected-balances/{protectionId}", id)
}

// opening adds the transaction that explains the initial balance of an entry.
func (b bank) opening(sd *seeder, a *account, account string, e entry) {
	f := fields{
		"type": "Deposit", "amount": cents(e.balance), "enteredDate": e.updated.Time, "effectiveDate": e.updated.Time,
		"reference": "OPENING", "reason": "Opening balance", "description": "", "note": "", "reversed": false,
	}
	if e.balance < 0 {
		f["type"], f["amount"] = "VendorPayment", cents(-e.balance)
	}
	if e.matter != "" {
		f["matterId"], f["matter"] = e.matter, ref{"matters", e.matter}
	}
	if e.contact != "" {
		f["payorId"], f["payor"] = e.contact, ref{"contacts", e.contact}
		if place := sd.slot(sd.resource("contacts"), e.contact); place != nil {
			f["payorName"] = contactName(place.Now)
		}
	}
	sd.add(a, b.transaction, f, account)
}

// below seeds the transactions and protections that explain the initial
// balances of matter m, the n-th of the firm.
func (b bank) below(sd *seeder, m *record, n int) {
	for _, account := range sd.list(b.account, m.account.id).All() {
		l := account.data.(*ledger)
		first, _ := slices.BinarySearchFunc(l.seeded, n, func(e entry, n int) int { return cmp.Compare(e.number, n) })
		for _, e := range l.seeded[first:] {
			if e.number != n {
				break
			}
			b.opening(sd, m.account, account.id, e)
			if e.protected == 0 {
				continue
			}
			f := fields{
				"matterId": e.matter, "amount": cents(e.protected), "reason": "Disputed", "effectiveDate": e.updated.Time,
				"timestamp": e.updated.Time, "isProtected": true, "userId": sd.user(m.account, 0), "contact": nil,
			}
			if e.contact != "" {
				f["contact"] = ref{"contacts", e.contact}
			}
			sd.addAs(m.account, b.protection, sd.newID(b.protection.path)+"_p", f, account.id).data = held{e.matter, e.contact, e.protected}
		}
	}
}

// byEntry compares transactions by the date on which they were entered, then by
// id.
func byEntry(a, b *record) int {
	at := func(r *record) time.Time {
		t, _ := r.fields["enteredDate"].(time.Time)
		return t
	}
	return cmp.Or(at(a).Compare(at(b)), cmp.Compare(a.id, b.id))
}

// trust returns the id of the firm's trust account.
func (sd *seeder) trust(a *account) string {
	all := sd.all(a, "bankaccounts")
	return all[slices.IndexFunc(all, func(r *record) bool { return r.fields.str("type") == "Trust" })].id
}

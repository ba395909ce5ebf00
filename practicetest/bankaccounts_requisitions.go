package practicetest

import (
	"cmp"
	"net/http"
	"slices"
)

// requisition handles createRequisition, a request for a payment. An approved
// requisition withdraws the money at once and becomes a transaction. A pending
// one only reserves the money.
func (b bank) requisition(s *Server, c *call) (answer, error) {
	amount, err := centsOf(c)
	if err != nil {
		return nil, err
	}
	account, id, body := sameID(c.values[0]), s.state.idFor(c, b.transaction.path), c.members()
	var said fields
	err = b.move(s, c, s.making(c, b.transaction, id, "requisition", account), func(t *tx, r *record, l *ledger) error {
		made := t.create(b.transaction, id, []string{account})
		for _, name := range []string{"matterId", "payorId", "payeeId", "reference", "reason", "effectiveDate"} {
			if value, given := body[name]; given {
				made.fields[name] = value
			}
		}
		if err := cmp.Or(trust(r), paymentDetails(body)); err != nil {
			return err
		}
		e := l.free(sameID(body.str("matterId")), sameID(body.str("payorId")), amount)
		if e == nil {
			return conflict("amount", "is larger than the available balance")
		}
		status, matter := "Approved", e.matter
		if r.fields.str("type") == "Trust" && t.owner().fields.str("user") != t.from.userID {
			status = "Pending"
			e.protected += amount
			e.updated = entryTime{Time: t.now}
			l.waiting = append(l.waiting, waitingPayment{made, e.matter, e.contact, body.str("source"), amount})
		} else {
			b.pay(t, made, l, e, body.str("source"), amount)
		}
		if t.trial { // later runs must not change said, which the response encodes without the lock
			said = l.of(matter).told(status, id)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	key := c.account.id + "/requisitions/" + id
	s.store.Put(key, pdf("Payment of "+string(cents(amount))))
	said["pdfPaymentDetail"], _, err = s.address(c.now, http.MethodGet, key, "")
	return s.object(c, said), err
}

// waitingPayment is a requisition that awaits approval.
type waitingPayment struct {
	made                    *record // becomes the transaction on approval
	matter, contact, source string
	amount                  int64
}

// ApproveRequisition approves a pending requisition, as a user of the vendor's
// own application would. The money is withdrawn, and the transaction gets the
// id of the requisition. It returns false if no requisition with the id is
// pending.
func (s *Server) ApproveRequisition(id string) bool {
	return s.decide(id, func(t *tx, l *ledger, p waitingPayment, e *entry) {
		made := t.create(p.made.of, p.made.id, p.made.above)
		made.fields = p.made.next().fields
		bank{transaction: p.made.of}.pay(t, made, l, e, p.source, p.amount)
	})
}

// RejectRequisition rejects a pending requisition, as a user of the vendor's
// own application would. The money becomes available again. It returns false if
// no requisition with the id is pending.
func (s *Server) RejectRequisition(id string) bool {
	return s.decide(id, func(t *tx, _ *ledger, p waitingPayment, e *entry) {
		e.updated = entryTime{Time: t.now}
		t.then = func() { t.server.state.Release(recordKeyOf(p.made.of, p.made.id)) }
	})
}

// decide removes a pending requisition, releases the money that it reserves,
// and calls with to apply the decision. It returns false if no requisition with
// the id is pending.
func (s *Server) decide(id string, with func(*tx, *ledger, waitingPayment, *entry)) bool {
	return s.inFirmOf(s.catalog.byTarget["transactions"], id, func(t *tx, place *slot) bool {
		account := t.edit(s.state.slot(s.catalog.byTarget["bankaccounts"], place.At.above[0]).Now)
		l := account.data.(*ledger).clone()
		at := slices.IndexFunc(l.waiting, func(p waitingPayment) bool { return p.made.id == sameID(id) })
		if at < 0 {
			return false
		}
		p := l.waiting[at]
		l.waiting = slices.Delete(l.waiting, at, at+1)
		e := &l.entries[slices.IndexFunc(l.entries, func(e entry) bool { return e.matter == p.matter && e.contact == p.contact })]
		e.protected -= p.amount
		with(t, l, p, e)
		account.data = l
		t.put(account, updated)
		return true
	})
}

// told returns the members of the response to a requisition. The id is null if
// it was approved at once.
func (e *entry) told(status, id string) fields {
	f := fields{
		"status": status, "id": nil, "totalBalance": cents(e.balance), "protectedBalance": cents(e.protected),
		"availableBalance": cents(e.balance - e.protected),
	}
	if status == "Pending" {
		f["id"] = id
	}
	return f
}

// pay withdraws the amount and records the transaction. A payment by cheque
// stays unpresented.
func (b bank) pay(t *tx, made *record, l *ledger, e *entry, source string, amount int64) {
	matter, contact := e.matter, e.contact
	l.hold(matter, contact, -amount, t.now)
	if isCheque(source) {
		l.cheques = append(l.cheques, cheque{matter, made.id, amount})
	}
	if contact != "" {
		made.fields["payorId"] = contact // a reversal returns the money to this contact
	}
	made.fields["type"], made.fields["amount"], made.fields["enteredDate"] = "VendorPayment", cents(amount), t.now
	t.name(made)
	t.put(made, created)
}

// paymentDetails returns a problem if a bank transfer or direct debit has
// neither the details of a bank account nor those of a bill.
func paymentDetails(body fields) error {
	if source := body.str("source"); source != "Bank Transfer" && source != "Direct Debit" {
		return nil
	}
	if body.str("billerCode") != "" && body.str("billerReference") != "" {
		return nil
	}
	for _, name := range []string{"accountName", "bsb", "accountNumber"} {
		if body.str(name) == "" {
			return faulty(name, "is required for a payment to a bank account")
		}
	}
	return nil
}

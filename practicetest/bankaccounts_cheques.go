package practicetest

import "slices"

// cheque is a payment by cheque that the bank has not paid yet.
type cheque struct {
	matter, transaction string // transaction is empty for a seeded cheque
	amount              int64  // in cents
}

// isCheque reports whether a payment source is one of the three kinds of
// cheque.
func isCheque(source string) bool {
	return source == "Check" || source == "Trust Check" || source == "Bank Check"
}

// unpresented returns the sum of the matter's unpresented cheques, in cents.
func (l *ledger) unpresented(matter string) (sum int64) {
	for _, c := range l.cheques {
		if c.matter == matter {
			sum += c.amount
		}
	}
	return sum
}

// checkCheques refuses to close or cancel a matter that has unpresented
// cheques.
func checkCheques(t *tx, r *record) error {
	status := r.fields.str("status")
	place := t.server.state.slot(r.of, r.id)
	if status != "Closed" && status != "Cancelled" || place == nil || place.Now == nil || place.Now.fields.str("status") == status {
		return nil
	}
	accounts := t.server.catalog.byTarget["bankaccounts"]
	for _, account := range t.server.state.list(accounts, t.account.id).All() {
		if sum := t.server.state.slot(accounts, account.id).Now.data.(*ledger).unpresented(r.id); sum != 0 {
			return conflict("status", "the matter has unpresented cheques of %s in %s", cents(sum), account.fields.str("accountName"))
		}
	}
	return nil
}

// PresentCheques marks the unpresented cheques of a matter as paid by the bank.
// It returns false if there are none.
func (s *Server) PresentCheques(matterID string) bool {
	return s.applied(func(t *tx) error {
		accounts := s.catalog.byTarget["bankaccounts"]
		for _, account := range s.state.list(accounts, t.account.id).All() {
			r := t.edit(s.state.slot(accounts, account.id).Now)
			l := r.data.(*ledger).clone()
			l.cheques = slices.DeleteFunc(l.cheques, func(c cheque) bool { return c.matter == sameID(matterID) })
			if len(l.cheques) < len(r.data.(*ledger).cheques) {
				r.data = l
				t.put(r, updated)
			}
		}
		if len(t.changes) == 0 {
			return notFound("cheque")
		}
		return nil
	}) == nil
}

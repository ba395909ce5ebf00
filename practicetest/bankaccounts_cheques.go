package practicetest

import "slices"

// cheque is a payment that has not been presented to a bank.
type cheque struct {
	matter, transaction string // transaction is empty for an initial one of the firm
	amount              int64  // in cents
}

// isCheque reports whether a means of payment has to be presented.
func isCheque(source string) bool {
	return source == "Check" || source == "Trust Check" || source == "Bank Check"
}

// unpresented returns the sum of the unpresented cheques of a matter.
func (l *ledger) unpresented(matter string) (sum int64) {
	for _, c := range l.cheques {
		if c.matter == matter {
			sum += c.amount
		}
	}
	return sum
}

// checkCheques refuses to close or cancel a matter with unpresented cheques.
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

// PresentCheques presents the unpresented cheques of a matter to the bank, and
// reconciles them. It returns false if there are none.
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

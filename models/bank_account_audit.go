package models

import (
	"fmt"
	"strings"
)

// BalanceFaultKind is the rule that a bank account's balances violate.
type BalanceFaultKind string

// Kinds of findings of [BankAccount.Audit].
const (
	BalanceFaultAvailable BalanceFaultKind = "available" // available is not balance minus protected
	BalanceFaultMatterSum BalanceFaultKind = "matterSum" // a matter's balance is not the sum of its contacts' balances
	BalanceFaultUnchecked BalanceFaultKind = "unchecked" // a rule could not be checked: an amount is absent or too large
)

// BalanceFault is a finding of [BankAccount.Audit].
type BalanceFault struct {
	// Kind is the violated rule.
	Kind BalanceFaultKind
	// List is the JSON name of the list that contains the entry:
	// contactBalances or matterBalances.
	List string
	// Index is the position of the entry in its list, from 0.
	Index int
	// Matter links to the matter of the entry. The zero Link if the entry has
	// none.
	Matter Link
	// Contact links to the contact of the entry. The zero Link for a matter
	// balance.
	Contact Link
	// Want is the amount in dollars that the rule requires. Absent if the rule
	// could not be checked.
	Want Decimal
	// Got is the amount in dollars that the service sent. Absent if it sent
	// none.
	Got Decimal
}

// String describes the finding with its position and both amounts.
func (f BalanceFault) String() string {
	place := fmt.Sprintf("%s[%d]", f.List, f.Index)
	switch f.Kind {
	case BalanceFaultAvailable:
		return fmt.Sprintf("%s: the available balance is %s, but the balance minus the protected balance is %s", place, f.Got, f.Want)
	case BalanceFaultMatterSum:
		return fmt.Sprintf("%s: the balance is %s, but the contact balances of the matter add up to %s", place, f.Got, f.Want)
	default:
		return place + ": the balances cannot be checked because an amount is absent or too large"
	}
}

// Audit checks the balances with exact arithmetic and reports every entry that
// violates a rule, in the order of the lists. The available balance must be the
// balance minus the protected balance, and the balance of a matter must be the
// sum of the contact balances of the same matter. The second rule is checked
// only in accounts that have contact balances, and only for entries that name
// their matter. It returns nil if there are no findings.
func (a BankAccount) Audit() []BalanceFault {
	var faults []BalanceFault
	byMatter := make(map[string][]Decimal, len(a.MatterBalances))
	for i, e := range a.ContactBalances {
		place := BalanceFault{List: "contactBalances", Index: i, Matter: e.Matter, Contact: e.Contact}
		faults = place.checkAvailable(faults, e.Balance, e.ProtectedBalance, e.AvailableBalance)
		byMatter[matterKey(e.Matter)] = append(byMatter[matterKey(e.Matter)], e.Balance)
	}
	for i, e := range a.MatterBalances {
		place := BalanceFault{List: "matterBalances", Index: i, Matter: e.Matter}
		faults = place.checkAvailable(faults, e.Balance, e.ProtectedBalance, e.AvailableBalance)
		if key := matterKey(e.Matter); key != "" && len(a.ContactBalances) > 0 {
			faults = place.checkSum(faults, byMatter[key], e.Balance)
		}
	}
	return faults
}

func (f BalanceFault) checkAvailable(faults []BalanceFault, balance, protected, available Decimal) []BalanceFault {
	f.Kind, f.Got = BalanceFaultUnchecked, available
	if want, err := balance.Sub(protected); err == nil && available.IsPresent() {
		if want.Equal(available) {
			return faults
		}
		f.Kind, f.Want = BalanceFaultAvailable, want
	}
	return append(faults, f)
}

func (f BalanceFault) checkSum(faults []BalanceFault, parts []Decimal, balance Decimal) []BalanceFault {
	f.Kind, f.Got = BalanceFaultUnchecked, balance
	want, err := MustDecimal("0"), error(nil)
	for _, part := range parts {
		if err == nil {
			want, err = want.Add(part)
		}
	}
	if err == nil && balance.IsPresent() {
		if want.Equal(balance) {
			return faults
		}
		f.Kind, f.Want = BalanceFaultMatterSum, want
	}
	return append(faults, f)
}

// matterKey returns the same key for all links to a matter, because the service
// varies the case of ids.
func matterKey(l Link) string { return strings.ToLower(l.TargetID()) }

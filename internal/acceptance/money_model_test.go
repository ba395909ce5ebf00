package acceptance_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

var (
	bankSequences = flag.Int("bank-sequences", soak.Times(soak.Least(30), 3000), "how many random sequences TestTheBankAddsUpAfterEveryWrite makes")
	firstSequence = flag.Uint64("first-sequence", 0, "the seed of the first random sequence of writes of money")
)

// TestTheBankAddsUpAfterEveryWrite runs random sequences of deposits,
// protections, requisitions, reversals, cheques and closings, and compares the
// bank with a model that computes the sums independently. Run it at length with
//
//	go test -run TestTheBankAddsUpAfterEveryWrite -bank-sequences 10000 .
func TestTheBankAddsUpAfterEveryWrite(t *testing.T) {
	t.Parallel()
	forEverySequence(t, *bankSequences, func(t *testing.T, seed uint64) {
		w := newBankWorld(t, seed)
		for range 4 + w.chance.IntN(16) {
			w.step(t)
		}
		w.settle(t)
	})
}

// firms is the number of made-up firms of the sequences. Making one takes as long as
// a sequence.
const firms = 4

// forEverySequence runs a sequence for each seed, each in a bubble.
func forEverySequence(t *testing.T, sequences int, run func(t *testing.T, seed uint64)) {
	t.Helper()
	const parts = 4
	for part := range uint64(parts) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			for seed := *firstSequence + part; seed < *firstSequence+uint64(sequences); seed += parts {
				synctest.Test(t, func(t *testing.T) { run(t, seed) })
			}
		})
	}
}

// bankShare is the money held for a contact in a matter, or for the matter
// without a contact, in cents.
type bankShare struct {
	matter, contact    string
	balance, protected int64
}

// bankMovement is a transaction of the model, identified by its reference.
type bankMovement struct {
	of       *bankShare
	amount   int64 // negative for money taken away
	cheque   bool  // a cheque that is not presented yet
	reversed bool
	id       string
}

// bankHold is a protection of funds.
type bankHold struct {
	of     *bankShare
	amount int64
	ended  bool
}

// bankWrite is a write that the service accepted.
type bankWrite struct {
	allowed func() bool // whether the state at the time of its effect allows it
	apply   func()
}

// bankWorld is a service and the model of its bank.
type bankWorld struct {
	server        *practicetest.Server
	owner, system *practice.Client // clients of the owner of the firm and of a program
	firm          practicetest.Firm
	chance        *rand.Rand
	seed          uint64
	did           []string

	closedAccount string
	shares        []*bankShare
	cheques       map[string]int64 // initial cheques, by matter
	movements     map[string]*bankMovement
	holds         map[string]*bankHold
	asked         map[string]*bankRequisition // requisitions that wait for a decision, by id
	seeded        int                         // number of transactions at the start
	reversals     int
	status        map[string]models.MatterStatus
	waiting       []bankWrite
}

// bankRequisition is a payment that waits for a decision.
type bankRequisition struct {
	of        *bankShare
	reference string
	amount    int64
	cheque    bool
}

func newBankWorld(t *testing.T, seed uint64) *bankWorld {
	t.Helper()
	server := practicetest.New(t, practicetest.WithEvents(0), practicetest.WithMatters(3), practicetest.WithSeed(seed%firms))
	w := &bankWorld{
		server: server, owner: server.Client(t), system: testkit.ServerToServer(t, server), firm: server.Firm(), seed: seed,
		chance: rand.New(rand.NewPCG(seed, 13)), cheques: map[string]int64{}, movements: map[string]*bankMovement{},
		holds: map[string]*bankHold{}, asked: map[string]*bankRequisition{}, status: map[string]models.MatterStatus{},
	}
	accounts, err := w.owner.BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
	require.NoError(t, err)
	for _, account := range accounts.Items {
		if account.Status.Or(0) == models.BankAccountStatusClosed {
			w.closedAccount = account.ID
		}
		if account.ID != w.firm.BankAccountID {
			continue
		}
		for _, b := range account.ContactBalances {
			w.shares = append(w.shares, &bankShare{b.Matter.TargetID(), b.Contact.TargetID(), inCents(b.Balance), inCents(b.ProtectedBalance)})
		}
		for _, b := range account.MatterBalances {
			w.cheques[b.Matter.TargetID()] = inCents(b.UnpresentedChequesBalance)
		}
	}
	transactions, err := practice.Collect(w.owner.BankAccounts.AllTransactions(t.Context(), w.firm.BankAccountID, practice.TransactionListOptions{}))
	require.NoError(t, err)
	w.seeded = len(transactions)
	return w
}

// inCents returns an amount in whole cents.
func inCents(amount models.Decimal) int64 {
	cents, _ := strconv.ParseInt(strings.Replace(amount.Fixed(2), ".", "", 1), 10, 64)
	return cents
}

// inDollars converts cents to an amount for a request.
func inDollars(cents int64) models.Decimal {
	amount, _ := models.NewDecimal(cents, 2)
	return amount
}

// share returns the share of a contact in a matter.
func (w *bankWorld) share(matter, contact string) *bankShare {
	for _, s := range w.shares {
		if s.matter == matter && s.contact == contact {
			return s
		}
	}
	s := &bankShare{matter: matter, contact: contact}
	w.shares = append(w.shares, s)
	return s
}

// free returns the first share with at least amount available, or nil.
func (w *bankWorld) free(matter, contact string, amount int64) *bankShare {
	for _, s := range w.shares {
		if s.matter == matter && (contact == "" || s.contact == contact) && s.balance-s.protected >= amount {
			return s
		}
	}
	return nil
}

// unpresented returns the sum of the cheques of a matter that are not
// presented, in cents.
func (w *bankWorld) unpresented(matter string) int64 {
	sum := w.cheques[matter]
	for _, m := range w.movements {
		if m.of.matter == matter && m.cheque {
			sum -= m.amount
		}
	}
	return sum
}

// step makes one change and checks the immediate response of the service.
func (w *bankWorld) step(t *testing.T) {
	t.Helper()
	matter := w.firm.MatterIDs[w.chance.IntN(len(w.firm.MatterIDs))]
	contact := ""
	if w.chance.IntN(3) > 0 {
		contact = w.firm.ContactIDs[w.chance.IntN(4)]
	}
	reference := fmt.Sprintf("S-%d", len(w.did))
	switch w.chance.IntN(15) {
	case 0, 1, 2:
		w.deposit(t, matter, contact, reference, 1+w.chance.Int64N(1_000_000))
	case 3, 4:
		w.protect(t, matter, contact, w.some(matter))
	case 5:
		w.unprotect(t)
	case 6, 7:
		w.requisition(t, matter, contact, reference, w.some(matter), w.chance.IntN(2) == 0)
	case 8:
		w.reverse(t)
	case 9:
		w.end(t, matter)
	case 10:
		w.present(t, matter)
	case 11:
		w.decide(t)
	default:
		w.settle(t)
	}
}

// some returns a random amount, which a matter sometimes has.
func (w *bankWorld) some(matter string) int64 {
	most := int64(1)
	for _, s := range w.shares {
		if s.matter == matter {
			most = max(most, s.balance-s.protected)
		}
	}
	if w.chance.IntN(4) == 0 {
		return most // the whole amount
	}
	return 1 + w.chance.Int64N(most+most/4+1)
}

// note records an action for the message of a failure.
func (w *bankWorld) note(format string, args ...any) {
	w.did = append(w.did, fmt.Sprintf(format, args...))
}

func (w *bankWorld) says() string {
	return fmt.Sprintf("-first-sequence %d -bank-sequences 1:\n%s", w.seed, strings.Join(w.did, "\n"))
}

// accepted compares the immediate response with the model, and queues a write
// that was accepted.
func (w *bankWorld) accepted(t *testing.T, err error, write bankWrite) {
	t.Helper()
	if !write.allowed() {
		require.ErrorIs(t, err, practice.ErrBadRequest, w.says())
		return
	}
	require.NoError(t, err, w.says())
	w.waiting = append(w.waiting, write)
}

func (w *bankWorld) deposit(t *testing.T, matter, payor, reference string, amount int64) {
	t.Helper()
	account, open := w.firm.BankAccountID, true
	if w.chance.IntN(12) == 0 {
		account, open = w.closedAccount, false
	}
	w.note("%s: deposit of %d for %s from %q, open: %t", reference, amount, matter, payor, open)
	link, err := w.owner.BankAccounts.CreateTransaction(t.Context(), account, models.TransactionCreate{
		MatterID: matter, PayorID: payor, Amount: inDollars(amount), Reference: reference, EffectiveDate: models.DateTimeOf(testkit.SomeTime),
	})
	w.accepted(t, err, bankWrite{func() bool { return open }, func() {
		of := w.share(matter, payor)
		of.balance += amount
		w.movements[reference] = &bankMovement{of: of, amount: amount, id: link.TargetID()}
	}})
}

func (w *bankWorld) protect(t *testing.T, matter, contact string, amount int64) {
	t.Helper()
	w.note("protect %d of %s of %q", amount, matter, contact)
	link, err := w.owner.BankAccounts.ProtectFunds(t.Context(), w.firm.BankAccountID, models.ProtectFunds{
		MatterID: matter, ContactID: contact, Amount: inDollars(amount), EffectiveDate: models.DateTimeOf(testkit.SomeTime), Reason: "Dispute",
	})
	w.accepted(t, err, bankWrite{func() bool { return w.free(matter, contact, amount) != nil }, func() {
		of := w.free(matter, contact, amount)
		of.protected += amount
		w.holds[link.TargetID()] = &bankHold{of: of, amount: amount}
	}})
}

func (w *bankWorld) unprotect(t *testing.T) {
	t.Helper()
	if id, hold := anyOf(w.chance, w.holds); hold != nil {
		given, body := hold.amount, models.UnprotectFunds{}
		if w.chance.IntN(2) == 0 {
			given += w.chance.Int64N(2)
			body.Amount = inDollars(given)
		}
		w.note("unprotect %s, %d of %d", id, given, hold.amount)
		_, err := w.owner.BankAccounts.UnprotectFunds(t.Context(), w.firm.BankAccountID, id, body)
		w.accepted(t, err, bankWrite{func() bool { return !hold.ended && given == hold.amount }, func() {
			hold.ended = true
			hold.of.protected -= hold.amount
		}})
	}
}

func (w *bankWorld) requisition(t *testing.T, matter, payor, reference string, amount int64, byOwner bool) {
	t.Helper()
	source := []models.RequisitionSource{models.RequisitionSourceCheck, models.RequisitionSourceBankTransfer}[w.chance.IntN(2)]
	w.note("%s: requisition of %d (%s) from %s of %q, by the owner: %t", reference, amount, source, matter, payor, byOwner)
	ask := models.RequisitionCreate{
		MatterID: matter, PayorID: payor, PayeeID: w.firm.ContactID, Amount: inDollars(amount), Source: source, Reference: reference,
		AccountName: "A", BSB: "011222", AccountNumber: "12345678",
	}
	send := func(ctx context.Context) (*models.Requisition, error) {
		if byOwner {
			return w.owner.BankAccounts.CreateRequisition(ctx, w.firm.BankAccountID, ask)
		}
		return w.system.BankAccounts.CreateRequisition(ctx, w.firm.BankAccountID, ask, practice.WithUserID(w.firm.UserID))
	}
	told, err := send(t.Context())
	if err == nil {
		require.Equal(t, map[bool]models.RequisitionStatus{true: models.RequisitionStatusApproved, false: models.RequisitionStatusPending}[byOwner], told.Status, w.says())
		require.Equal(t, byOwner, told.ID == "", w.says())
		require.Equal(t, inCents(told.TotalBalance)-inCents(told.ProtectedBalance), inCents(told.AvailableBalance), w.says())
	}
	w.accepted(t, err, bankWrite{func() bool { return w.free(matter, payor, amount) != nil }, func() {
		of := w.free(matter, payor, amount)
		if !byOwner {
			of.protected += amount
			w.asked[told.ID] = &bankRequisition{of: of, reference: reference, amount: amount, cheque: source == models.RequisitionSourceCheck}
			return
		}
		of.balance -= amount
		w.movements[reference] = &bankMovement{of: of, amount: -amount, cheque: source == models.RequisitionSourceCheck}
	}})
}

// decide approves or rejects a waiting requisition; this takes effect
// immediately.
func (w *bankWorld) decide(t *testing.T) {
	t.Helper()
	id, r := anyOf(w.chance, w.asked)
	if r == nil {
		return
	}
	approve := w.chance.IntN(2) == 0
	w.note("decide %s, approve: %t", r.reference, approve)
	if approve {
		require.True(t, w.server.ApproveRequisition(id), w.says())
		r.of.balance -= r.amount
		w.movements[r.reference] = &bankMovement{of: r.of, amount: -r.amount, cheque: r.cheque}
	} else {
		require.True(t, w.server.RejectRequisition(id), w.says())
	}
	r.of.protected -= r.amount
	delete(w.asked, id)
}

// reverse reverses a movement; this takes effect immediately.
func (w *bankWorld) reverse(t *testing.T) {
	t.Helper()
	if reference, m := anyOf(w.chance, w.movements); m != nil && m.id != "" {
		w.note("reverse %s", reference)
		back := w.server.ReverseTransaction(m.id)
		require.Equal(t, m.reversed, back == "", w.says())
		if !m.reversed {
			m.of.balance -= m.amount
			m.reversed, m.cheque = true, false
			w.reversals++
		}
	}
}

// anyOf draws a random entry, or the zero value if all is empty.
func anyOf[V any](chance *rand.Rand, all map[string]V) (key string, value V) {
	if keys := slices.Sorted(maps.Keys(all)); len(keys) > 0 {
		key = keys[chance.IntN(len(keys))]
	}
	return key, all[key]
}

// present lets the bank pay the cheques of a matter; this takes effect
// immediately.
func (w *bankWorld) present(t *testing.T, matter string) {
	t.Helper()
	w.note("present the cheques of %s", matter)
	require.Equal(t, w.unpresented(matter) != 0, w.server.PresentCheques(matter), w.says())
	w.cheques[matter] = 0
	for _, m := range w.movements {
		m.cheque = m.cheque && m.of.matter != matter
	}
}

// end closes, cancels or reopens a matter.
func (w *bankWorld) end(t *testing.T, matter string) {
	t.Helper()
	status := []models.MatterStatus{models.MatterStatusOpen, models.MatterStatusClosed, models.MatterStatusCancelled}[w.chance.IntN(3)]
	w.note("%s becomes %s", matter, status)
	_, err := w.owner.Matters.Patch(t.Context(), matter, models.MatterPatch{Status: models.Some(status)})
	w.accepted(t, err, bankWrite{func() bool {
		return status == models.MatterStatusOpen || w.status[matter] == status || w.unpresented(matter) == 0
	}, func() { w.status[matter] = status }})
}

// settle lets the writes take effect and compares the bank with the model.
func (w *bankWorld) settle(t *testing.T) {
	t.Helper()
	w.note("settle")
	w.server.Settle()
	for _, write := range w.waiting {
		if write.allowed() {
			write.apply()
		}
	}
	w.waiting = nil
	w.compareBalances(t)
	w.compareTransactions(t)
	for id, hold := range w.holds {
		p, err := w.owner.BankAccounts.GetProtectedBalance(t.Context(), w.firm.BankAccountID, id)
		require.NoError(t, err, w.says())
		require.Equal(t, []any{!hold.ended, hold.amount}, []any{p.IsProtected.Or(false), inCents(p.Amount)}, w.says())
	}
	for id, want := range w.status {
		m, _ := w.server.Matter(id)
		require.Equal(t, want, m.Status, w.says())
	}
}

func (w *bankWorld) compareBalances(t *testing.T) {
	t.Helper()
	account, err := w.owner.BankAccounts.Get(t.Context(), w.firm.BankAccountID)
	require.NoError(t, err, w.says())
	require.Nil(t, account.Audit(), w.says())
	total, matters, want, got := int64(0), map[string]int64{}, map[[2]string][2]int64{}, map[[2]string][2]int64{}
	for _, s := range w.shares {
		total += s.balance
		matters[s.matter] += s.balance
		want[[2]string{s.matter, s.contact}] = [2]int64{s.balance, s.protected}
	}
	for _, b := range account.ContactBalances {
		got[[2]string{b.Matter.TargetID(), b.Contact.TargetID()}] = [2]int64{inCents(b.Balance), inCents(b.ProtectedBalance)}
	}
	require.Equal(t, want, got, w.says())
	require.Equal(t, total, inCents(account.Balance), w.says())
	for _, b := range account.MatterBalances {
		id := b.Matter.TargetID()
		require.Equal(t, []int64{matters[id], w.unpresented(id)}, []int64{inCents(b.Balance), inCents(b.UnpresentedChequesBalance)}, w.says())
	}
}

// compareTransactions checks that each movement occurs exactly once, and no
// other.
func (w *bankWorld) compareTransactions(t *testing.T) {
	t.Helper()
	all, err := practice.Collect(w.owner.BankAccounts.AllTransactions(t.Context(), w.firm.BankAccountID, practice.TransactionListOptions{}))
	require.NoError(t, err, w.says())
	require.Len(t, all, w.seeded+len(w.movements)+w.reversals, w.says())
	moved := map[string]int64{}
	for _, one := range all {
		amount := inCents(one.Amount)
		if one.Type == models.TransactionTypeVendorPayment || one.Type == models.TransactionTypeDepositReversal {
			amount = -amount
		}
		moved[one.Matter.TargetID()] += amount
		m := w.movements[one.Reference]
		if m == nil || one.ReversedFromTransaction.TargetID() != "" {
			continue
		}
		m.id = one.ID
		require.Equal(t, []any{m.amount, m.reversed, m.of.contact}, []any{amount, one.Reversed.Or(false), one.Payor.TargetID()}, "%s: %s", one.Reference, w.says())
	}
	for _, s := range w.shares {
		moved[s.matter] -= s.balance
	}
	for matter, rest := range moved {
		require.Zero(t, rest, "matter %s holds what its transactions come to: %s", matter, w.says())
	}
}

package acceptance_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

var moneySequences = flag.Int("money-sequences", soak.Times(soak.Least(20), 1000), "how many random sequences TestNoWriteOfMoneyIsToldWrongOrDoneTwice makes")

// TestNoWriteOfMoneyIsToldWrongOrDoneTwice runs random sequences of writes of
// money with faults. It compares the result of each write with the bank, the
// fees and the expenses. A caller who looks for the record before it writes
// again must end with exactly one. Run it at length with
//
//	go test -run TestNoWriteOfMoneyIsToldWrongOrDoneTwice -money-sequences 20000 .
func TestNoWriteOfMoneyIsToldWrongOrDoneTwice(t *testing.T) {
	t.Parallel()
	forEverySequence(t, *moneySequences, func(t *testing.T, seed uint64) {
		w := newMoneyWorld(t, seed)
		for range 3 + w.chance.IntN(8) {
			w.step(t)
		}
		w.compare(t)
		testkit.RequireAddsUp(t, w.owner, w.firm.BankAccountID)
	})
}

// moneyWorld is a service with faults, and the expected sum of its writes in
// cents.
type moneyWorld struct {
	server          *practicetest.Server
	owner, system   *practice.Client
	firm            practicetest.Firm
	matter, contact string
	since           time.Time
	chance          *rand.Rand
	seed            uint64
	did             []string

	balance, protected int64
	holds              map[string]int64 // protections in force
	rates              map[string]int64 // rates of fees
	expenses           map[string]bool
}

// moneyWrite describes one write, whatever its kind.
type moneyWrite struct {
	operation string
	kind      string // kind of the records whose changes are counted
	again     bool   // whether a second execution changes nothing
	send      func(context.Context, ...practice.CallOption) (id string, err error)
	find      func(context.Context) (int, error) // looks for the record; nil: impossible
	done      func(id string)                    // adds the effect to the expected sums
}

func newMoneyWorld(t *testing.T, seed uint64) *moneyWorld {
	t.Helper()
	server := practicetest.New(t, practicetest.WithEvents(0), practicetest.WithMatters(2), practicetest.WithSeed(seed%firms))
	firm := server.Firm()
	w := &moneyWorld{
		server: server, owner: server.Client(t, practice.WithMaxBody(1<<18)), system: testkit.ServerToServer(t, server), firm: firm,
		matter: firm.MatterIDs[1], contact: firm.ContactIDs[0], since: server.Clock().Now(), seed: seed,
		chance: rand.New(rand.NewPCG(seed, 17)), holds: map[string]int64{}, rates: map[string]int64{}, expenses: map[string]bool{},
	}
	server.AddTransaction(firm.BankAccountID, models.TransactionCreate{MatterID: w.matter, PayorID: w.contact, Amount: inDollars(1_000_000)})
	w.balance, w.protected = w.held(t)
	return w
}

// held returns the money of the matter in the bank.
func (w *moneyWorld) held(t *testing.T) (balance, protected int64) {
	t.Helper()
	page, err := w.owner.BankAccounts.ListMatterBalances(t.Context(), w.firm.BankAccountID, practice.MatterBalanceListOptions{MatterID: w.matter})
	require.NoError(t, err, w.says())
	require.Len(t, page.Items, 1, w.says())
	return inCents(page.Items[0].Balance), inCents(page.Items[0].ProtectedBalance)
}

func (w *moneyWorld) says() string {
	return fmt.Sprintf("-first-sequence %d -money-sequences 1:\n%s", w.seed, strings.Join(w.did, "\n"))
}

// step sends a write with faults and checks the result.
func (w *moneyWorld) step(t *testing.T) {
	t.Helper()
	write := w.write(1+w.chance.Int64N(10_000), fmt.Sprintf("S-%d", len(w.did)))
	late := w.chance.IntN(10) == 0
	faults := w.faults(write.operation)
	if late {
		faults = nil
		w.server.FailWrite(write.operation, "no")
	}
	w.server.Inject(faults...)
	request := uuid.NewString()
	id, err := write.send(t.Context(), practice.WithRequestID(request))
	w.server.ClearFaults()
	w.server.Settle()
	w.did = append(w.did, fmt.Sprintf("%s late %t %v: %v", write.operation, late, faults, err))

	executed := w.executed(request, write.kind)
	w.judge(t, write, err, executed, late)
	if executed > 0 {
		write.done(w.idOf(id, request, write.kind))
	}
	w.look(t, write, err, executed)
	w.compare(t)
}

// executed returns how often the service executed a request.
func (w *moneyWorld) executed(request, kind string) (times int) {
	for _, change := range w.server.Changes() {
		if change.RequestID == request && change.Kind == kind {
			times++
		}
	}
	return times
}

// idOf returns the id of the record that a request created, even if the
// response was lost.
func (w *moneyWorld) idOf(told, request, kind string) string {
	if kind == "bankaccounts" {
		kind = "protected-balances"
	}
	for _, change := range w.server.Changes() {
		if change.RequestID == request && change.Kind == kind {
			return change.ID
		}
	}
	return told
}

// judge compares the result of a write with what was executed.
func (w *moneyWorld) judge(t *testing.T, write moneyWrite, err error, executed int, late bool) {
	t.Helper()
	told := resultOf(err)
	switch {
	case late:
		require.NoError(t, err, w.says())
		require.Zero(t, executed, w.says())
	case write.again && told == succeeds:
		require.Positive(t, executed, w.says())
	case write.again: // a previous attempt may have been executed
	case told == succeeds:
		require.Equal(t, 1, executed, "told that it was done: %s", w.says())
	case told == ambiguous || told == undecoded:
		require.LessOrEqual(t, executed, 1, "told that it may have been done: %s", w.says())
	default:
		require.Zero(t, executed, "told that nothing was done: %s", w.says())
	}
}

// look does what the comments of the methods recommend: it looks for the record
// and writes again only if it is missing.
func (w *moneyWorld) look(t *testing.T, write moneyWrite, err error, executed int) {
	t.Helper()
	if write.find == nil {
		return
	}
	found, findErr := write.find(t.Context())
	require.NoError(t, findErr, w.says())
	require.Equal(t, executed, found, "what was written is found, and nothing else: %s", w.says())
	if !testkit.IsAmbiguous(err) || found > 0 {
		return
	}
	request := uuid.NewString()
	id, err := write.send(t.Context(), practice.WithRequestID(request))
	require.NoError(t, err, w.says())
	w.server.Settle()
	write.done(w.idOf(id, request, write.kind))
	found, err = write.find(t.Context())
	require.NoError(t, err, w.says())
	require.Equal(t, 1, found, w.says())
}

// compare compares the balances, the fees and the expenses with the expected
// ones.
func (w *moneyWorld) compare(t *testing.T) {
	t.Helper()
	balance, protected := w.held(t)
	require.Equal(t, []int64{w.balance, w.protected}, []int64{balance, protected}, w.says())
	rates, expenses := map[string]int64{}, map[string]bool{}
	for fee, err := range w.owner.Fees.All(t.Context(), w.matter, practice.FeeListOptions{}) {
		require.NoError(t, err, w.says())
		if strings.HasPrefix(fee.Description, "S-") && !fee.IsDeleted.Or(false) {
			rates[fee.ID] = inCents(fee.Rate)
		}
	}
	for expense, err := range w.owner.Expenses.All(t.Context(), w.matter, practice.ExpenseListOptions{}) {
		require.NoError(t, err, w.says())
		if strings.HasPrefix(expense.Description, "S-") {
			expenses[expense.ID] = true
		}
	}
	require.Equal(t, []any{w.rates, w.expenses}, []any{rates, expenses}, w.says())
}

// faults returns up to two faults for a write.
func (w *moneyWorld) faults(operation string) []practicetest.Fault {
	kinds := []practicetest.Fault{
		{Kind: practicetest.FaultRateLimit}, {Status: 400}, {Status: 401}, {Status: 404}, {Status: 500}, {Status: 502}, {Status: 503}, {Status: 504},
		{Kind: practicetest.FaultHTML}, {Kind: practicetest.FaultHTML, Status: 200}, {Kind: practicetest.FaultEndless},
		{Kind: practicetest.FaultLatency, Delay: 2 * time.Second}, {Kind: practicetest.FaultResetBefore}, {Kind: practicetest.FaultResetAfter},
		{Kind: practicetest.FaultResetAfter, After: 5}, {Kind: practicetest.FaultTruncated}, {Kind: practicetest.FaultStall},
		{Kind: practicetest.FaultStall, After: 5}, {Kind: practicetest.FaultSlow, BytesPerSecond: 1},
	}
	var some []practicetest.Fault
	for range w.chance.IntN(3) {
		fault := kinds[w.chance.IntN(len(kinds))]
		fault.Operation, fault.Times = operation, 1+w.chance.IntN(2)
		some = append(some, fault)
	}
	return some
}

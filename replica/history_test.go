package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// few are kinds of every sort: with and without a filter, an order of versions,
// a read by id, a mark of deletion, a matter.
var few = []string{"staff", "contacts", "matters", "groups", "events", "tasks", "fees", "memos", "roles", "matter_tags"}

// office changes the records of a service as people do.
type office struct {
	t      testing.TB
	chance *rand.Rand
	server *practicetest.Server
	client *practice.Client
	fees   []string // of the first matter
	copy   *Copy
	erased map[string]bool
}

func newOffice(t testing.TB, seed uint64, opts ...practicetest.Option) *office {
	t.Helper()
	opts = append([]practicetest.Option{practicetest.WithSeed(seed), practicetest.WithMatters(3), practicetest.WithEvents(8)}, opts...)
	server := practicetest.New(t, opts...)
	o := &office{t: t, chance: rand.New(rand.NewPCG(seed, 0)), server: server, client: server.Client(t), erased: map[string]bool{}}
	o.copy = copyOf(t, server.Client(t, practice.WithRetries(1)), Options{Kinds: few})
	o.fees = []string{server.Firm().FeeID}
	return o
}

// act changes a record at random. A refused change has no effect.
func (o *office) act(ctx context.Context) {
	firm := o.server.Firm()
	matter := firm.MatterIDs[o.chance.IntN(len(firm.MatterIDs))]
	acts := []func(){
		func() {
			fee := models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(time.Now()), Rate: models.MustDecimal("385.50")}
			o.fees = append(o.fees, o.server.AddFee(firm.MatterID, fee))
		},
		func() {
			_, _ = o.client.Fees.Patch(ctx, firm.MatterID, o.fee(), models.FeePatch{Duration: models.Some(o.chance.IntN(9))})
		},
		func() { _, _ = o.client.Fees.Delete(ctx, firm.MatterID, o.fee()) },
		func() { _, _ = o.client.Contacts.Delete(ctx, firm.RelatedContactID) },
		func() { o.server.AddContact(models.ContactWrite{Company: models.CompanyWrite{Name: "Harbour Ltd"}}) },
		func() {
			_, _ = o.client.Memos.Create(ctx, matter, models.MemoWrite{Title: "A call", Text: "About the lease"})
		},
		func() { _, _ = o.client.Memos.Delete(ctx, firm.MatterID, firm.MemoID) },
		func() { _, _ = o.client.Matters.Delete(ctx, firm.MatterIDs[len(firm.MatterIDs)-1]) },
		func() { _, _ = o.client.Staff.Delete(ctx, firm.StaffIDs[len(firm.StaffIDs)-1]) },
		func() { o.server.DeleteEvent(o.event()) },
		func() { o.server.ForgetEvent(o.event()) },
		func() { o.server.RescheduleEvent(o.event(), time.Hour) },
		func() { o.server.AddGroup(models.GroupCreate{Name: "Night shift"}) },
		func() { o.wait(time.Duration(o.chance.IntN(400)) * time.Millisecond) },
		func() { o.wait(time.Duration(o.chance.IntN(30)) * time.Hour) },
		func() {
			o.server.Clock().Set(o.server.Clock().Now().Add(-time.Duration(o.chance.IntN(60)) * time.Minute))
		},
		func() { o.disturb() },
		func() { o.hint(ctx) },
	}
	acts[o.chance.IntN(len(acts))]()
}

func (o *office) wait(d time.Duration) { <-time.After(d) }

func (o *office) fee() string { return o.fees[o.chance.IntN(len(o.fees))] }

func (o *office) event() string {
	ids := o.server.EventIDs()
	if len(ids) == 0 {
		return ""
	}
	return ids[o.chance.IntN(len(ids))]
}

// disturb lets one of the next requests fail.
func (o *office) disturb() {
	faults := []practicetest.Fault{
		{Kind: practicetest.FaultStatus, Status: 500}, {Kind: practicetest.FaultStatus, Status: 403}, {Kind: practicetest.FaultStatus, Status: 404},
		{Kind: practicetest.FaultTruncated}, {Kind: practicetest.FaultResetAfter}, {Kind: practicetest.FaultStatus, Status: 200, Body: "{}"},
		{Kind: practicetest.FaultStatus, Status: 200, Body: `{"value":[]}`},
	}
	fault := faults[o.chance.IntN(len(faults))]
	operations := []string{"getFirm", "listMatters", "listContacts", "listFees", "listMemos", "listEvents", "listStaff", "getContact", "getFee", "getEvent", "listMatterRoles", "listMatterTags"}
	fault.Operation = operations[o.chance.IntN(len(operations))]
	fault.Times = 1 + o.chance.IntN(3)
	o.server.Inject(fault)
}

// hint passes an event to the copy: a true one, a forged one, or one of a kind
// that it does not have.
func (o *office) hint(ctx context.Context) {
	area := []string{"fee", "event", "contact", "roles", "nothing", "memo"}[o.chance.IntN(6)]
	id := []string{o.fee(), o.event(), o.server.Firm().RelatedContactID, o.server.Firm().MatterID, "00000000-0000-4000-8000-000000000000"}[o.chance.IntN(5)]
	require.NoError(o.t, o.copy.Hint(ctx, eventOf(o.t, area+".updated", id, o.server.Firm().MatterID)))
}

func eventOf(t testing.TB, kind, id, matter string) *webhook.Event[json.RawMessage] {
	t.Helper()
	payload, err := json.Marshal(map[string]any{"id": id, "matterId": matter})
	require.NoError(t, err)
	return &webhook.Event[json.RawMessage]{Type: models.EventType(kind), Payload: payload}
}

// round makes a round, whose errors are those of the service.
func (o *office) round() {
	err := o.copy.Sync(o.t.Context())
	if err != nil {
		require.False(o.t, errors.Is(err, ErrAnotherFirm) || errors.Is(err, ErrTakenOver), err)
	}
}

// settled brings the copy to a rest, and compares it with the service.
func (o *office) settled() {
	o.server.ClearFaults()
	o.server.Settle()
	o.wait(2 * time.Hour) // beyond a clock that was set back, and until lists show everything
	for range 3 {
		require.NoError(o.t, o.copy.Sync(o.t.Context()))
		o.wait(25 * time.Hour) // so that each round reads all lists whole
	}
	want, got := served(o.t, o.copy), stored(o.t, o.copy)
	for key := range got {
		if _, listed := want[key]; !listed && o.belowDeleted(key) {
			delete(got, key) // its matter is deleted: no list has it any more
		}
	}
	require.Equal(o.t, want, got)
	checkChanges(o.t, o.copy, "at rest")
}

func (o *office) belowDeleted(key string) (deleted bool) {
	kind, id, _ := strings.Cut(key, " ")
	row := o.copy.store.Row(o.t.Context(), `SELECT EXISTS (SELECT 1 FROM copy_records r JOIN copy_records m ON m.kind = 'matters' AND m.id = r.parent
		WHERE r.kind = ? AND r.id = ? AND m.deleted)`, kind, id)
	require.NoError(o.t, row.Scan(&deleted))
	return deleted
}

// checkChanges checks that the changes of each record lead to its state.
func checkChanges(t testing.TB, c *Copy, when string) {
	t.Helper()
	changes, err := c.Changes(t.Context(), 0, 1_000_000)
	require.NoError(t, err)
	live, last := map[string]bool{}, int64(0)
	for _, one := range changes {
		require.Greater(t, one.Number, last, when)
		last = one.Number
		was, known := live[one.Kind+" "+one.ID]
		switch one.What {
		case Created:
			require.False(t, known, "%s: %+v", when, one)
		case Updated:
			require.True(t, was, "%s: %+v", when, one)
		case Deleted:
			require.True(t, was || !known, "%s: %+v", when, one)
		case Restored:
			require.True(t, known && !was, "%s: %+v", when, one)
		}
		live[one.Kind+" "+one.ID] = one.What != Deleted
	}
	got := stored(t, c)
	for key, is := range live {
		_, there := got[key]
		assert.Equal(t, is, there, "%s: %s", when, key)
	}
}

// Records change, vanish and come back while the service is unkind: lists lag,
// responses fail or are not those that were asked for, the clock is set back,
// hints are lost, doubled and forged.
func TestTheCopyFollowsAnUnkindService(t *testing.T) {
	t.Parallel()
	for seed := range uint64(soak.Times(either(6, 2), either(2000, 200))) {
		t.Run(fmt.Sprint("seed ", seed+1), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := newOffice(t, seed+1, practicetest.WithConsistency(practicetest.Unkind()))
				for range o.chance.IntN(60) {
					if o.chance.IntN(5) == 0 {
						o.round()
						continue
					}
					o.act(t.Context())
				}
				o.settled()
			})
		})
	}
}

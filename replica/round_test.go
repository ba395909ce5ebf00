package replica

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

var small = []practicetest.Option{practicetest.WithMatters(2), practicetest.WithEvents(8)}

// A round that ends at any request keeps what it has, and the next continues.
func TestARoundThatEndsAtAnyRequestIsContinued(t *testing.T) {
	t.Parallel()
	for nth := int64(1); ; nth++ {
		var left atomic.Int64
		var end context.CancelFunc
		server := practicetest.New(t, append(small, practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
			if left.Add(-1) == 0 {
				end()
			}
		}))...)
		c := copyOf(t, server.Client(t), Options{Kinds: []string{"staff", "contacts", "fees", "roles"}})
		ctx, cancel := context.WithCancel(t.Context())
		end = cancel
		left.Store(nth)
		err := c.Sync(ctx)
		cancel()
		if err == nil {
			require.Greater(t, nth, int64(8))
			return
		}
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, c.Sync(t.Context()))
		require.Equal(t, served(t, c), stored(t, c), nth)
	}
}

// A response of the right form that is not what was asked for changes nothing
// that cannot be undone, whichever request it is for.
func TestAWrongResponseToAnyRequestDeletesNothing(t *testing.T) {
	t.Parallel()
	kinds := []string{"staff", "contacts", "groups", "fees", "matter_tags", "roles"}
	for _, fault := range []practicetest.Fault{
		{Status: 200, Body: "{}"}, {Status: 200, Body: `{"value":[]}`}, {Status: 200, Body: `[]`}, {Status: 403}, {Status: 401}, {Status: 404},
		{Status: 500}, {Kind: practicetest.FaultTruncated}, {Status: 200, Body: `{"value":[{}]}`}, {Status: 200, Body: `{"id":"00000000-0000-4000-8000-000000000000"}`},
	} {
		server := practicetest.New(t, small...)
		c := copyOf(t, server.Client(t, practice.WithRetries(0)), Options{Kinds: kinds})
		require.NoError(t, c.Sync(t.Context()))
		want := stored(t, c)
		for skip := range 12 {
			server.Clock().Advance(25 * time.Hour) // each round reads the lists whole
			fault.Skip = skip
			server.Inject(fault)
			_ = c.Sync(t.Context()) // its error is that of the response
			require.Equal(t, want, stored(t, c), "%+v", fault)
			server.ClearFaults()
			require.NoError(t, c.Sync(t.Context()))
			require.Equal(t, want, stored(t, c), "%+v", fault)
		}
	}
}

// An element that cannot be read costs neither the others nor the lists behind.
func TestAnUnreadableRecordEndsNoRound(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"contacts", "groups"}})
	server.AddGroup(models.GroupCreate{Name: "Night shift"})
	server.Inject(practicetest.Fault{Operation: "listContacts", Times: -1, Status: 200, Body: `{"value":[{"error":"internal"},{"id":"` + server.Firm().ContactID + `","versionId":"1"}]}`})
	for range 3 {
		require.ErrorIs(t, c.Sync(t.Context()), ErrUnreadable)
		server.Clock().Advance(25 * time.Hour)
	}
	status, err := c.Status(t.Context())
	require.NoError(t, err)
	for _, of := range status[1:] {
		assert.Equal(t, of.Kind == "groups", of.Complete, of.Kind)
		assert.Positive(t, of.Records, of.Kind)
	}
	server.ClearFaults()
	require.NoError(t, c.Sync(t.Context()))
	assert.Equal(t, served(t, c), stored(t, c))
	server.Inject(practicetest.Fault{Operation: "listContacts", Times: -1, Status: 200, Body: `{"value":[{}]}`})
	want := stored(t, c)
	for range 3 {
		server.Clock().Advance(25 * time.Hour)
		require.ErrorAs(t, c.Sync(t.Context()), new(*practice.RecordError))
		assert.Equal(t, want, stored(t, c), "it proves no absence")
	}
}

// An element that cannot be read, and many that are missing, keep no other record
// from being read by its id, and neither does one that cannot be read by its id.
func TestAListThatIsNotBelievedLeavesRecordsToBeRead(t *testing.T) {
	t.Parallel()
	of := func(n, version int) string {
		return fmt.Sprintf(`{"id":"%s","versionId":"63891234567890123%d"}`, idOf(n), version)
	}
	var all []string
	for n := range 2 * many {
		all = append(all, of(n, 9))
	}
	older := []string{of(0, 1), of(1, 1)}
	for because, later := range map[error][]string{ErrUnreadable: slices.Concat(older, all[2:], []string{`{"error":"internal"}`}), ErrManyMissing: older} {
		server, list, asked := practicetest.New(t, small...), all, 0
		c := copyOf(t, inPlaceOf(t, server, func(r *http.Request) (int, string) {
			_, id, one := strings.Cut(r.URL.Path, "/contacts/")
			switch {
			case one:
				asked++
				return http.StatusOK, map[string]string{idOf(0): `{"id":"` + id + `","company":"later"}`, idOf(1): of(1, 1)}[id]
			case strings.HasSuffix(r.URL.Path, "/contacts"):
				return http.StatusOK, `{"value":[` + strings.Join(list, ",") + `]}`
			}
			return 0, ""
		}), Options{Kinds: []string{"contacts"}})
		require.NoError(t, c.Sync(t.Context()))
		before := statusOf(t, c, "contacts").TrueAt
		list = later
		server.Clock().Advance(25 * time.Hour)
		require.ErrorIs(t, c.Sync(t.Context()), because)
		assert.Equal(t, 2, asked)
		assert.Contains(t, stored(t, c)["contacts "+idOf(1)], `01231"`)
		assert.Equal(t, before, statusOf(t, c, "contacts").TrueAt)
	}
}

// Neither a record that is missing from its list nor one of a hint costs another
// list if its read by id returns a form that is not known, or fails.
func TestAReadByIDThatFailsEndsNoRound(t *testing.T) {
	t.Parallel()
	for _, fault := range []practicetest.Fault{{Status: 200, Body: `{"id":"%s","subject":["later"]}`}, {Status: 500}, {Kind: practicetest.FaultResetAfter}} {
		server := practicetest.New(t, small...)
		c := copyOf(t, server.Client(t, practice.WithRetries(0)), Options{Kinds: []string{"events", "groups", "fees"}})
		require.NoError(t, c.Sync(t.Context()))
		want, absent := stored(t, c), server.EventIDs()[0]
		server.ForgetEvent(absent)
		server.Clock().Advance(25 * time.Hour)
		fault.Operation, fault.Times, fault.Body = "getEvent", -1, strings.Replace(fault.Body, "%s", absent, 1)
		server.Inject(fault)
		for _, hinted := range []bool{false, true} {
			if hinted {
				require.NoError(t, c.Hint(t.Context(), eventOf(t, "event.updated", absent, "")))
			}
			group := server.AddGroup(models.GroupCreate{Name: "Night shift"})
			require.Error(t, c.Sync(t.Context()), "%+v %v", fault, hinted)
			got := stored(t, c)
			assert.Contains(t, got, "groups "+group, "%+v, hinted: %v", fault, hinted)
			assert.Equal(t, want["events "+absent], got["events "+absent])
		}
		server.ClearFaults()
		require.NoError(t, c.Sync(t.Context()))
		assert.Equal(t, served(t, c), stored(t, c))
	}
}

// A list that the service does not serve keeps no other from being copied, but
// an outage ends the round.
func TestAListThatFailsEndsNoRound(t *testing.T) {
	t.Parallel()
	for _, fault := range []practicetest.Fault{{Status: 500}, {Kind: practicetest.FaultResetAfter}, {Status: 200, Body: "<html>"}} {
		server := practicetest.New(t, small...)
		c := copyOf(t, server.Client(t, practice.WithRetries(0)), Options{Kinds: []string{"contacts", "groups", "fees"}})
		server.AddGroup(models.GroupCreate{Name: "Night shift"})
		fault.Operation, fault.Times = "listContacts", -1
		server.Inject(fault)
		require.ErrorContains(t, c.Sync(t.Context()), "replica: contacts: ")
		status, err := c.Status(t.Context())
		require.NoError(t, err)
		for _, of := range status {
			assert.Equal(t, of.Kind != "contacts", of.Complete, of.Kind)
		}
		server.ClearFaults()
		require.NoError(t, c.Sync(t.Context()))
		assert.Equal(t, served(t, c), stored(t, c))

		server.Inject(practicetest.Fault{Status: 503, Times: -1, Skip: 1}) // the firm is read
		before := len(server.Requests())
		require.Error(t, c.Sync(t.Context()))
		assert.Len(t, server.Requests()[before:], 1+outage+1)
	}
}

func TestTheProgressOfARoundReachesItsEnd(t *testing.T) {
	t.Parallel()
	var all []Progress
	server := practicetest.New(t, practicetest.WithMatters(4))
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"staff", "fees", "roles"}, Progress: func(p Progress) { all = append(all, p) }})
	require.NoError(t, c.Sync(t.Context()))
	lists, records := 0, map[string]int{}
	for i, p := range all {
		lists, records[p.Kind] = p.Lists, p.Records
		if i > 0 {
			assert.GreaterOrEqual(t, p.Read, all[i-1].Read)
		}
	}
	assert.Equal(t, Progress{Kind: "roles", Records: records["roles"], Lists: lists, Read: lists}, all[len(all)-1])
	status, err := c.Status(t.Context())
	require.NoError(t, err)
	for _, of := range status {
		assert.Equal(t, of.Records+of.Deleted, records[of.Kind], of.Kind)
	}
	assert.Equal(t, 2+2*records["matters"], lists)
}

func TestAListThatVanishesIsNotBelieved(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithMatters(2), practicetest.WithEvents(30))
	options := Options{Kinds: []string{"events", "tasks"}}
	c := copyOf(t, server.Client(t), options)
	require.NoError(t, c.Sync(t.Context()))
	want := stored(t, c)
	for _, id := range server.EventIDs() {
		server.ForgetEvent(id)
	}
	added := "events " + server.AddEvent(models.CalendarEventWrite{Subject: "Hearing", StartTime: models.LocalDateTimeOf(time.Now()), EndTime: models.LocalDateTimeOf(time.Now().Add(time.Hour)), TimeZone: "Europe/London"})
	server.Clock().Advance(25 * time.Hour)
	require.ErrorIs(t, c.Sync(t.Context()), ErrManyMissing)
	kept := stored(t, c)
	assert.NotEmpty(t, kept[added], "a record of the list is stored")
	delete(kept, added)
	assert.Equal(t, want, kept)

	options.AllowMissing = true
	again, err := Open(t.Context(), c.store.DB, server.Client(t), options)
	require.NoError(t, err)
	require.NoError(t, again.Sync(t.Context()))
	assert.Equal(t, served(t, c), stored(t, c))
	assert.NotEqual(t, want, stored(t, c))
}

func TestACopyIsThatOfOneFirm(t *testing.T) {
	t.Parallel()
	c := copyOf(t, practicetest.New(t, small...).Client(t), Options{Kinds: few})
	require.NoError(t, c.Sync(t.Context()))
	want := stored(t, c)
	other := practicetest.New(t, append(small, practicetest.WithSeed(7))...)
	stranger, err := Open(t.Context(), c.store.DB, other.Client(t), Options{Kinds: few})
	require.NoError(t, err)
	require.ErrorIs(t, stranger.Sync(t.Context()), ErrAnotherFirm)
	assert.Equal(t, want, stored(t, c))
}

func TestACopyHasOneWriter(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"staff"}})
	w, release, err := c.write(t.Context())
	require.NoError(t, err)
	waiting, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, c.Sync(waiting), context.DeadlineExceeded)
	release()

	second, release, err := c.write(t.Context()) // as after the lease of the first has ended
	require.NoError(t, err)
	defer release()
	require.ErrorIs(t, w.round(t.Context(), 0), ErrTakenOver)
	assert.Empty(t, stored(t, c))
	require.NoError(t, second.round(t.Context(), 0))
	assert.Equal(t, served(t, c), stored(t, c))
}

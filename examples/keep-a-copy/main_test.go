package main

import (
	"context"
	"iter"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// copyOf opens a copy of a service in a new file.
func copyOf(t *testing.T, server *practicetest.Server) *copier {
	t.Helper()
	c, err := openCopy(t.Context(), server.Client(t), filepath.Join(t.TempDir(), "copy #1?.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.db.Close()) })
	return c
}

func round(t *testing.T, c *copier, full bool) map[string]*counts {
	t.Helper()
	found, err := c.round(t.Context(), full)
	require.NoError(t, err)
	return found
}

// live returns the records of the copy that are not deleted, by kind and id.
func live(t *testing.T, c *copier) map[string]string {
	t.Helper()
	rows, err := c.db.QueryContext(t.Context(), `SELECT kind || ' ' || id, record FROM records WHERE NOT deleted`)
	require.NoError(t, err)
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var key, text string
		require.NoError(t, rows.Scan(&key, &text))
		all[key] = text
	}
	require.NoError(t, rows.Err())
	return all
}

// there returns the records in the current lists of the service.
func there(t *testing.T, server *practicetest.Server) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(k kind, matter string) {
		for r, err := range k.list(t.Context(), server.Client(t), matter, time.Time{}) {
			require.NoError(t, err)
			if !r.deleted {
				all[k.name+" "+r.id] = r.text
			}
		}
	}
	for _, k := range kinds() {
		if !k.ofMatters {
			add(k, "")
			continue
		}
		for matter, err := range server.Client(t).Matters.All(t.Context(), practice.MatterListOptions{Type: models.MatterListTypeMattersLeads}) {
			require.NoError(t, err)
			if matter.Status != models.MatterStatusDeleted {
				add(k, matter.ID)
			}
		}
	}
	return all
}

// Records are changed, added and deleted between the rounds, and the service is
// as unkind as possible: lists are stale, and updates become visible late.
func TestTheCopyFollowsAnUnkindService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithConsistency(practicetest.Unkind()))
		c, client, firm := copyOf(t, server), server.Client(t), server.Firm()
		round(t, c, false)
		assert.Equal(t, there(t, server), live(t, c))
		assert.Contains(t, live(t, c), "matters "+firm.LeadID, "a lead, which the list of matters leaves out")

		fee := models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(time.Now()), Rate: models.MustDecimal("385.50")}
		for i := range 12 {
			_, err := client.Fees.Create(t.Context(), firm.MatterIDs[i%3], fee)
			require.NoError(t, err)
			_, err = client.Memos.Create(t.Context(), firm.LeadID, models.MemoWrite{Title: "A call", Text: "About the lease"})
			require.NoError(t, err)
			_, err = client.Fees.Patch(t.Context(), firm.MatterID, firm.FeeID, models.FeePatch{Duration: models.Some(i + 1)})
			require.NoError(t, err)
			round(t, c, i%4 == 3) // in the middle of it
			<-time.After(time.Duration(i) * 50 * time.Millisecond)
		}
		_, err := client.Memos.Delete(t.Context(), firm.MatterID, firm.MemoID)
		require.NoError(t, err)
		_, err = client.Contacts.Delete(t.Context(), firm.RelatedContactID)
		require.NoError(t, err)
		_, err = client.Staff.Delete(t.Context(), firm.StaffIDs[len(firm.StaffIDs)-1])
		require.NoError(t, err)
		_, err = client.Matters.Delete(t.Context(), firm.MatterIDs[3])
		require.NoError(t, err)
		require.True(t, server.ForgetEvent(firm.EventID))
		server.Settle()
		<-time.After(time.Second) // until the lists show everything
		for range 3 {
			round(t, c, true)
		}
		assert.Equal(t, there(t, server), withoutListsOf(live(t, c), t, c, firm.MatterIDs[3]))
	})
}

// withoutListsOf removes the records that were listed below a deleted matter:
// they are in no list any more, but not deleted.
func withoutListsOf(all map[string]string, t *testing.T, c *copier, matter string) map[string]string {
	t.Helper()
	rows, err := c.db.QueryContext(t.Context(), `SELECT kind || ' ' || id FROM records WHERE matter = ?`, matter)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var key string
		require.NoError(t, rows.Scan(&key))
		delete(all, key)
	}
	require.NoError(t, rows.Err())
	return all
}

func TestASecondRoundAsksOnlyForWhatHasChanged(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	c := copyOf(t, server)
	first := round(t, c, false)
	server.Clock().Advance(time.Hour)
	server.ResetRequests()
	second := round(t, c, false)
	for name, of := range second {
		assert.Equal(t, counts{present: first[name].present}, *of, name)
	}
	for _, request := range server.Requests() {
		switch request.Operation {
		case "listMatters", "listContacts", "listEvents", "listFees":
			assert.Contains(t, request.RawQuery, "pdated", request.Operation)
		}
	}
	server.Clock().Advance(24 * time.Hour)
	server.ResetRequests()
	round(t, c, false)
	for _, request := range server.Requests() {
		assert.NotContains(t, request.RawQuery, "pdated", "the first round of a day reads everything")
	}
}

// A round that ends at any request keeps the lists that it completed, and the
// next one continues.
func TestARoundThatIsCutGoesOn(t *testing.T) {
	t.Parallel()
	for _, nth := range []int64{1, 2, 5, 13, 21} {
		var left atomic.Int64
		var cut context.CancelFunc
		server := practicetest.New(t, practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
			if left.Add(-1) == 0 {
				cut()
			}
		}))
		c := copyOf(t, server)
		ctx, cancel := context.WithCancel(t.Context())
		cut = cancel
		left.Store(nth)
		_, err := c.round(ctx, false)
		require.ErrorIs(t, err, context.Canceled, nth)
		cancel()
		round(t, c, false)
		assert.Equal(t, there(t, server), live(t, c), nth)
	}
}

func TestAMarkThatLiesAheadIsNotTrusted(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	c := copyOf(t, server)
	server.Clock().Advance(2 * time.Hour)
	round(t, c, false)
	server.Clock().Set(server.Clock().Now().Add(-time.Hour)) // the clock of the service was fast
	server.AddFee(server.Firm().MatterID, models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(time.Now()), Rate: models.MustDecimal("385.50")})
	round(t, c, false)
	assert.Equal(t, there(t, server), live(t, c))
}

// script returns a kind whose list the test controls.
func script(t *testing.T) (c *copier, list *[]record, fails *error) {
	t.Helper()
	c = copyOf(t, practicetest.New(t))
	list, fails = new([]record), new(error)
	c.kinds = []kind{{"things", false, false, func(context.Context, *practice.Client, string, time.Time) iter.Seq2[record, error] {
		return func(yield func(record, error) bool) {
			for _, r := range *list {
				if !yield(r, nil) {
					return
				}
			}
			if *fails != nil {
				yield(record{}, *fails)
			}
		}
	}}}
	return c, list, fails
}

func TestAbsentIsNotDeleted(t *testing.T) {
	t.Parallel()
	c, list, fails := script(t)
	a, b := record{id: "a", text: "{}"}, record{id: "b", text: "{}"}
	for i, step := range []struct {
		rule string
		list []record
		fail error
		want []string
	}{
		{"both are there", []record{a, b}, nil, []string{"things a", "things b"}},
		{"absent once", []record{a}, nil, []string{"things a", "things b"}},
		{"it was there after all", []record{a, b}, nil, []string{"things a", "things b"}},
		{"absent once again", []record{a}, nil, []string{"things a", "things b"}},
		{"absent from a walk that fails", []record{a}, practice.ErrIncomplete, []string{"things a", "things b"}},
		{"absent from two complete walks in a row", []record{a}, nil, []string{"things a"}},
		{"it comes back", []record{a, b}, nil, []string{"things a", "things b"}},
	} {
		*list, *fails = step.list, step.fail
		_, err := c.round(t.Context(), false)
		require.ErrorIs(t, err, step.fail, step.rule)
		var keys []string
		for key := range live(t, c) {
			keys = append(keys, key)
		}
		assert.ElementsMatch(t, step.want, keys, "%d: %s", i, step.rule)
	}
}

func TestWhatBecomesOfARecord(t *testing.T) {
	t.Parallel()
	one := func(version models.Ticks, text string, deleted bool) record {
		return record{id: "a", version: version, deleted: deleted, text: text}
	}
	for name, test := range map[string]struct {
		seen []record
		want counts // of the last round
		text string
	}{
		"first met":                  {[]record{one(1, "a", false)}, counts{added: 1, present: 1}, "a"},
		"met again":                  {[]record{one(1, "a", false), one(1, "a", false)}, counts{present: 1}, "a"},
		"changed":                    {[]record{one(1, "a", false), one(2, "b", false)}, counts{changed: 1, present: 1}, "b"},
		"another content, same time": {[]record{one(1, "a", false), one(1, "b", false)}, counts{changed: 1, present: 1}, "b"},
		"a list that lags":           {[]record{one(2, "b", false), one(1, "a", false)}, counts{present: 1}, "b"},
		"no time":                    {[]record{one(0, "b", false), one(0, "a", false)}, counts{changed: 1, present: 1}, "a"},
		"deleted":                    {[]record{one(1, "a", false), one(2, "a", true)}, counts{deleted: 1}, ""},
		"late, after it was deleted": {[]record{one(1, "a", false), one(3, "a", true), one(2, "b", false)}, counts{}, ""},
		"restored":                   {[]record{one(1, "a", false), one(2, "a", true), one(3, "b", false)}, counts{added: 1, present: 1}, "b"},
		"deleted before it was met":  {[]record{one(1, "a", true)}, counts{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, list, _ := script(t)
			var last map[string]*counts
			for _, r := range test.seen {
				*list = []record{r}
				last = round(t, c, false)
			}
			assert.Equal(t, test.want, *last["things"])
			assert.Equal(t, test.text, live(t, c)["things a"])
		})
	}
}

func TestAListThatVanishesIsNotBelieved(t *testing.T) {
	t.Parallel()
	c, list, _ := script(t)
	for i := range 30 {
		*list = append(*list, record{id: string(rune('a' + i)), text: "{}"})
	}
	round(t, c, false)
	*list = nil
	round(t, c, false)
	for range 2 {
		_, err := c.round(t.Context(), false)
		require.ErrorIs(t, err, errVanished)
	}
	assert.Len(t, live(t, c), 30)
}

func TestAFileIsTheCopyOfOneFirmAndHasOneWriter(t *testing.T) {
	t.Parallel()
	c, list, _ := script(t)
	round(t, c, false)
	other := *c
	other.client = practicetest.New(t, practicetest.WithSeed(7)).Client(t)
	_, err := other.round(t.Context(), false)
	require.ErrorIs(t, err, errAnother)

	second := *c
	*list = []record{{id: "a", text: "{}"}}
	walk := c.kinds[0].list
	c.kinds[0].list = func(ctx context.Context, client *practice.Client, matter string, since time.Time) iter.Seq2[record, error] {
		_, err := second.begin(ctx)
		return func(yield func(record, error) bool) {
			if err != nil {
				yield(record{}, err)
				return
			}
			walk(ctx, client, matter, since)(yield)
		}
	}
	_, err = c.round(t.Context(), false)
	require.ErrorIs(t, err, errTaken)
	assert.Empty(t, live(t, c))
}

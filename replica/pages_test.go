package replica

import (
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// made is a list of records with nothing but an id, which can change between
// two pages.
type made struct {
	path   string
	ids    []string
	before func(offset int) // called before a page; nil: nothing happens
	broken bool             // whether pages after the first fail
}

func idOf(n int) string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", n) }

// madeOf returns a list of n records.
func madeOf(path string, n int) *made {
	m := &made{path: path}
	for i := range n {
		m.ids = append(m.ids, idOf(i))
	}
	return m
}

// serve responds to requests for a page of the list, and for a record of it.
func (m *made) serve(r *http.Request) (status int, body string) {
	if _, id, is := strings.Cut(r.URL.Path, m.path+"/"); is {
		if slices.Contains(m.ids, id) {
			return http.StatusOK, `{"id":"` + id + `"}`
		}
		return http.StatusNotFound, `{}`
	}
	if !strings.HasSuffix(r.URL.Path, m.path) {
		return 0, ""
	}
	offset, _ := strconv.Atoi(r.URL.Query().Get("Offset")) // 0 on the first page
	if m.before != nil {
		m.before(offset)
	}
	if m.broken && offset > 0 {
		return http.StatusInternalServerError, `{}`
	}
	return http.StatusOK, pageOf(m.ids, offset)
}

func pageOf(ids []string, offset int) string {
	var page []string
	for _, id := range ids[min(offset, len(ids)):min(offset+practice.MaxPageSize, len(ids))] {
		page = append(page, `{"id":"`+id+`"}`)
	}
	return fmt.Sprintf(`{"size":%d,"value":[%s]}`, len(ids), strings.Join(page, ","))
}

// A walk that fails in its middle has stored what it read. Its mark does not
// advance, so the next round reads the list from the same time, or whole.
func TestAWalkThatFailsInItsMiddleKeepsItsRecordsAndNoMark(t *testing.T) {
	t.Parallel()
	list := madeOf("/contacts", practice.MaxPageSize+10)
	server := practicetest.New(t, small...)
	c := copyOf(t, inPlaceOf(t, server, list.serve), Options{Kinds: []string{"contacts"}})
	round := func(broken bool) (failed bool, of KindStatus) {
		list.broken = broken
		err := c.Sync(t.Context())
		server.Clock().Advance(25 * time.Hour)
		return err != nil, statusOf(t, c, "contacts")
	}
	failed, first := round(true)
	require.True(t, failed)
	assert.Equal(t, KindStatus{Kind: "contacts", Records: practice.MaxPageSize, Lists: 1}, first)
	failed, second := round(false)
	require.False(t, failed)
	assert.Equal(t, len(list.ids), second.Records)
	assert.True(t, second.Complete)
	list.ids = append([]string{idOf(9999)}, list.ids...)
	failed, third := round(true)
	require.True(t, failed)
	assert.Equal(t, second.Records+1, third.Records)
	assert.Equal(t, second.TrueAt, third.TrueAt)
}

// A list that shifts between two pages leaves a record out. The walk fails,
// nothing is deleted, and the next round has all records.
func TestAListThatShiftsBetweenPagesLosesNothing(t *testing.T) {
	t.Parallel()
	for kind, path := range map[string]string{"groups": "/groups", "matter_types": "/mattertypes", "contacts": "/contacts"} { // read by id; not; with a filter
		list := madeOf(path, practice.MaxPageSize+10)
		server := practicetest.New(t, small...)
		c := copyOf(t, inPlaceOf(t, server, list.serve), Options{Kinds: []string{kind}})
		round := func(shift func()) (err error) {
			list.before = func(offset int) {
				if offset > 0 && shift != nil {
					shift()
					shift = nil
				}
			}
			server.Clock().Advance(25 * time.Hour) // the list is read whole
			server.Tolerate(func() { err = c.Sync(t.Context()) })
			return err
		}
		for i, shift := range []func(){
			func() { list.ids = append(list.ids[1:], list.ids[0]) },
			func() { list.ids = append([]string{list.ids[len(list.ids)-1]}, list.ids[:len(list.ids)-1]...) },
			func() { slices.Reverse(list.ids) },
			func() { list.ids = append(list.ids[2:], list.ids[0], idOf(9999)) },
			func() { list.ids = list.ids[1:] },
		} {
			require.ErrorAs(t, round(shift), new(*practice.PagingError), "%s: %d", kind, i)
			changes, err := c.Changes(t.Context(), 0, 10_000)
			require.NoError(t, err)
			for _, change := range changes {
				require.True(t, change.What == Created || slices.Contains(list.ids, change.ID) == (change.What != Deleted), "%s: %d: %+v", kind, i, change)
			}
			require.NoError(t, round(nil))
			require.NoError(t, round(nil)) // absent twice, if nothing can be read by its id
			assert.Len(t, stored(t, c), len(list.ids), "%s: %d", kind, i)
		}
	}
}

// A first copy of ten times the records sends ten times the requests, allocates
// ten times as much, and holds no record.
func TestACopyOfAnySizeHoldsNoRecord(t *testing.T) { //nolint:paralleltest // it measures the heap of the process
	onlyInFiles(t)
	const fees = 10 // of each matter
	heap := func() (m runtime.MemStats) {
		runtime.GC()
		runtime.GC() // what the first one put aside
		runtime.ReadMemStats(&m)
		return m
	}
	of := func(matters int) (requests, allocations, growth int) {
		list := madeOf("/matters", matters)
		var first, last runtime.MemStats
		client := inPlaceOf(t, practicetest.New(t, practicetest.WithMatters(1), practicetest.WithEvents(0), practicetest.WithRequestLog(1)), func(r *http.Request) (int, string) {
			matter, is := strings.CutSuffix(r.URL.Path, "/fees")
			if !is {
				return list.serve(r)
			}
			if requests++; requests == 1 {
				first = heap()
			} else if requests == matters {
				last = heap()
			}
			var ids []string
			for i := range fees {
				ids = append(ids, fmt.Sprintf("%s%012x", matter[len(matter)-36:len(matter)-12], i+1))
			}
			return http.StatusOK, pageOf(ids, 0)
		})
		c := copyOf(t, client, Options{Kinds: []string{"fees"}})
		require.NoError(t, c.Sync(t.Context()))
		require.Equal(t, matters*fees, statusOf(t, c, "fees").Records)
		return requests, int(last.Mallocs - first.Mallocs), int(last.HeapAlloc) - int(first.HeapAlloc)
	}
	matters := soak.Times(100, 10_000)
	requests, allocations, _ := of(matters)
	allRequests, all, growth := of(10 * matters)
	t.Logf("%d records: %d allocations; %d: %d, and %d bytes more on the heap", matters*fees, allocations, 10*matters*fees, all, growth)
	assert.Equal(t, 10*requests, allRequests)
	assert.LessOrEqual(t, all, 11*allocations)
	assert.Less(t, growth, 10*matters*fees*12, "an id alone has 36 bytes")
}

package main

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// history is what the database says of a contact.
type history struct {
	newest             models.Ticks
	changes, overtaken int
}

// check holds the database against the events 0 to count-1, all of which were
// acknowledged. It gives the number of events by process.
func (w *world) check(t *testing.T, db *copied, count int) map[int]int {
	t.Helper()
	want, processes := w.replay(t, db, count)
	rows, err := db.QueryContext(t.Context(), `SELECT id, timestamp, changes, overtaken FROM contacts`)
	require.NoError(t, err)
	defer rows.Close()
	got := map[string]history{}
	for rows.Next() {
		var id string
		var h history
		require.NoError(t, rows.Scan(&id, &h.newest, &h.changes, &h.overtaken))
		got[id] = h
	}
	require.NoError(t, rows.Err())
	assert.Equal(t, want, got, "the effects, which count, and the events, which are listed")
	sent := map[string]int{}
	for n := range count {
		sent[w.contact(n)]++
	}
	for id, h := range got {
		assert.Equal(t, sent[id], h.changes+h.overtaken, "each event once: contact %s", id)
	}
	w.checkCopy(t, db, slices.Collect(maps.Keys(sent)))
	return processes
}

// replay goes through the events in the order of their transactions: each is
// there once, and none took effect after a newer one of its contact.
func (w *world) replay(t *testing.T, db *copied, count int) (map[string]history, map[int]int) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT resource, timestamp, outcome, process FROM events ORDER BY number`)
	require.NoError(t, err)
	defer rows.Close()
	contacts, seen, processes := map[string]history{}, map[int]bool{}, map[int]int{}
	for rows.Next() {
		var id string
		var at models.Ticks
		var did outcome
		var process int
		require.NoError(t, rows.Scan(&id, &at, &did, &process))
		n := int(at - began)
		require.False(t, seen[n], "event %d is there twice", n)
		require.Equal(t, w.contact(n), id)
		seen[n] = true
		processes[process]++
		h := contacts[id]
		switch did {
		case applied:
			require.GreaterOrEqual(t, at, h.newest, "an event took effect after a newer one")
			h.newest = at
			h.changes++
		case overtaken:
			require.Less(t, at, h.newest, "an event had no effect although none was newer")
			h.overtaken++
		default:
			require.Fail(t, "another outcome", did)
		}
		contacts[id] = h
	}
	require.NoError(t, rows.Err())
	for n := range count {
		require.True(t, seen[n], "event %d was acknowledged and is lost", n)
	}
	require.Len(t, seen, count)
	return contacts, processes
}

// checkCopy compares the copy with the service.
func (w *world) checkCopy(t *testing.T, db *copied, contacts []string) {
	t.Helper()
	c := w.service.Credentials()
	client, err := practice.NewClient(w.service.BaseURL(), practice.WithAPIKey(c.APIKey), practice.WithAccessToken(c.AccessToken))
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	for _, id := range contacts {
		var want []string
		for link, err := range client.Contacts.AllRelations(t.Context(), id, practice.ContactRelationListOptions{}) {
			require.NoError(t, err)
			want = append(want, link.TargetID())
		}
		assert.ElementsMatch(t, want, related(t, db, id))
	}
}

func related(t *testing.T, db *copied, contact string) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT related FROM relations WHERE contact = ?`, contact)
	require.NoError(t, err)
	defer rows.Close()
	var all []string
	for rows.Next() {
		var id string
		require.NoError(t, rows.Scan(&id))
		all = append(all, id)
	}
	require.NoError(t, rows.Err())
	return all
}

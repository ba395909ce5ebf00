package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func event(updated, subject string, marks ...func(*models.CalendarEvent)) models.CalendarEvent {
	at, err := models.ParseDateTime(updated)
	if err != nil {
		panic(err)
	}
	e := models.CalendarEvent{ID: "e", Subject: subject, LastUpdated: at}
	for _, mark := range marks {
		mark(&e)
	}
	return e
}

func TestWhatBecomesOfAnEvent(t *testing.T) {
	t.Parallel()
	flagged := func(e *models.CalendarEvent) { e.IsDeleted = models.Some(true) }
	typed := func(e *models.CalendarEvent) { e.Type = models.CalendarEventTypeDeletedOccurrence }
	coded := func(e *models.CalendarEvent) { _ = e.EventType.UnmarshalJSON([]byte(`4`)) }
	const one, two, three = "2026-03-02T09:00:00Z", "2026-03-02T09:00:00.0000001Z", "2026-03-02T09:01:00"
	for name, test := range map[string]struct {
		events  []models.CalendarEvent
		changes []string
		subject string
		deleted bool
	}{
		"first met":                    {[]models.CalendarEvent{event(one, "a")}, []string{"new"}, "a", false},
		"met again":                    {[]models.CalendarEvent{event(one, "a"), event(one, "a")}, []string{"new"}, "a", false},
		"updated":                      {[]models.CalendarEvent{event(one, "a"), event(two, "b")}, []string{"new", "changed"}, "b", false},
		"another content, same time":   {[]models.CalendarEvent{event(one, "a"), event(one, "b")}, []string{"new", "changed"}, "b", false},
		"a page that is late":          {[]models.CalendarEvent{event(two, "b"), event(one, "a")}, []string{"new"}, "b", false},
		"deleted by its flag":          {[]models.CalendarEvent{event(one, "a"), event(two, "a", flagged)}, []string{"new", "deleted"}, "a", true},
		"deleted by its type":          {[]models.CalendarEvent{event(one, "a"), event(two, "a", typed)}, []string{"new", "deleted"}, "a", true},
		"deleted by the older member":  {[]models.CalendarEvent{event(one, "a"), event(two, "a", coded)}, []string{"new", "deleted"}, "a", true},
		"updated when it was deleted":  {[]models.CalendarEvent{event(one, "a"), event(two, "a", flagged), event(three, "b", flagged)}, []string{"new", "deleted"}, "b", true},
		"restored":                     {[]models.CalendarEvent{event(one, "a"), event(two, "a", flagged), event(three, "b")}, []string{"new", "deleted", "new"}, "b", false},
		"late, after it was deleted":   {[]models.CalendarEvent{event(one, "a"), event(three, "a", flagged), event(two, "b")}, []string{"new", "deleted"}, "a", true},
		"deleted before it was met":    {[]models.CalendarEvent{event(one, "a", flagged), event(two, "a")}, []string{"new"}, "a", false},
		"no time, and another content": {[]models.CalendarEvent{event(one, "a"), {ID: "e", Subject: "b"}}, []string{"new", "changed"}, "b", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &world{T: t, file: filepath.Join(t.TempDir(), "calendar.db")}
			c, err := openCopy(t.Context(), w.file)
			require.NoError(t, err)
			r := begun(t, c)
			for i := range test.events {
				require.NoError(t, c.store(t.Context(), r, test.events[i:i+1]))
			}
			require.NoError(t, c.Close())
			assert.Equal(t, test.changes, w.column(`SELECT kind FROM changes ORDER BY number`))
			assert.Equal(t, []string{test.subject}, w.column(`SELECT subject FROM events`))
			assert.Equal(t, test.deleted, w.column(`SELECT deleted FROM events`)[0] == "1")
		})
	}
}

// begun returns a full round that takes as deleted whatever vanished.
func begun(t *testing.T, c *calendarCopy) round {
	t.Helper()
	r, err := c.begin(t.Context(), source{service: "s", firm: "f", now: time.Now()}, true)
	require.NoError(t, err)
	r.prune = true
	return r
}

func TestAnEventThatVanishedMayComeBack(t *testing.T) {
	t.Parallel()
	w := &world{T: t, file: filepath.Join(t.TempDir(), "calendar.db")}
	c, err := openCopy(t.Context(), w.file)
	require.NoError(t, err)
	batch := []models.CalendarEvent{event("2026-03-02T09:00:00Z", "a")}
	for _, met := range [][]models.CalendarEvent{batch, nil, batch} {
		r := begun(t, c)
		require.NoError(t, c.store(t.Context(), r, met))
		require.NoError(t, c.finish(t.Context(), r))
	}
	require.NoError(t, c.Close())
	assert.Equal(t, []string{"new", "deleted", "new"}, w.column(`SELECT kind FROM changes ORDER BY number`))
	assert.Equal(t, []string{"0"}, w.column(`SELECT deleted FROM events`))
}

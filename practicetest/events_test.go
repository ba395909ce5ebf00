package practicetest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// everyEvent reads the whole calendar, including past events.
func everyEvent(t *testing.T, s *practicetest.Server) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, item := range call(t, s).get("/events?From=2000-01-01T00:00:00").want(200).list("value") {
		all = append(all, item.(map[string]any))
	}
	return all
}

// began returns the start time of an event, converted from the local time of
// its zone.
func began(t *testing.T, event map[string]any) time.Time {
	t.Helper()
	zone, err := time.LoadLocation(event["timeZone"].(string))
	require.NoError(t, err)
	at, err := time.ParseInLocation("2006-01-02T15:04:05", event["startTime"].(string), zone)
	require.NoError(t, err, "start times have no zone")
	return at
}

func TestTheCalendarIsInOrderAndAroundNow(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithEvents(90))
	all := everyEvent(t, s)
	require.Len(t, all, 90)
	assert.True(t, slices.IsSortedFunc(all, func(a, b map[string]any) int { return began(t, a).Compare(began(t, b)) }))
	future, zones, updates := 0, map[any]bool{}, map[bool]bool{}
	for _, e := range all {
		zones[e["timeZone"]] = true
		updates[strings.HasSuffix(e["lastUpdated"].(string), "Z")] = true
		if !began(t, e).Before(start) {
			future++
		}
	}
	assert.Equal(t, 60, future)
	assert.Len(t, zones, 5)
	assert.Len(t, updates, 2, "some updates are written without a zone")
	assert.Equal(t, json.Number("60"), call(t, s).get("/events").at("size"), "without From the list begins now")
	s.Clock().Advance(400 * 24 * time.Hour)
	assert.Equal(t, json.Number("0"), call(t, s).asClient().get("/events").at("size"))
}

func TestEventFilters(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithEvents(200))
	all := everyEvent(t, s)
	updated := func(e map[string]any) time.Time {
		at, err := time.Parse("2006-01-02T15:04:05.9999999", strings.TrimSuffix(e["lastUpdated"].(string), "Z"))
		require.NoError(t, err)
		return at
	}
	middle := began(t, all[100]).UTC()
	since := updated(all[17])
	ticks := since.Unix()*10_000_000 + int64(since.Nanosecond())/100 + 621355968000000000
	const iso = "2006-01-02T15:04:05"
	from := "From=2000-01-01T00:00:00"
	matter := s.Firm().MatterIDs[3]
	tests := map[string]struct {
		query string
		keep  func(e map[string]any) bool
	}{
		"from": {"From=" + middle.Format(iso), func(e map[string]any) bool { return !began(t, e).Before(middle) }},
		"to":   {from + "&To=" + middle.Format(iso), func(e map[string]any) bool { return !began(t, e).After(middle) }},
		"updated since, ISO": {from + "&UpdatedSince=" + since.Format(iso), func(e map[string]any) bool {
			return !updated(e).Before(since.Truncate(time.Second))
		}},
		"updated since, ticks":       {fmt.Sprintf("%s&UpdatedSince=%d", from, ticks), func(e map[string]any) bool { return !updated(e).Before(since) }},
		"updated since, a tick more": {fmt.Sprintf("%s&UpdatedSince=%d", from, ticks+1), func(e map[string]any) bool { return updated(e).After(since) }},
		"matter": {from + "&MatterId=" + strings.ToUpper(matter), func(e map[string]any) bool {
			m, isLink := e["matter"].(map[string]any)
			return isLink && m["id"] == matter
		}},
		"without deleted ones": {from + "&ExcludeDeletedEvents=true", func(e map[string]any) bool { return e["isDeleted"] == false }},
		"with deleted ones":    {from + "&ExcludeDeletedEvents=false", func(map[string]any) bool { return true }},
		"names in lower case":  {"from=2000-01-01T00:00:00&excludedeletedevents=True", func(e map[string]any) bool { return e["isDeleted"] == false }},
		"all at once": {"From=" + middle.Format(iso) + "&To=2030-01-01T00:00:00&ExcludeDeletedEvents=true&UpdatedSince=" + since.Format(iso) + "&MatterId=" + matter,
			func(e map[string]any) bool {
				m, isLink := e["matter"].(map[string]any)
				return !began(t, e).Before(middle) && e["isDeleted"] == false && !updated(e).Before(since.Truncate(time.Second)) && isLink && m["id"] == matter
			}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want []string
			for _, e := range all {
				if tt.keep(e) {
					want = append(want, e["id"].(string))
				}
			}
			require.NotEmpty(t, want)
			a := call(t, s).get("/events?" + tt.query).want(200)
			assert.Equal(t, want, a.texts("id", "value"))
			assert.Equal(t, json.Number(fmt.Sprint(len(want))), a.at("size"))
		})
	}
}

func TestPageLinksKeepTheFilters(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithEvents(50))
	next := "/events?From=2000-01-01T00:00:00&excludeDeletedEvents=true&limit=7"
	var ids []string
	for next != "" {
		a := call(t, s).get(next).want(200)
		ids = append(ids, a.texts("id", "value")...)
		assert.Equal(t, s.BaseURL()+"/events?ExcludeDeletedEvents=true&From=2000-01-01T00%3A00%3A00", a.text("first", "href"))
		next = ""
		if a.at("next") != nil {
			next = strings.TrimPrefix(a.text("next", "href"), s.BaseURL())
		}
	}
	assert.Equal(t, call(t, s).get("/events?From=2000-01-01T00:00:00&ExcludeDeletedEvents=true").texts("id", "value"), ids)
	past := call(t, s).get("/events?Offset=1000&Limit=10").want(200)
	assert.Empty(t, past.list("value"))
	assert.Nil(t, past.at("next"))
}

func TestCalendarChangesOfOthers(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithTokenLifetime(2*time.Hour),
		practicetest.WithRendering(practicetest.Rendering{Rel: true})) // the rendering that payloads have
	inbox := subscribe(t, s, "event.updated")
	ids := s.EventIDs()
	require.Len(t, ids, 300)
	call(t, s).get("/events?From=2000-01-01T00:00:00").want(200) // caches the JSON of all events
	s.Clock().Advance(time.Hour)

	require.True(t, s.RescheduleEvent(ids[0], 1000*24*time.Hour))
	require.True(t, s.DeleteEvent(ids[1]))
	assert.False(t, s.DeleteEvent("nothing"))
	assert.Equal(t, ids[0], s.EventIDs()[299])
	changed := call(t, s).get("/events?From=2000-01-01T00:00:00&UpdatedSince=2026-03-02T10:00:00").want(200)
	assert.Equal(t, []string{ids[1], ids[0]}, changed.texts("id", "value"))
	assert.Equal(t, true, changed.at("value", 0, "isDeleted"))

	got := inbox.wait(2)
	assert.Equal(t, []any{"event.updated", "Application", ids[0]}, []any{got[0].at("type"), got[0].at("source"), got[0].at("payload", "id")})
	assert.Equal(t, changed.at("value", 0), got[1].at("payload"), "the payload is the record")
}

func TestEventsComeAndGo(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithEvents(3))
	inbox := subscribe(t, s, "event.updated")
	id := s.AddEvent(models.CalendarEventWrite{Subject: "Conference", StartTime: models.LocalDateTimeOf(start.Add(-365 * 24 * time.Hour).Truncate(time.Second))})
	listed := call(t, s).get("/events?From=2000-01-01T00:00:00").want(200)
	assert.Equal(t, json.Number("4"), listed.at("size"))
	assert.Equal(t, []any{id, "Conference", "2025-03-02T09:30:00", "UTC", false}, []any{
		listed.at("value", 0, "id"), listed.at("value", 0, "subject"), listed.at("value", 0, "startTime"), listed.at("value", 0, "timeZone"),
		listed.at("value", 0, "isDeleted"),
	})
	assert.Equal(t, listed.at("value", 0), inbox.wait(1)[0].at("payload"))

	require.True(t, s.ForgetEvent(id))
	assert.False(t, s.ForgetEvent(id))
	assert.NotContains(t, s.EventIDs(), id)
	assert.Equal(t, json.Number("3"), call(t, s).get("/events?From=2000-01-01T00:00:00").at("size"))
}

package practicetest_test

import (
	"encoding/json"
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

func TestThePagesOfAListLinkToEachOther(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithEvents(90))
	list := s.BaseURL() + "/events?ExcludeDeletedEvents=false&From=2000-01-01T00%3A00%3A00"
	page := call(t, s).get("/events?From=2000-01-01T00:00:00&excludeDeletedEvents=false&limit=10&offset=15").want(200)
	for name, at := range map[string]string{
		"first": list, "previous": list + "&limit=10&offset=5", "next": list + "&limit=10&offset=25", "last": list + "&limit=10&offset=80",
	} {
		assert.Equal(t, at, page.text(name, "href"), name)
	}
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

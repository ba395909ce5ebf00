package practice_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// longAgo is a start that takes in the whole calendar.
var longAgo = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

func TestCalendarEventsHaveEveryField(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.Events.List(t.Context(), practice.EventListOptions{From: longAgo})
		require.NoError(t, err)
		sent := lastSent(t, server)
		var raw []byte
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: "GET", Path: "/events"}, &raw, practice.WithQuery("From", "1990-01-01T00:00:00")))
		assert.Equal(t, sent.RawQuery, lastSent(t, server).RawQuery)
		wire := wireTree(t, raw).(map[string]any)["value"].([]any)
		require.Len(t, page.Items, len(wire))
		forms := map[string]bool{}
		for i, e := range page.Items {
			assertRecord(t, wire[i], map[string]any{
				"id": e.ID, "href": e.Href, "relation": e.Relation, "method": e.Method, "self": e.Self,
				"matter": e.Matter, "attendees": e.Attendees, "externalAttendees": e.ExternalAttendees, "eventType": e.EventType,
				"type": e.Type, "subject": e.Subject, "description": e.Description, "location": e.Location, "allDay": e.AllDay,
				"nonBillable": e.NonBillable, "startTime": e.StartTime, "endTime": e.EndTime, "timeZone": e.TimeZone,
				"lastUpdated": e.LastUpdated, "additionalData": e.AdditionalData, "isDeleted": e.IsDeleted,
			})
			assert.Equal(t, e.Type, e.EventType.Type(), "whatever form it came in")
			forms[string(e.Type)+"/"+e.EventType.String()] = true
			assert.Equal(t, time.UTC, e.LastUpdated.Time().Location(), "also when the wire names no zone")
		}
		assert.Contains(t, forms, "Normal/Normal")
		assert.Contains(t, forms, "Normal/0")
	})
}

func TestWhatFiltersOfEventsSend(t *testing.T) {
	t.Parallel()
	nine := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name    string
		options practice.EventListOptions
		query   string
	}{
		{"nothing", practice.EventListOptions{}, ""},
		{"position", practice.EventListOptions{ListOptions: practice.ListOptions{Offset: 2147483647, Limit: 500}}, "Limit=500&Offset=2147483647"},
		{"the first page is not asked for", practice.EventListOptions{ListOptions: practice.ListOptions{Offset: 0, Limit: 1}}, "Limit=1"},
		{"a matter", practice.EventListOptions{MatterID: "M"}, "MatterId=M"},
		{"without deleted ones", practice.EventListOptions{ExcludeDeleted: true}, "ExcludeDeletedEvents=true"},
		{"times go out in UTC, without a zone", practice.EventListOptions{
			From: time.Date(2026, 3, 1, 20, 0, 0, 0, time.FixedZone("", 11*3600)), To: nine.Add(time.Hour),
		}, "From=2026-03-01T09%3A00%3A00&To=2026-03-01T10%3A00%3A00"},
		{"a start is rounded down, an end up", practice.EventListOptions{From: nine.Add(999999999), To: nine.Add(time.Second + 1)},
			"From=2026-03-01T09%3A00%3A00&To=2026-03-01T09%3A00%3A02"},
		{"whole seconds stay", practice.EventListOptions{From: nine, To: nine.Add(time.Second)},
			"From=2026-03-01T09%3A00%3A00&To=2026-03-01T09%3A00%3A01"},
		{"an end on the start", practice.EventListOptions{From: nine, To: nine}, "From=2026-03-01T09%3A00%3A00&To=2026-03-01T09%3A00%3A00"},
		{"a start before the year 1970", practice.EventListOptions{From: time.Date(1969, 7, 20, 20, 17, 40, 5e8, time.UTC)}, "From=1969-07-20T20%3A17%3A40"},
		{"updates go out in ticks", practice.EventListOptions{UpdatedSince: time.Date(2022, 9, 7, 4, 54, 32, 420930099, time.UTC)},
			"UpdatedSince=637981232724209300"},
		{"the last second there is", practice.EventListOptions{From: nine, To: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)},
			"From=2026-03-01T09%3A00%3A00&To=9999-12-31T23%3A59%3A59"},
		{"all seven", practice.EventListOptions{
			ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, UpdatedSince: nine, MatterID: "M", ExcludeDeleted: true, From: nine, To: nine.Add(time.Hour),
		}, "ExcludeDeletedEvents=true&From=2026-03-01T09%3A00%3A00&Limit=2&MatterId=M&Offset=1&To=2026-03-01T10%3A00%3A00&UpdatedSince=639079524000000000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				if test.options.MatterID != "" {
					test.options.MatterID = server.Firm().MatterID
				}
				require.NoError(t, discard(client.Events.List(t.Context(), test.options)))
				assertSent(t, server, "GET", "/events", withMatter(test.query, server.Firm()))
			})
		})
	}
}

func TestAWalkKeepsTheFiltersOnEveryPage(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		options := practice.EventListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, MatterID: server.Firm().MatterID, From: longAgo, ExcludeDeleted: true}
		walked, err := practice.Collect(client.Events.All(t.Context(), options, practice.WithPrefetch(0)))
		require.NoError(t, err)
		require.Greater(t, len(server.Requests()), 2)
		for i, sent := range server.Requests() {
			want := "ExcludeDeletedEvents=true&From=1990-01-01T00%3A00%3A00&Limit=2&MatterId=M&Offset="
			assert.Equal(t, withMatter(want, server.Firm())+strconv.Itoa(1+2*i), sent.RawQuery)
		}
		for _, e := range walked {
			assert.Equal(t, server.Firm().MatterID, e.Matter.TargetID())
			assert.False(t, e.IsDeleted.Or(true))
		}
	})
}

func eventsOf(t *testing.T, client *practice.Client, options practice.EventListOptions) []string {
	t.Helper()
	events, err := practice.Collect(client.Events.All(t.Context(), options))
	require.NoError(t, err)
	found := []string{}
	for _, e := range events {
		found = append(found, e.ID)
	}
	return found
}

func TestWhatFiltersOfEventsFind(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		all, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{From: longAgo}))
		require.NoError(t, err)
		require.Equal(t, server.EventIDs(), eventsOf(t, client, practice.EventListOptions{From: longAgo}))
		starts := map[string]time.Time{}
		for _, e := range all {
			found, err := e.StartTime.In(e.TimeZone)
			require.NoError(t, err)
			starts[e.ID] = found
		}
		from, to := starts[all[5].ID], starts[all[12].ID]
		for _, test := range []struct {
			name    string
			options practice.EventListOptions
			takes   func(models.CalendarEvent) bool
		}{
			{"by default those to come", practice.EventListOptions{}, func(e models.CalendarEvent) bool {
				return starts[e.ID].After(time.Now())
			}},
			{"a range, both ends included", practice.EventListOptions{From: from, To: to}, func(e models.CalendarEvent) bool {
				return !starts[e.ID].Before(from) && !starts[e.ID].After(to)
			}},
			{"a matter", practice.EventListOptions{From: longAgo, MatterID: server.Firm().MatterID}, func(e models.CalendarEvent) bool {
				return e.Matter.ID == server.Firm().MatterID
			}},
			{"without deleted ones", practice.EventListOptions{From: longAgo, ExcludeDeleted: true}, func(e models.CalendarEvent) bool {
				return !e.IsDeleted.Or(false)
			}},
			{"updated since", practice.EventListOptions{From: longAgo, UpdatedSince: all[3].LastUpdated.Time()}, func(e models.CalendarEvent) bool {
				return !e.LastUpdated.Time().Before(all[3].LastUpdated.Time())
			}},
		} {
			want := []string{}
			for _, e := range all {
				if test.takes(e) {
					want = append(want, e.ID)
				}
			}
			require.NotEmpty(t, want, test.name)
			require.Less(t, len(want), len(all), test.name)
			assert.Equal(t, want, eventsOf(t, client, test.options), test.name)
		}
	}, practicetest.WithEvents(60))
}

func TestAChangedEventIsUpdatedSince(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.Clock().Advance(time.Minute)
		since := server.Clock().Now()
		options := practice.EventListOptions{From: longAgo, UpdatedSince: since}
		assert.Empty(t, eventsOf(t, client, options))
		moved, deleted := server.EventIDs()[3], server.EventIDs()[9]
		require.True(t, server.RescheduleEvent(moved, time.Minute))
		require.True(t, server.DeleteEvent(deleted))
		assert.Equal(t, []string{moved, deleted}, eventsOf(t, client, options))
		options.ExcludeDeleted = true
		assert.Equal(t, []string{moved}, eventsOf(t, client, options))
	})
}

// The interface declares no refusal of its own for the calendar. What a client
// can still get wrong is a parameter that has no option.
func TestAParameterThatTheCalendarDoesNotKnow(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		violations := server.Tolerate(func() {
			err := discard(client.Events.List(t.Context(), practice.EventListOptions{}, practice.WithQuery("Sort", "subject")))
			require.ErrorIs(t, err, practice.ErrBadRequest)
		})
		assert.Len(t, violations, 1)
	})
}

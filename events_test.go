package practice_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// longAgo is a start before all events of the calendar.
var longAgo = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

func TestCalendarEventsHaveEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		page, err := client.Events.List(t.Context(), practice.EventListOptions{From: longAgo})
		require.NoError(t, err)
		sent := testkit.LastSent(t, server)
		var raw []byte
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: "GET", Path: "/events"}, &raw, practice.WithQuery("From", "1990-01-01T00:00:00")))
		assert.Equal(t, sent.RawQuery, testkit.LastSent(t, server).RawQuery)
		wire := testkit.WireTree(t, raw).(map[string]any)["value"].([]any)
		require.Len(t, page.Items, len(wire))
		forms := map[string]bool{}
		for i, e := range page.Items {
			assertEvent(t, wire[i], &e)
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
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				if test.options.MatterID != "" {
					test.options.MatterID = server.Firm().MatterID
				}
				require.NoError(t, testkit.Discard(client.Events.List(t.Context(), test.options)))
				testkit.AssertSent(t, server, "GET", "/events", testkit.WithMatter(test.query, server.Firm()))
			})
		})
	}
}

func TestAWalkKeepsTheFiltersOnEveryPage(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		options := practice.EventListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, MatterID: server.Firm().MatterID, From: longAgo, ExcludeDeleted: true}
		walked, err := practice.Collect(client.Events.All(t.Context(), options, practice.WithPrefetch(0)))
		require.NoError(t, err)
		require.Greater(t, len(server.Requests()), 2)
		for i, sent := range server.Requests() {
			want := "ExcludeDeletedEvents=true&From=1990-01-01T00%3A00%3A00&Limit=2&MatterId=M&Offset="
			assert.Equal(t, testkit.WithMatter(want, server.Firm())+strconv.Itoa(1+2*i), sent.RawQuery)
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
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
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
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
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

// TestAParameterThatTheCalendarDoesNotKnow checks a refusal that only a
// parameter without an option can cause. The API documents no refusal for the
// calendar.
func TestAParameterThatTheCalendarDoesNotKnow(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		violations := server.Tolerate(func() {
			err := testkit.Discard(client.Events.List(t.Context(), practice.EventListOptions{}, practice.WithQuery("Sort", "subject")))
			require.ErrorIs(t, err, practice.ErrBadRequest)
		})
		assert.Len(t, violations, 1)
	})
}

// assertEvent compares an event with the JSON of the service.
func assertEvent(t *testing.T, wire any, e *models.CalendarEvent) {
	t.Helper()
	testkit.AssertRecord(t, wire, map[string]any{
		"id": e.ID, "href": e.Href, "relation": e.Relation, "method": e.Method, "self": e.Self,
		"matter": e.Matter, "attendees": e.Attendees, "externalAttendees": e.ExternalAttendees, "eventType": e.EventType,
		"type": e.Type, "subject": e.Subject, "description": e.Description, "location": e.Location, "allDay": e.AllDay,
		"nonBillable": e.NonBillable, "startTime": e.StartTime, "endTime": e.EndTime, "timeZone": e.TimeZone,
		"lastUpdated": e.LastUpdated, "additionalData": e.AdditionalData, "isDeleted": e.IsDeleted,
	})
}

func TestAnEventIsTheSameReadAndListed(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		all, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{From: longAgo}))
		require.NoError(t, err)
		for _, listed := range all {
			e, err := client.Events.Get(t.Context(), listed.ID)
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/events/"+listed.ID, "")
			assert.Equal(t, listed, *e)
		}
		own, err := client.Events.Get(t.Context(), server.Firm().EventID)
		require.NoError(t, err)
		assert.Equal(t, server.Firm().MatterID, own.Matter.TargetID())
		assertEvent(t, testkit.WireTree(t, testkit.WireText(t, client, "/events/{eventId}", own.ID)), own)
	})
}

// conference returns an event in which every writable member is set.
func conference(f practicetest.Firm, client string) models.CalendarEventWrite {
	return models.CalendarEventWrite{
		MatterID: f.MatterID, Subject: "Conference", Description: "Bring the brief", Location: "Room 1", AllDay: models.Some(false),
		NonBillable: models.Some(false), Type: models.CalendarEventTypeNormal, Attendees: []string{f.StaffIDs[0], f.StaffID},
		ExternalAttendees: []string{client}, StartTime: models.LocalDateTimeOf(testkit.SomeTime), EndTime: models.LocalDateTimeOf(testkit.SomeTime.Add(90 * time.Minute)),
		TimeZone: "America/Chicago", AdditionalData: map[string]string{"source": "import"},
	}
}

func TestAnEventIsCreatedReplacedAndDeleted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		matter, there := server.Matter(f.MatterID)
		require.True(t, there)
		write := conference(f, matter.Clients[0].TargetID())
		link, err := client.Events.Create(t.Context(), write)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/events", "")
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		assert.JSONEq(t, `{"matterId":"`+f.MatterID+`","subject":"Conference","description":"Bring the brief","location":"Room 1","allDay":false,`+
			`"nonBillable":false,"type":"Normal","attendees":["`+f.StaffIDs[0]+`","`+f.StaffID+`"],"externalAttendees":["`+matter.Clients[0].TargetID()+`"],`+
			`"startTime":"2026-03-01T09:30:00","endTime":"2026-03-01T11:00:00","timeZone":"America/Chicago","additionalData":{"source":"import"}}`,
			string(testkit.LastSent(t, server).Body))
		require.ErrorIs(t, testkit.Discard(client.Events.Get(t.Context(), link.TargetID())), practice.ErrNotFound, "the write takes effect later")
		get := func() *models.CalendarEvent {
			server.Settle()
			event, err := client.Events.Get(t.Context(), link.TargetID())
			require.NoError(t, err)
			assertEvent(t, testkit.WireTree(t, testkit.WireText(t, client, "/events/{eventId}", event.ID)), event)
			return event
		}
		event := get()
		assert.Equal(t, []string{f.StaffIDs[0], f.StaffID}, []string{event.Attendees[0].TargetID(), event.Attendees[1].TargetID()})
		assert.Equal(t, matter.Clients[0].Href, event.ExternalAttendees[0].Href)
		assert.Equal(t, []string{"Conference", "Bring the brief", "Room 1", "America/Chicago"}, []string{event.Subject, event.Description, event.Location, event.TimeZone})
		assert.Equal(t, []models.LocalDateTime{write.StartTime, write.EndTime}, []models.LocalDateTime{event.StartTime, event.EndTime})
		assert.Equal(t, models.CalendarEventTypeNormal, event.EventType.Type())
		starts, err := event.StartTime.In(event.TimeZone)
		require.NoError(t, err)
		assert.Equal(t, "2026-03-01T15:30:00Z", starts.UTC().Format(time.RFC3339), "clocks in Chicago are six hours behind")
		assert.Contains(t, eventsOf(t, client, practice.EventListOptions{From: starts, To: starts, MatterID: f.MatterID}), event.ID, "it is listed by that instant")

		require.NoError(t, testkit.Discard(client.Events.Update(t.Context(), event.ID, models.CalendarEventWrite{Subject: "Call", StartTime: write.StartTime, TimeZone: "Europe/London"})))
		testkit.AssertSent(t, server, "PUT", "/events/"+event.ID, "")
		event = get()
		assert.Equal(t, "Call", event.Subject)
		assert.Equal(t, write.StartTime, event.StartTime)
		assert.Empty(t, event.Location+event.Description+event.Matter.TargetID(), "a replacement clears what it leaves out")
		assert.Empty(t, event.Attendees)

		require.NoError(t, testkit.Discard(client.Events.Delete(t.Context(), event.ID)))
		testkit.AssertSent(t, server, "DELETE", "/events/"+event.ID, "")
		assert.True(t, get().IsDeleted.Or(false), "it stays visible")
	})
}

func TestAnEventLongerThanTwelveHoursIsNotBilled(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		for length, nonBillable := range map[time.Duration]bool{12 * time.Hour: false, 13 * time.Hour: true} {
			link, err := client.Events.Create(t.Context(), models.CalendarEventWrite{
				StartTime: models.LocalDateTimeOf(testkit.SomeTime), EndTime: models.LocalDateTimeOf(testkit.SomeTime.Add(length)), TimeZone: "UTC",
			})
			require.NoError(t, err)
			server.Settle()
			event, there := server.Event(link.TargetID())
			require.True(t, there)
			assert.Equal(t, nonBillable, event.NonBillable.Or(!nonBillable), length)
		}
	})
}

func TestAnEventIsModified(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		matter, _ := server.Matter(f.MatterID)
		id := server.AddEvent(conference(f, matter.Clients[0].TargetID()))
		before, _ := server.Event(id)
		require.NoError(t, testkit.Discard(client.Events.Modify(t.Context(), id, func(event *models.CalendarEventWrite) error {
			assert.Equal(t, conference(f, matter.Clients[0].TargetID()), *event, "every member is that of the record")
			event.Location = "Room 2"
			return nil
		})))
		server.Settle()
		after, _ := server.Event(id)
		before.Location, before.LastUpdated = "Room 2", after.LastUpdated
		assert.Equal(t, before, after)
	})
}

func TestAnEventThatRecursIsNotReplaced(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		all, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{From: longAgo, ExcludeDeleted: true}))
		require.NoError(t, err)
		for _, event := range all {
			modify := func() {
				err = testkit.Discard(client.Events.Modify(t.Context(), event.ID, asItIs[models.CalendarEventWrite]))
			}
			if event.Type == models.CalendarEventTypeNormal {
				modify()
				require.NoError(t, err)
				continue
			}
			server.Tolerate(modify)
			refused, is := errors.AsType[*practice.Error](err)
			require.True(t, is, "the service is the judge: %s: %v", event.Type, err)
			assert.Equal(t, "Events.Modify", refused.Operation)
			require.ErrorIs(t, err, practice.ErrBadRequest)
			require.ErrorIs(t, testkit.Discard(client.Events.Update(t.Context(), event.ID, models.CalendarEventWrite{Subject: "Call"})), practice.ErrBadRequest)
			require.NoError(t, testkit.Discard(client.Events.Delete(t.Context(), event.ID)), "it can be deleted")
		}
	})
}

func TestRemindersAreListedAddedReplacedAndDeleted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		list := func() []models.Reminder {
			server.Settle()
			page, err := client.Events.ListReminders(t.Context(), f.EventID, practice.ReminderListOptions{})
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/events/"+f.EventID+"/reminders", "")
			return page.Items
		}
		seeded := list()
		require.Len(t, seeded, 2)
		for i, r := range testkit.WireTree(t, testkit.WireText(t, client, "/events/{eventId}/reminders", f.EventID)).([]any) {
			testkit.AssertRecord(t, r, map[string]any{
				"id": seeded[i].ID, "offset": seeded[i].Offset, "offsetTypeId": seeded[i].OffsetTypeID,
				"isAllDayReminder": seeded[i].IsAllDayReminder, "userIds": seeded[i].UserIDs,
			})
			assert.Empty(t, seeded[i].ID, "the interface declares none")
		}

		link, err := client.Events.CreateReminder(t.Context(), f.EventID, models.ReminderWrite{
			Offset: models.Some(0), OffsetTypeID: models.Some(1), IsAllDayReminder: models.Some(true), UserIDs: []string{f.UserID, f.ColleagueUserID},
		})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/events/"+f.EventID+"/reminders", "")
		assert.JSONEq(t, `{"offset":0,"offsetTypeId":1,"isAllDayReminder":true,"userIds":["`+f.UserID+`","`+f.ColleagueUserID+`"]}`, string(testkit.LastSent(t, server).Body))
		require.Len(t, list(), 3)
		added, there := server.Reminder(link.TargetID())
		require.True(t, there)
		assert.Equal(t, list()[2], added)
		assert.Equal(t, models.Some(0), added.Offset)
		assert.Equal(t, []string{f.UserID, f.ColleagueUserID}, added.UserIDs)

		require.NoError(t, testkit.Discard(client.Events.UpdateReminder(t.Context(), f.EventID, link.TargetID(), models.ReminderWrite{Offset: models.Some(30)})))
		testkit.AssertSent(t, server, "PUT", "/events/"+f.EventID+"/reminders/"+link.TargetID(), "")
		changed := list()[2]
		assert.Equal(t, models.Some(30), changed.Offset)
		assert.Empty(t, changed.UserIDs, "a replacement clears what it leaves out")

		require.NoError(t, testkit.Discard(client.Events.DeleteReminder(t.Context(), f.EventID, f.ReminderID)))
		testkit.AssertSent(t, server, "DELETE", "/events/"+f.EventID+"/reminders/"+f.ReminderID, "")
		assert.Equal(t, []models.Reminder{seeded[1], changed}, list(), "a deleted one is listed no more")
		_, there = server.Reminder(f.ReminderID)
		assert.False(t, there)
	})
}

func TestRefusalsOfEvents(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "Events.CreateReminder", testkit.Refusal{
		Rule: "another firm's user is reminded", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"userIds[1]: no such user"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Events.CreateReminder(ctx, f.EventID, models.ReminderWrite{UserIDs: []string{f.UserID, f.OtherFirmUserID}}))
		},
	})
}

func TestRefusalsOfNewEvents(t *testing.T) {
	t.Parallel()
	create := func(change func(*models.CalendarEventWrite, practicetest.Firm)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			event := models.CalendarEventWrite{MatterID: f.MatterID, TimeZone: "UTC"}
			change(&event, f)
			return testkit.Discard(c.Events.Create(ctx, event))
		}
	}
	testkit.AssertRefusals(t, "Events.Create",
		testkit.Refusal{
			Rule: "a zone that there is not", Want: practice.ErrBadRequest, Fields: []string{"timeZone: no such time zone"},
			Call: create(func(event *models.CalendarEventWrite, _ practicetest.Firm) { event.TimeZone = "Local" }),
		},
		testkit.Refusal{
			Rule: "a matter of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"matterId: no such matter"},
			Call: create(func(event *models.CalendarEventWrite, f practicetest.Firm) { event.MatterID = f.OtherFirmMatterID }),
		},
		testkit.Refusal{
			Rule: "one attendee who is unknown", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"attendees[1]: no such staff member"},
			Call: create(func(event *models.CalendarEventWrite, f practicetest.Firm) {
				event.Attendees = []string{f.StaffID, testkit.UnknownID}
			}),
		},
		testkit.Refusal{
			Rule: "a guest who is unknown", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"externalAttendees[0]: must be a person who belongs to the matter"},
			Call: create(func(event *models.CalendarEventWrite, _ practicetest.Firm) {
				event.ExternalAttendees = []string{testkit.UnknownID}
			}),
		},
		testkit.Refusal{
			Rule: "a guest who has nothing to do with the matter", Want: practice.ErrBadRequest, Conflict: true,
			Fields: []string{"externalAttendees[0]: must be a person who belongs to the matter"},
			Call: create(func(event *models.CalendarEventWrite, f practicetest.Firm) {
				event.ExternalAttendees = []string{f.ContactIDs[len(f.ContactIDs)-1]}
			}),
		},
		testkit.Refusal{
			Rule: "a guest without a matter", Want: practice.ErrBadRequest,
			Fields: []string{"externalAttendees: must be empty for an event without a matter"},
			Call: create(func(event *models.CalendarEventWrite, f practicetest.Firm) {
				event.MatterID, event.ExternalAttendees = "", []string{f.ContactID}
			}),
		},
	)
}

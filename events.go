package practice

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	eventsCreate         = operation{"Events.Create", http.MethodPost, "/events", transport.Create}
	eventsGet            = operation{"Events.Get", http.MethodGet, "/events/{eventId}", transport.Read}
	eventsUpdate         = operation{"Events.Update", http.MethodPut, "/events/{eventId}", transport.IdempotentWrite}
	eventsDelete         = operation{"Events.Delete", http.MethodDelete, "/events/{eventId}", transport.IdempotentWrite}
	eventsListReminders  = operation{"Events.ListReminders", http.MethodGet, "/events/{eventId}/reminders", transport.Read}
	eventsCreateReminder = operation{"Events.CreateReminder", http.MethodPost, "/events/{eventId}/reminders", transport.Create}
	eventsUpdateReminder = operation{"Events.UpdateReminder", http.MethodPut, "/events/{eventId}/reminders/{reminderId}", transport.IdempotentWrite}
	eventsDeleteReminder = operation{"Events.DeleteReminder", http.MethodDelete, "/events/{eventId}/reminders/{reminderId}", transport.IdempotentWrite}
)

func eventsList() *list[models.CalendarEvent] {
	return paged("Events.List", "Events.All", "/events", func(e *models.CalendarEvent) string { return e.ID })
}

// EventsService reads and changes the calendar of the firm, and the reminders
// of its events.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/events.md
type EventsService service

// EventListOptions narrow a list of calendar events. The zero value lists all
// events from now on, deleted ones included.
type EventListOptions struct {
	ListOptions
	// UpdatedSince lists events changed at or after a time, to 100 ns. It is
	// sent as .NET ticks.
	UpdatedSince   time.Time
	MatterID       string // if set, lists only events of this matter
	ExcludeDeleted bool   // whether to leave out deleted events
	// From lists events from a time on, in whole seconds, rounded down. If it
	// is zero, the service takes the time of each request: set it for a walk,
	// so that its pages begin at the same time.
	From time.Time
	// To lists events up to a time, in whole seconds, rounded up. If it is
	// zero, the list has no end.
	To time.Time
}

// List returns one page of calendar events.
//   - API: GET /events
func (s *EventsService) List(ctx context.Context, options EventListOptions, opts ...CallOption) (*Page[models.CalendarEvent], error) {
	return eventsList().page(ctx, s.client, options, opts)
}

// All yields all calendar events. It reads Limit records per page from Offset.
//   - API: GET /events
func (s *EventsService) All(ctx context.Context, options EventListOptions, opts ...CallOption) iter.Seq2[models.CalendarEvent, error] {
	return eventsList().walk(ctx, s.client, options, opts)
}

func (o EventListOptions) filter(c *call) {
	c.param("MatterId", o.MatterID)
	if o.ExcludeDeleted {
		c.param("ExcludeDeletedEvents", "true")
	}
	c.time(KindTicks, "UpdatedSince", o.UpdatedSince)
	c.time(KindLocalTime, "From", o.From)
	c.time(KindLocalTime, "To", o.To)
}

// Create adds a calendar event that does not recur. StartTime and EndTime are
// clock times in TimeZone.
//   - API: POST /events, asynchronous
func (s *EventsService) Create(ctx context.Context, event models.CalendarEventWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, eventsCreate, opts).with(&event))
}

// FindCreated returns the calendar events that changed since a time and may be
// the one that Create was to add: those with the same subject and, where event
// has them, the same matter, start and end. See [ContactsService.FindCreated]
// for such methods.
func (s *EventsService) FindCreated(ctx context.Context, event models.CalendarEventWrite, since time.Time, opts ...CallOption) ([]models.CalendarEvent, error) {
	from := since // an event without a start begins at its creation
	for _, at := range []models.LocalDateTime{event.StartTime, event.EndTime} {
		if instants, _ := instantsIn(at, event.TimeZone); !at.IsZero() && instants[0].Before(from) {
			from = instants[0]
		}
	}
	from = from.AddDate(0, 0, -1) // an unknown time zone is off by less than a day
	if earliest := (time.Time{}).Add(time.Second); from.Before(earliest) {
		from = earliest // the zero time would be left out, and the list begin now
	}
	options := EventListOptions{UpdatedSince: since, MatterID: event.MatterID, From: from}
	return findCreated(ctx, s.client, "Events.FindCreated", func(ctx context.Context) iter.Seq2[models.CalendarEvent, error] {
		return s.All(ctx, options, wholeLists(opts)...)
	}, func(e *models.CalendarEvent) bool { return isEvent(e, &event) })
}

// isEvent compares instants, since the service may write them in another time
// zone, and chooses the zone of an event without one.
func isEvent(e *models.CalendarEvent, w *models.CalendarEventWrite) bool {
	zone := e.TimeZone
	if w.TimeZone == "" {
		zone = ""
	}
	same := func(wrote, kept models.LocalDateTime) bool {
		if wrote.IsZero() {
			return true
		}
		these, known := instantsIn(wrote, w.TimeZone)
		those, keptKnown := instantsIn(kept, zone)
		if zone != w.TimeZone && (!known || !keptKnown) { // two zones, of which one is unknown: within a day and some hours
			return these[0].Sub(those[0]).Abs() <= mostApart
		}
		return slices.ContainsFunc(these, func(at time.Time) bool { return slices.ContainsFunc(those, at.Equal) })
	}
	return e.Subject == w.Subject && same(w.StartTime, e.StartTime) && same(w.EndTime, e.EndTime)
}

// mostApart is the largest difference between the clocks of two time zones.
const mostApart = 26 * time.Hour

// instantsIn returns the instants that a local time may be in a zone, and
// whether it knows the zone: for an unknown one, it returns the time in UTC.
func instantsIn(at models.LocalDateTime, zone string) (instants []time.Time, known bool) {
	instant, err := at.In(zone)
	if failed, ok := errors.AsType[*models.ZoneError](err); ok && len(failed.Candidates) > 0 {
		return failed.Candidates, true
	}
	if err != nil {
		instant, _ = at.InLocation(time.UTC) // an absent time is zero
	}
	return []time.Time{instant}, err == nil || at.IsZero()
}

// Get returns a calendar event.
//   - API: GET /events/{eventId}
func (s *EventsService) Get(ctx context.Context, eventID string, opts ...CallOption) (*models.CalendarEvent, error) {
	return send[models.CalendarEvent](s.client.call(ctx, eventsGet, opts).at(eventID))
}

// Update replaces a calendar event that does not recur: the service clears what
// the body leaves out. Modify changes single fields.
//   - API: PUT /events/{eventId}, asynchronous
func (s *EventsService) Update(ctx context.Context, eventID string, event models.CalendarEventWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, eventsUpdate, opts).at(eventID).with(&event))
}

// Delete deletes a calendar event. It stays visible; see
// [models.CalendarEvent.IsDeleted].
//   - API: DELETE /events/{eventId}, asynchronous
func (s *EventsService) Delete(ctx context.Context, eventID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, eventsDelete, opts).at(eventID))
}

// ReminderListOptions is empty: the service has no options for this list.
type ReminderListOptions struct{}

// ListReminders returns the reminders of an event. The service does not page
// them, and probably leaves out their ids: only the link that CreateReminder
// returns has the id that UpdateReminder and DeleteReminder need.
//   - API: GET /events/{eventId}/reminders
func (s *EventsService) ListReminders(ctx context.Context, eventID string, options ReminderListOptions, opts ...CallOption) (*Page[models.Reminder], error) {
	return listUnpaged[models.Reminder](s.client.call(ctx, eventsListReminders, opts).at(eventID), noOptions(options))
}

// CreateReminder adds a reminder to an event. Keep the id of the link that it
// returns: no other answer is sure to have it.
//   - API: POST /events/{eventId}/reminders, asynchronous
func (s *EventsService) CreateReminder(ctx context.Context, eventID string, reminder models.ReminderWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, eventsCreateReminder, opts).at(eventID).with(&reminder))
}

// UpdateReminder replaces a reminder: the service clears what the body leaves
// out. No operation reads a single reminder.
//   - API: PUT /events/{eventId}/reminders/{reminderId}, asynchronous
func (s *EventsService) UpdateReminder(ctx context.Context, eventID, reminderID string, reminder models.ReminderWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, eventsUpdateReminder, opts).at(eventID, reminderID).with(&reminder))
}

// DeleteReminder deletes a reminder.
//   - API: DELETE /events/{eventId}/reminders/{reminderId}, asynchronous
func (s *EventsService) DeleteReminder(ctx context.Context, eventID, reminderID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, eventsDeleteReminder, opts).at(eventID, reminderID))
}

// Modify reads a calendar event, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data. An event that recurs is refused.
//   - API: PUT /events/{eventId}, asynchronous
func (s *EventsService) Modify(ctx context.Context, eventID string, change func(*models.CalendarEventWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.CalendarEventWrite, models.Link]{
		s.client, "Events.Modify", "", oneID(s.Get, eventID), ontoID(s.Update, eventID), opts,
	}, change)
}

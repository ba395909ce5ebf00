package practicetest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// events returns the area of calendar events. Lists are sorted by start time.
func events() area {
	event := eventKind{
		resource: &resource{path: "/events/{eventId}", relation: "Events", event: "event", derive: eventMembers, change: changeEvent, check: checkEvent, filters: map[string]filter{
			"MatterId": func(r *record, id string) bool { return matterOf(r) == id }, "ExcludeDeletedEvents": notDeleted,
		}},
		reminder: &resource{
			path: "/events/{eventId}/reminders/{reminderId}", relation: "Reminders", schema: "Reminder", vanishes: true,
			derive: func(*record) fields { return fields{"id": nil} }, // the API returns no id
		},
	}
	event.order = func(a, b *record) int {
		return cmp.Or(timesOf(a).start.Compare(timesOf(b).start), cmp.Compare(a.id, b.id))
	}
	return area{
		name: "Events", resources: []*resource{event.resource, event.reminder}, seed: event.seed,
		handlers: handlers{"listEvents": event.listEvents},
	}
}

// eventKind is the resource of calendar events, with handlers for its lists and
// the resource of reminders.
type eventKind struct {
	*resource
	reminder *resource
}

// calendarEvent holds the internal data of an event. The fields after written
// describe a seeded event. They are unused once a write has set the members of
// the record.
type calendarEvent struct {
	times
	kind        string
	form        int // how eventType holds kind: 0 as a name, 1 as digits in a string, 2 as a number
	written     bool
	matter      string // empty if the event belongs to no matter
	staff       string
	contact     string
	subject     string
	description string
	location    string
	allDay      bool
	nonBillable bool
	zoneless    bool // lastUpdated is written without a time zone
	extra       rawText
}

// times holds the start, length and time zone of an event.
type times struct {
	start  time.Time // in UTC
	length time.Duration
	zone   *time.Location
}

func timesOf(r *record) *times { return &r.data.(*calendarEvent).times }

const localTime = "2006-01-02T15:04:05.9999999"

// eventMembers returns the members that are computed from the internal data. It
// leaves out those that a write has set.
func eventMembers(r *record) fields {
	e := r.data.(*calendarEvent)
	f := fields{
		"eventType": e.eventType(), "type": e.kind, "timeZone": e.zone.String(),
		"startTime": e.start.In(e.zone).Format(localTime), "endTime": e.start.Add(e.length).In(e.zone).Format(localTime),
	}
	if !e.written {
		e.seededMembers(r, f)
	}
	for name := range r.fields {
		delete(f, name)
	}
	return f
}

func (e *calendarEvent) eventType() any {
	switch n := slices.Index(eventKinds[:], e.kind); e.form {
	case 1:
		return strconv.Itoa(n)
	case 2:
		return n
	default:
		return e.kind
	}
}

// seededMembers adds the members that only seeded events compute.
func (e *calendarEvent) seededMembers(r *record, f fields) {
	f["subject"], f["description"], f["location"], f["additionalData"] = e.subject, e.description, e.location, e.extra
	f["allDay"], f["nonBillable"], f["attendees"] = e.allDay, e.nonBillable, []any{}
	if e.zoneless {
		f["lastUpdated"] = strings.TrimSuffix(utc(r.updated), "Z")
	}
	if e.matter != "" {
		f["matter"], f["attendees"] = ref{"matters", e.matter}, []any{ref{"staff", e.staff}}
	}
	if e.contact != "" {
		f["externalAttendees"] = []any{ref{"contacts", e.contact}}
	}
}

// longEvent is the maximum length of a billable event. Longer events are
// non-billable.
const longEvent = 12 * time.Hour

// changeEvent computes the times of an event from the body. A new event starts
// now and lasts half an hour by default. A replacement without startTime and
// endTime keeps the times. If only an end before the start is given, the start
// moves so that the length stays the same.
func changeEvent(t *tx, r *record, body fields) {
	e := &calendarEvent{times: times{start: t.now.Truncate(time.Second), length: 30 * time.Minute}, kind: eventKinds[0]}
	if known, is := r.data.(*calendarEvent); is {
		e.times, e.kind = known.times, known.kind
	}
	e.form, e.zone, e.written = 0, time.UTC, true
	if zone, err := zoneNamed(body.str("timeZone")); err == nil {
		e.zone = zone
	}
	start, noStart := time.ParseInLocation(localTime, body.str("startTime"), e.zone)
	if noStart == nil {
		e.start = start.UTC()
	}
	if end, err := time.ParseInLocation(localTime, body.str("endTime"), e.zone); err == nil {
		if noStart != nil && end.Before(e.start) {
			e.start = end.UTC().Add(-e.length)
		}
		e.length = end.Sub(e.start)
	}
	// Assumed: the end of an all-day event
	r.fields["allDay"], r.fields["nonBillable"] = body.is("allDay"), body.is("nonBillable") || e.length > longEvent
	delete(r.fields, "type") // type and eventType are computed from kind
	delete(r.fields, "eventType")
	if body.str("timeZone") == "" {
		delete(r.fields, "timeZone")
	}
	r.data = e
}

// checkEvent refuses invalid events: replacements of recurring events, ends
// before the start, unknown time zones, and external attendees who do not
// belong to the matter.
func checkEvent(t *tx, c *call, r *record) error {
	if r.data.(*calendarEvent).kind != eventKinds[0] {
		return conflict("type", "a recurring event cannot be replaced")
	}
	if r.data.(*calendarEvent).length < 0 {
		return c.exclusion("endTime", "startTime", "must not be before startTime")
	}
	if _, err := zoneNamed(r.fields.str("timeZone")); err != nil && c != nil {
		return faulty("timeZone", "no such time zone")
	}
	if r.fields.str("matterId") == "" && len(r.fields.ids("externalAttendees")) > 0 {
		return faulty("externalAttendees", "must be empty for an event without a matter") // decided by the body alone, since a PUT replaces the whole event
	}
	return t.checkGuests(r)
}

// zoneNamed returns the time zone with the name, or UTC for an empty name. It
// refuses Local, which depends on the machine.
func zoneNamed(name string) (*time.Location, error) {
	if name == "Local" {
		name = "no zone"
	}
	return time.LoadLocation(name)
}

// checkGuests refuses external attendees who are not persons or do not belong
// to the matter.
func (t *tx) checkGuests(r *record) error {
	guests := r.fields.ids("externalAttendees")
	if len(guests) == 0 {
		return nil
	}
	matter, err := t.known(t.server.state.resource("matters"), r.fields.str("matterId"), nil)
	if err != nil {
		return unlessPending(err, conflict("externalAttendees", "must be empty for an event without a matter"))
	}
	for i, id := range guests {
		contact, err := t.known(t.server.state.resource("contacts"), id, nil)
		if err != nil || detailsOf(contact, "person") == nil || !t.belongs(matter, contact.id) {
			return unlessPending(err, conflict("externalAttendees["+strconv.Itoa(i)+"]", "must be a person who belongs to the matter"))
		}
	}
	return nil
}

// belongs reports whether a contact is a client or an opposing party of the
// matter or has a role in it.
func (t *tx) belongs(matter *record, contact string) bool {
	if matterNames(matter, contact) {
		return true
	}
	return slices.ContainsFunc(t.server.state.list(t.server.state.resource("roles"), matter.id).All(), func(role *record) bool {
		return sameID(role.fields.str("contactId")) == contact
	})
}

func matterOf(r *record) string {
	if id := r.fields.str("matterId"); id != "" {
		return sameID(id)
	}
	return r.data.(*calendarEvent).matter
}

// listEvents lists the events that start in a time range, in order of their
// start. From defaults to now.
func (event eventKind) listEvents(s *Server, c *call) (answer, error) {
	// Without further filters only the requested page is evaluated, because
	// a calendar may hold many events.
	from, to := c.moment("From", c.now), c.moment("To", time.Time{})
	found := s.state.list(event.resource, c.account.id).Between(
		func(r *record) bool { return timesOf(r).start.Before(from) },
		func(r *record) bool { return !to.IsZero() && timesOf(r).start.After(to) },
	)
	return s.listing(c, event.resource, event.selected(c, found)), nil
}

func fromTicks(n int64) time.Time {
	since := n - epochTicks
	return time.Unix(since/10_000_000, since%10_000_000*100).UTC()
}

// EventIDs returns the ids of the firm's calendar events in order of their
// start, including deleted events.
func (s *Server) EventIDs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ids(s.state.list(s.catalog.byTarget["events"], s.firm.AccountID).All())
}

// RescheduleEvent moves a calendar event of the firm by d, as a user of the
// vendor's own application would, and raises event.updated. It returns false if
// there is no such event.
func (s *Server) RescheduleEvent(id string, d time.Duration) bool {
	return s.inApplication(s.catalog.byTarget["events"], id, func(r *record) {
		e := *r.data.(*calendarEvent)
		e.start = e.start.Add(d)
		r.data = &e
		delete(r.fields, "startTime")
		delete(r.fields, "endTime")
	})
}

// DeleteEvent marks a calendar event of the firm as deleted and raises
// event.updated. It returns false if there is no such event.
func (s *Server) DeleteEvent(id string) bool {
	return s.inApplication(s.catalog.byTarget["events"], id, func(r *record) { r.deleted = true })
}

// AddEvent adds an event to the calendar of the firm and returns its id.
func (s *Server) AddEvent(event models.CalendarEventWrite) string {
	return s.enter("createEvent", &event)
}

// ForgetEvent removes a calendar event of the firm completely: lists no longer
// contain it, not even as deleted, and no event is raised. It simulates the
// moment at which the service stops listing a deleted event; when this happens
// is not documented. ForgetEvent returns false if there is no such event.
func (s *Server) ForgetEvent(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	place := s.state.slot(s.catalog.byTarget["events"], id)
	if place == nil || place.Now == nil || place.At.account.id != s.firm.AccountID {
		return false
	}
	s.state.Forget(place.Now.Key())
	return true
}

// Event returns the calendar event with the id and reports whether it exists.
func (s *Server) Event(id string) (models.CalendarEvent, bool) {
	return recordOf[models.CalendarEvent](s, "/events/{eventId}", id)
}

// AddReminder adds a reminder to a calendar event and returns its id.
func (s *Server) AddReminder(eventID string, reminder models.ReminderWrite) string {
	return s.enter("createReminder", &reminder, eventID)
}

// Reminder returns the reminder with the id and reports whether it exists.
func (s *Server) Reminder(id string) (models.Reminder, bool) {
	return recordOf[models.Reminder](s, "/events/{eventId}/reminders/{reminderId}", id)
}

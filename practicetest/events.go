package practicetest

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// events are those of the firm's calendar, in the order of their start.
func events() area {
	event := eventKind{&resource{path: "/events/{eventId}", relation: "Events", event: "event", derive: eventMembers, change: changeEvent}}
	event.order = func(a, b *record) int {
		if order := timesOf(a).start.Compare(timesOf(b).start); order != 0 {
			return order
		}
		return cmp.Compare(a.id, b.id)
	}
	return area{
		name: "Events", resources: []*resource{event.resource}, seed: event.seed,
		handlers: handlers{"listEvents": event.listEvents},
	}
}

// eventKind adds the calendar to the resource.
type eventKind struct{ *resource }

// calendarEvent is what an event is made of, until a write gives it other members.
type calendarEvent struct {
	times
	matter      string // empty for some
	staff       string
	contact     string
	eventType   any // a name, digits, or a number: all three occur
	kind        string
	subject     string
	description string
	location    string
	allDay      bool
	nonBillable bool
	zoneless    bool // lastUpdated is written without a zone
	extra       rawText
}

// times say when an event takes place.
type times struct {
	start  time.Time // in UTC
	length time.Duration
	zone   *time.Location
}

func timesOf(r *record) *times { return &r.data.(*calendarEvent).times }

const localTime = "2006-01-02T15:04:05"

// eventMembers are the members of an event that no write has given it.
func eventMembers(r *record) fields {
	e := r.data.(*calendarEvent)
	f := fields{
		"eventType": e.eventType, "type": e.kind, "subject": e.subject, "description": e.description, "location": e.location,
		"allDay": e.allDay, "nonBillable": e.nonBillable, "attendees": []any{}, "additionalData": e.extra,
		"startTime": e.start.In(e.zone).Format(localTime), "endTime": e.start.Add(e.length).In(e.zone).Format(localTime),
		"timeZone": e.zone.String(), "lastUpdated": utc(r.updated),
	}
	if e.zoneless {
		f["lastUpdated"] = f.str("lastUpdated")[:len(f.str("lastUpdated"))-1]
	}
	if e.matter != "" {
		f["matter"], f["attendees"], f["externalAttendees"] = ref{"matters", e.matter}, []any{ref{"staff", e.staff}}, []any{ref{"contacts", e.contact}}
	}
	for name := range r.fields {
		delete(f, name)
	}
	if r.fields["matterId"] != nil {
		delete(f, "matter")
	}
	return f
}

// changeEvent takes over when an event takes place.
func changeEvent(t *tx, r *record, body fields) {
	e := calendarEvent{times: times{start: t.now, length: 30 * time.Minute, zone: time.UTC}, kind: eventKinds[0], eventType: eventKinds[0]}
	if known, is := r.data.(*calendarEvent); is {
		e = *known
	}
	if zone, err := time.LoadLocation(body.str("timeZone")); err == nil && body.str("timeZone") != "" {
		e.zone = zone
	}
	if start, err := time.ParseInLocation(localTime, body.str("startTime"), e.zone); err == nil {
		e.start = start.UTC()
	}
	if end, err := time.ParseInLocation(localTime, body.str("endTime"), e.zone); err == nil {
		e.length = end.Sub(e.start)
	}
	r.data = &e
}

// eventFilter is what the query of the calendar asks for.
type eventFilter struct {
	from, to, updatedSince time.Time // to and updatedSince are zero when absent
	matterID               string
	excludeDeleted         bool
}

// within are the events that start in the range, found by their order.
func (f *eventFilter) within(all []*record) []*record {
	first := sort.Search(len(all), func(i int) bool { return !timesOf(all[i]).start.Before(f.from) })
	all = all[first:]
	if f.to.IsZero() {
		return all
	}
	return all[:sort.Search(len(all), func(i int) bool { return timesOf(all[i]).start.After(f.to) })]
}

// wide tells whether the filter takes every event that starts in its range.
func (f *eventFilter) wide() bool {
	return f.updatedSince.IsZero() && f.matterID == "" && !f.excludeDeleted
}

// refuses tells whether the filter leaves out an event of its range.
func (f *eventFilter) refuses(r *record) bool {
	return r.updated.Before(f.updatedSince) || f.excludeDeleted && r.deleted || f.matterID != "" && matterOf(r) != f.matterID
}

func matterOf(r *record) string {
	if id := r.fields.str("matterId"); id != "" {
		return sameID(id)
	}
	return r.data.(*calendarEvent).matter
}

// listEvents answers the events that start in a range of time, the earliest first.
// Without From the range begins now.
func (event eventKind) listEvents(s *Server, c *call) (answer, error) {
	filter := eventFilter{
		from: c.moment("From", c.now), to: c.moment("To", time.Time{}), updatedSince: c.moment("UpdatedSince", time.Time{}),
		matterID: c.query["MatterId"], excludeDeleted: c.query["ExcludeDeletedEvents"] == "true",
	}
	// Only the page is looked at when the range alone decides: a calendar is long.
	found := filter.within(s.state.list(event.resource, c.account.id).all)
	if !filter.wide() {
		found = slices.DeleteFunc(slices.Clone(found), filter.refuses)
	}
	return s.listing(c, event.resource, found), nil
}

func fromTicks(n int64) time.Time {
	since := n - epochTicks
	return time.Unix(since/10_000_000, since%10_000_000*100).UTC()
}

// EventIDs returns the ids of the firm's calendar events by their start, deleted
// events included.
func (s *Server) EventIDs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, e := range s.state.list(s.catalog.byTarget["events"], s.firm.AccountID).all {
		all = append(all, e.id)
	}
	return all
}

// RescheduleEvent moves a calendar event of the firm by d, as a user of the vendor's
// own application would, and raises event.updated. It returns false when there is no
// such event.
func (s *Server) RescheduleEvent(id string, d time.Duration) bool {
	return s.inApplication(s.catalog.byTarget["events"], id, func(r *record) {
		e := *r.data.(*calendarEvent)
		e.start = e.start.Add(d)
		r.data = &e
		delete(r.fields, "startTime")
		delete(r.fields, "endTime")
	})
}

// DeleteEvent marks a calendar event of the firm as deleted and raises event.updated.
// It returns false when there is no such event.
func (s *Server) DeleteEvent(id string) bool {
	return s.inApplication(s.catalog.byTarget["events"], id, func(r *record) { r.deleted = true })
}

// AddEvent adds an event to the calendar of the firm, as a user of the vendor's own
// application would, and raises event.updated. The event belongs to no matter, starts
// at start and takes half an hour. AddEvent returns its id.
func (s *Server) AddEvent(subject string, start time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	event := s.catalog.byTarget["events"]
	t := s.applicationTx(s.state.accounts[s.firm.AccountID])
	r := t.create(event, s.state.newID(event.path), nil)
	r.data = &calendarEvent{
		times: times{start: start.UTC(), length: 30 * time.Minute, zone: time.UTC}, eventType: eventKinds[0], kind: eventKinds[0],
		subject: subject, extra: rawText("{}"),
	}
	t.put(r, created)
	t.commit()
	return r.id
}

// ForgetEvent removes a calendar event of the firm without a trace: it is not listed
// any more, not even as deleted, and no event is raised. The description does not say
// how long the service lists deleted events. ForgetEvent returns false when there is
// no such event.
func (s *Server) ForgetEvent(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	place := s.state.slot(s.catalog.byTarget["events"], id)
	if place == nil || place.now == nil || place.account.id != s.firm.AccountID {
		return false
	}
	s.state.forget(place.now)
	return true
}

// Event returns an event of the calendar, and whether there is one with the id.
func (s *Server) Event(id string) (models.CalendarEvent, bool) {
	return recordOf[models.CalendarEvent](s, "/events/{eventId}", id)
}

package practicetest

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
	"time"
)

func eventHandlers() handlers { return handlers{"listEvents": (*Server).listEvents} }

// calendarEvent is an event of the firm's calendar. Its text is written once and
// kept, because calendars are read page after page.
type calendarEvent struct {
	id          string
	account     *account
	matter      *matter // nil for some
	attendees   []*staffMember
	external    []*contact
	eventType   any // a name, digits, or a number: all three occur
	kind        string
	subject     string
	description string
	location    string
	allDay      bool
	nonBillable bool
	start       time.Time // in UTC
	length      time.Duration
	zone        *time.Location
	updated     time.Time
	zoneless    bool // lastUpdated is written without a zone
	extra       json.RawMessage
	deleted     bool

	texts map[linker][]byte
}

type wireEvent struct {
	head
	ID                string          `json:"id"`
	Matter            *link           `json:"matter"`
	Attendees         []*link         `json:"attendees"`
	ExternalAttendees []*link         `json:"externalAttendees"`
	EventType         any             `json:"eventType"`
	Type              string          `json:"type"`
	Subject           string          `json:"subject"`
	Description       string          `json:"description"`
	Location          string          `json:"location"`
	AllDay            bool            `json:"allDay"`
	NonBillable       bool            `json:"nonBillable"`
	StartTime         string          `json:"startTime"`
	EndTime           string          `json:"endTime"`
	TimeZone          string          `json:"timeZone"`
	LastUpdated       string          `json:"lastUpdated"`
	AdditionalData    json.RawMessage `json:"additionalData"`
	IsDeleted         bool            `json:"isDeleted"`
}

// text is the event as the wire has it.
func (e *calendarEvent) text(l linker) []byte {
	if known := e.texts[l]; known != nil {
		return known
	}
	if e.texts == nil {
		e.texts = map[linker][]byte{}
	}
	e.texts[l] = encode(e.wire(l))
	return e.texts[l]
}

func (e *calendarEvent) wire(l linker) wireEvent {
	const local = "2006-01-02T15:04:05"
	w := wireEvent{
		head: l.head("Events", "events", e.id), ID: e.id, Attendees: []*link{},
		EventType: e.eventType, Type: e.kind, Subject: e.subject, Description: e.description, Location: e.location,
		AllDay: e.allDay, NonBillable: e.nonBillable,
		StartTime: e.start.In(e.zone).Format(local), EndTime: e.start.Add(e.length).In(e.zone).Format(local),
		TimeZone: e.zone.String(), LastUpdated: utc(e.updated), AdditionalData: e.extra, IsDeleted: e.deleted,
	}
	if e.zoneless {
		w.LastUpdated = w.LastUpdated[:len(w.LastUpdated)-1]
	}
	if e.matter != nil {
		w.Matter = l.matter(e.matter.id)
	}
	for _, m := range e.attendees {
		w.Attendees = append(w.Attendees, l.staff(m.id))
	}
	for _, n := range e.external {
		w.ExternalAttendees = append(w.ExternalAttendees, l.contact(n.id))
	}
	return w
}

// byStart is the order of a calendar, which its list of events always has.
func byStart(x, y *calendarEvent) int {
	return cmp.Or(x.start.Compare(y.start), cmp.Compare(x.id, y.id))
}

func (a *account) sortEvents() { slices.SortFunc(a.events, byStart) }

// insertEvent puts an event where it belongs.
func (a *account) insertEvent(e *calendarEvent) {
	at, _ := slices.BinarySearchFunc(a.events, e, byStart)
	a.events = slices.Insert(a.events, at, e)
}

// eventFilter is what the query of the calendar asks for.
type eventFilter struct {
	from, to, updatedSince time.Time // to and updatedSince are zero when absent
	matterID               string
	excludeDeleted         bool
}

// within are the events that start in the range, found by their order.
func (f *eventFilter) within(all []*calendarEvent) []*calendarEvent {
	first := sort.Search(len(all), func(i int) bool { return !all[i].start.Before(f.from) })
	all = all[first:]
	if f.to.IsZero() {
		return all
	}
	return all[:sort.Search(len(all), func(i int) bool { return all[i].start.After(f.to) })]
}

// wide tells whether the filter takes every event that starts in its range.
func (f *eventFilter) wide() bool {
	return f.updatedSince.IsZero() && f.matterID == "" && !f.excludeDeleted
}

// refuses tells whether the filter leaves out an event of its range.
func (f *eventFilter) refuses(e *calendarEvent) bool {
	return e.updated.Before(f.updatedSince) || f.excludeDeleted && e.deleted ||
		f.matterID != "" && (e.matter == nil || e.matter.id != f.matterID)
}

// listEvents answers the events that start in a range of time, the earliest first.
// Without From the range begins now.
func (s *Server) listEvents(c *call) ([]byte, error) {
	offset, limit := c.window()
	filter := eventFilter{
		from: c.moment("From", c.now), to: c.moment("To", time.Time{}), updatedSince: c.moment("UpdatedSince", time.Time{}),
		matterID: c.query["MatterId"], excludeDeleted: c.query["ExcludeDeletedEvents"] == "true",
	}
	// Only the page is looked at when the range alone decides: a calendar is long.
	found := filter.within(c.account.events)
	if !filter.wide() {
		found = slices.DeleteFunc(slices.Clone(found), filter.refuses)
	}
	var items [][]byte
	for _, e := range slice(found, offset, limit) {
		items = append(items, e.text(c.link))
	}
	return c.page(offset, limit, len(found), "events").body(items), nil
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
	for _, e := range s.state.accounts[s.firm.AccountID].events {
		all = append(all, e.id)
	}
	return all
}

// RescheduleEvent moves a calendar event of the firm by d, as a user of the vendor's
// own application would, and raises event.updated. It returns false when there is no
// such event.
func (s *Server) RescheduleEvent(id string, d time.Duration) bool {
	return s.changeEvent(id, func(e *calendarEvent) { e.start = e.start.Add(d) })
}

// DeleteEvent marks a calendar event of the firm as deleted and raises event.updated.
// It returns false when there is no such event.
func (s *Server) DeleteEvent(id string) bool {
	return s.changeEvent(id, func(e *calendarEvent) { e.deleted = true })
}

func (s *Server) changeEvent(id string, change func(*calendarEvent)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.state.accounts[s.firm.AccountID]
	i := slices.IndexFunc(a.events, func(e *calendarEvent) bool { return e.id == id })
	if i < 0 {
		return false
	}
	e := a.events[i]
	a.events = slices.Delete(a.events, i, i+1)
	change(e)
	e.updated, e.texts = s.clock.Now().UTC(), nil
	a.insertEvent(e)
	s.raise(e.updated, s.ownCause(a), "event.updated", e.text(s.linkerFor("")))
	return true
}

// ownCause stands for somebody who works in the vendor's own application.
func (s *Server) ownCause(a *account) cause {
	return cause{accountID: a.id, userID: a.staff[0].userID, link: s.linkerFor("")}
}

// AddEvent adds an event to the calendar of the firm, as a user of the vendor's own
// application would, and raises event.updated. The event belongs to no matter, starts
// at start and takes half an hour. AddEvent returns its id.
func (s *Server) AddEvent(subject string, start time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.state.accounts[s.firm.AccountID]
	e := &calendarEvent{
		id: s.state.ids.next(), account: a, eventType: eventKinds[0], kind: eventKinds[0], subject: subject,
		start: start.UTC(), length: 30 * time.Minute, zone: time.UTC, updated: s.clock.Now().UTC(), extra: json.RawMessage(`{}`),
	}
	a.insertEvent(e)
	s.raise(e.updated, s.ownCause(a), "event.updated", e.text(s.linkerFor("")))
	return e.id
}

// ForgetEvent removes a calendar event of the firm without a trace: it is not listed
// any more, not even as deleted, and no event is raised. The description does not say
// how long the service lists deleted events. ForgetEvent returns false when there is
// no such event.
func (s *Server) ForgetEvent(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.state.accounts[s.firm.AccountID]
	i := slices.IndexFunc(a.events, func(e *calendarEvent) bool { return e.id == id })
	if i >= 0 {
		a.events = slices.Delete(a.events, i, i+1)
	}
	return i >= 0
}

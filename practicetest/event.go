package practicetest

import (
	"encoding/json"
	"slices"
	"time"
)

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

// EventIDs returns the calendar events of the firm, the earliest first, deleted
// ones included.
func (s *Server) EventIDs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, e := range s.state.accounts[s.firm.AccountID].events {
		all = append(all, e.id)
	}
	return all
}

// RescheduleEvent moves a calendar event of the firm by d, as somebody in the
// vendor's own application would, and raises event.updated. It is false when there
// is no such event.
func (s *Server) RescheduleEvent(id string, d time.Duration) bool {
	return s.changeEvent(id, func(e *calendarEvent) { e.start = e.start.Add(d) })
}

// DeleteEvent marks a calendar event of the firm as deleted and raises
// event.updated. It is false when there is no such event.
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
	change(e)
	e.updated, e.texts = s.clock.Now().UTC(), nil
	a.sortEvents()
	s.raise(e.updated, s.ownCause(a), "event.updated", e.text(s.linkerFor("")))
	return true
}

// ownCause stands for somebody who works in the vendor's own application.
func (s *Server) ownCause(a *account) cause {
	return cause{accountID: a.id, userID: a.staff[0].userID, link: s.linkerFor("")}
}

func (a *account) sortEvents() {
	slices.SortFunc(a.events, func(x, y *calendarEvent) int {
		if d := x.start.Compare(y.start); d != 0 {
			return d
		}
		if x.id < y.id {
			return -1
		}
		return 1
	})
}

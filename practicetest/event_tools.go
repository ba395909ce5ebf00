package practicetest

import (
	"encoding/json"
	"slices"
	"time"
)

// AddEvent puts an event of half an hour, in UTC and of no matter, into the
// calendar of the firm, as somebody in the vendor's own application would, and
// raises event.updated. It returns the id.
func (s *Server) AddEvent(subject string, start time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.state.accounts[s.firm.AccountID]
	e := &calendarEvent{
		id: s.state.ids.next(), account: a, eventType: eventKinds[0], kind: eventKinds[0], subject: subject,
		start: start.UTC(), length: 30 * time.Minute, zone: time.UTC, updated: s.clock.Now().UTC(), extra: json.RawMessage(`{}`),
	}
	a.events = append(a.events, e)
	a.sortEvents()
	s.raise(e.updated, s.ownCause(a), "event.updated", e.text(s.linkerFor("")))
	return e.id
}

// ForgetEvent takes a calendar event of the firm away without a trace: it is not
// listed any more, not even as deleted, and nothing is raised. That the service
// lists deleted events for ever is stated nowhere. It is false when there is no
// such event. Specification, Calendar events.
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

package practicetest

import (
	"encoding/json"
	"slices"
	"time"
)

// eventTypes are the types that can be subscribed to. Specification, Event types.
func eventTypes() []string {
	return []string{
		"activitycode.created", "activitycode.deleted", "activitycode.updated",
		"archive.updated", "billingconfiguration.updated",
		"contact.created", "contact.deleted", "contact.restored", "contact.updated",
		"expense.created", "expense.deleted", "expense.updated",
		"event.updated", "files.updated",
		"fee.created", "fee.deleted", "fee.updated",
		"firm.updated", "firmuser.updated", "invoice.finalized",
		"layoutdesign.updated", "layoutmatter.created", "layoutmatter.updated",
		"mattertype.updated", "matter.created", "matter.updated", "matteritems.updated", "matterstage.updated",
		"memo.created", "memo.updated", "memo.deleted", "memo.restored",
		"roles.updated", "staff.created", "staff.updated",
		"stageset.created", "stageset.updated",
		"task.created", "task.updated", "task.deleted",
		"user.registered", "user.unregistered", "error",
	}
}

// systemEventTypes are sent to every subscription regardless of its account.
func systemEventTypes() []string { return []string{"mattertype.updated"} }

// Emit raises a change event by hand: every subscription of its account that lists
// its type is notified, and for a system event every subscription that lists it.
// A type outside of the list of event types reaches every subscription of the
// account, so that receivers can be tested with types they do not know.
func (s *Server) Emit(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleDue(s.clock.Now().UTC())
	s.dispatch(e)
}

func (s *Server) dispatch(e Event) {
	s.endGrants(s.clock.Now())
	e = s.complete(e)
	system := slices.Contains(systemEventTypes(), e.Type)
	known := slices.Contains(eventTypes(), e.Type)
	for _, sub := range s.state.subscriptions {
		here := system || sub.accountID == e.AccountID
		if here && (!known || slices.Contains(sub.eventTypes, e.Type)) {
			s.courier.enqueue(*sub, e)
		}
	}
}

// complete fills in what an event does not say.
func (s *Server) complete(e Event) Event {
	if e.AccountID == "" {
		e.AccountID = s.firm.AccountID
	}
	if e.Source == "" {
		e.Source = "API"
	}
	if len(e.Payload) == 0 {
		e.Payload = json.RawMessage("{}")
	}
	if e.Timestamp == 0 {
		e.Timestamp = ticks(s.clock.Now())
	}
	if e.RequestID == "" {
		e.RequestID = s.state.ids.next()
	}
	return e
}

// raiseFiles tells that the documents of a matter have changed.
func (s *Server) raiseFiles(now time.Time, from cause, m *matter) {
	s.raise(now, from, "files.updated", encode(struct {
		ID     string `json:"id"`
		Matter *link  `json:"matter"`
	}{m.id, from.link.matter(m.id)}))
}

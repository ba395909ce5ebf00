package practicetest

import (
	"slices"
	"time"
)

// MaxRecordedChanges is the number of changes that [Server.Changes] keeps, the
// latest ones.
const MaxRecordedChanges = 1 << 16

// Change is a line of the change log: what a write did to a record.
type Change struct {
	// At is the time of the change.
	At time.Time
	// What tells what happened: created, updated, deleted or restored.
	What string
	// Kind is what the record is: the segment of its address in front of its
	// id, for example fees.
	Kind string
	// ID identifies the record.
	ID string
	// VersionID is the version that the change made.
	VersionID string
	// AccountID is the account of the record.
	AccountID string
	// UserID is the user that caused the change. Empty when there was none.
	UserID string
	// Source is API, or the name of the vendor's own application.
	Source string
	// RequestID is the RequestId of the request. Empty when it had none.
	RequestID string
}

// Changes returns what was done to the records of all firms since the service
// began, in order. It leaves out writes that were only accepted or have failed,
// webhook subscriptions and portal messages.
func (s *Server) Changes() []Change {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleDue(s.clock.Now().UTC())
	return slices.Clone(s.state.log)
}

// changeKind says what happened to a record, in the words of the event types.
type changeKind string

const (
	created  changeKind = "created"
	updated  changeKind = "updated"
	deleted  changeKind = "deleted"
	restored changeKind = "restored"
)

// note writes a line of the change log.
func (t *tx) note(r *record, what changeKind) {
	st := t.server.state
	if len(st.log) == MaxRecordedChanges {
		st.log = st.log[1:]
	}
	st.log = append(st.log, Change{
		t.now, string(what), r.of.target, r.id, r.versionID(), t.account.id, t.from.userID, t.from.sourceName(), t.from.requestID,
	})
}

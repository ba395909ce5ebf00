package practicetest

import (
	"slices"
	"time"
)

// Change is a line of the change log: the effect of a write on a record.
type Change struct {
	// At is the time of the change.
	At time.Time `json:"at"`
	// What is the kind of change: created, updated, deleted or restored.
	What string `json:"what"`
	// Kind is the kind of the record: the segment of its address in front of
	// its id, for example fees.
	Kind string `json:"kind"`
	// ID identifies the record.
	ID string `json:"id"`
	// VersionID is the version that the change made.
	VersionID string `json:"versionId"`
	// AccountID is the account of the record.
	AccountID string `json:"accountId"`
	// UserID is the user that caused the change. Empty when there was none.
	UserID string `json:"userId"`
	// Source is API, or the name of the vendor's own application.
	Source string `json:"source"`
	// RequestID is the RequestId of the request. Empty when it had none.
	RequestID string `json:"requestId"`
}

// Changes returns the changes of records, of whichever firm, since the service
// started, in order. It omits writes that were only accepted or have failed,
// webhook subscriptions and portal messages. A service keeps the latest 65,536.
func (s *Server) Changes() []Change {
	defer s.settled()()
	return slices.Clone(s.state.log)
}

// changeKind is the kind of change, in the words of the event types.
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
	if len(st.log) == maxRecorded {
		st.log = st.log[1:]
	}
	st.log = append(st.log, Change{
		t.now, string(what), r.of.target, r.id, r.versionID(), t.account.id, t.from.userID, t.from.sourceName(), t.from.requestID,
	})
}

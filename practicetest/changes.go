package practicetest

import (
	"slices"
	"time"
)

// Change is an entry of the change log: the effect of a write on one record. A
// write may change several, such as a new matter and its roles.
type Change struct {
	// At is the time at which the change took effect.
	At time.Time `json:"at"`
	// What is the kind of change: created, updated, deleted or restored.
	What string `json:"what"`
	// Kind is the kind of the record as it appears in its path, such as fees.
	Kind string `json:"kind"`
	// ID is the id of the record.
	ID string `json:"id"`
	// VersionID is the id of the version that the change created.
	VersionID string `json:"versionId"`
	// AccountID is the id of the account that the record belongs to.
	AccountID string `json:"accountId"`
	// UserID is the id of the user who made the change. Empty if no user did.
	UserID string `json:"userId"`
	// Source is API, or the name of the vendor's own application.
	Source string `json:"source"`
	// RequestID is the RequestId of the request that made the change. Empty if
	// it had none.
	RequestID string `json:"requestId"`
}

// Changes returns the changes of records of any firm, in order. It does not
// include writes that are still pending or have failed, webhook subscriptions,
// or portal messages. The service keeps the latest 65,536 changes.
func (s *Server) Changes() []Change {
	defer s.settled()()
	return slices.Clone(s.state.log)
}

// changeKind is a kind of change. The values are those in the names of event
// types.
type changeKind string

const (
	created  changeKind = "created"
	updated  changeKind = "updated"
	deleted  changeKind = "deleted"
	restored changeKind = "restored"
)

// note appends an entry to the change log and drops the oldest one if the log
// is full.
func (t *tx) note(r *record, what changeKind) {
	st := t.server.state
	st.log = recorded(st.log, Change{
		t.now, string(what), r.of.target, r.id, r.versionID(), t.account.id, t.from.userID, t.from.sourceName(), t.from.requestID,
	})
}

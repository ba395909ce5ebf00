package practicetest

import (
	"errors"
	"net/http"
	"slices"
	"time"
)

// tx is a transaction: the changes of one write before they are stored. A trial
// runs when the write is accepted, to check it; its changes are discarded.
type tx struct {
	server  *Server
	account *account
	now     time.Time
	from    cause
	trial   bool
	removes bool // the write is a DELETE, so records that it leaves equal are not changes
	changes []pendingChange
	further []furtherEvent
	then    func() // runs at the commit; nil: nothing
	told    map[string]bool
}

// furtherEvent is an event in addition to those of the changed records. Its
// payload is created at the commit.
type furtherEvent struct {
	kind    string
	payload func(view) []byte
}

// tell adds an event that is raised at the commit.
func (t *tx) tell(kind string, payload func(view) []byte) {
	t.further = append(t.further, furtherEvent{kind, payload})
}

// pendingChange is a record to be stored at the commit.
type pendingChange struct {
	record *record
	what   changeKind
}

// pendingError reports that a write refers to a record whose create is accepted
// but not visible yet.
type pendingError struct {
	of  *resource
	due time.Time
}

func (e *pendingError) Error() string { return "the " + e.of.name + " is not visible yet" }

func (s *Server) tx(c *call) *tx {
	return &tx{server: s, account: c.account, now: c.now, from: c.cause(), trial: true}
}

// find returns a record of the account in the state that writes see. It fails
// if the record or one of its parents is deleted. If above is not nil, it must
// hold the ids of the parents.
func (t *tx) find(of *resource, id string, above []string) (*record, error) {
	if above != nil && of.above != nil {
		if err := t.parents(of, above); err != nil {
			return nil, err
		}
	}
	r, err := t.known(of, id, above)
	if err == nil && r.deleted {
		return nil, refuse(http.StatusNotFound, "The %s has been deleted.", of.name)
	}
	return r, err
}

// known is like find, but also returns deleted records.
func (t *tx) known(of *resource, id string, above []string) (*record, error) {
	for i := range t.changes {
		if r := t.changes[len(t.changes)-1-i].record; r.of == of && sameID(r.id) == sameID(id) {
			return r, nil
		}
	}
	return t.resolve(of, id, above, seenByWrites)
}

// read returns a record of the account in the state that reads see.
func (t *tx) read(of *resource, id string, above []string) (*record, error) {
	r, err := t.resolve(of, id, above, seenByReads)
	if pending := (*pendingError)(nil); errors.As(err, &pending) {
		err = notFound(of.name)
	}
	return r, err
}

func (t *tx) resolve(of *resource, id string, above []string, state func(*slot) *record) (*record, error) {
	if above != nil && of.above != nil {
		if _, err := t.known(of.above, above[len(above)-1], above[:len(above)-1]); err != nil {
			return nil, err
		}
	}
	place := t.server.state.slot(of, id)
	switch {
	case place == nil:
		return nil, notFound(of.name)
	case place.At.account != t.account:
		return nil, otherFirm(of.name)
	case above != nil && !slices.EqualFunc(place.At.above, above, func(a, b string) bool { return a == sameID(b) }):
		return nil, notFound(of.name)
	}
	r := state(place)
	if r == nil {
		return nil, &pendingError{of, place.Due}
	}
	if r.deleted && of.vanishes {
		return nil, notFound(of.name)
	}
	return r, nil
}

// parents requires the parents of a record to exist and not to be deleted.
func (t *tx) parents(of *resource, above []string) error {
	_, err := t.find(of.above, above[len(above)-1], above[:len(above)-1])
	return err
}

// unlessPending returns err if a pending write will create the missing record,
// otherwise other.
func unlessPending(err, other error) error {
	if pending := (*pendingError)(nil); errors.As(err, &pending) {
		return err
	}
	return other
}

// newID returns an id for a record that the write creates. A trial does not
// consume an id.
func (t *tx) newID(kind string) string {
	if t.trial {
		return t.server.state.uuid("trial of "+kind, uint64(len(t.changes)))
	}
	return t.server.state.newID(kind)
}

// put adds a record to the transaction and returns it.
func (t *tx) put(r *record, what changeKind) *record {
	for i := range t.changes {
		if t.changes[i].record.of == r.of && t.changes[i].record.id == r.id {
			t.changes[i].record = r
			return r
		}
	}
	t.changes = append(t.changes, pendingChange{r, what})
	return r
}

// create returns a new record with the given id.
func (t *tx) create(of *resource, id string, above []string) *record {
	return &record{
		of: of, id: id, account: t.account, above: above, author: t.from.userID, editor: t.from.userID,
		created: t.now, updated: t.now, fields: fields{}, text: &recordTexts{},
	}
}

// alter returns a copy of a record that the write may modify, and the kind of
// change. A deleted record can only be restored.
func (t *tx) alter(of *resource, id string, above []string, body fields) (*record, changeKind, error) {
	if old, err := t.known(of, id, above); err == nil && old.deleted && of.restores != nil && of.restores(body) {
		r := t.edit(old)
		r.deleted = false
		return r, restored, nil
	}
	old, err := t.find(of, id, above)
	if err != nil {
		return nil, "", err
	}
	return t.edit(old), updated, nil
}

// undeletes reports whether the body sets isDeleted to false, which restores a
// deleted record.
func undeletes(body fields) bool { return string(body.raw("isDeleted")) == "false" }

// edit returns a copy of a record that the write may modify.
func (t *tx) edit(r *record) *record {
	n := r.next()
	n.editor = t.from.userID
	return n
}

// drop deletes a record in the transaction.
func (t *tx) drop(r *record) {
	r = t.edit(r)
	r.deleted = true
	t.put(r, deleted)
}

// commit stores the changes. Each changed record gets a new version, an entry
// in the change log and an event.
func (t *tx) commit() {
	st := t.server.state.store
	if t.removes {
		t.changes = slices.DeleteFunc(t.changes, func(c pendingChange) bool { return c.record.equals(st.latest(c.record)) })
	}
	for _, c := range t.changes {
		r := c.record
		r.revision++
		r.updated = t.now
		if r.of.remember != nil {
			r.of.remember(t, st.latest(r), r)
		}
		t.note(r, c.what)
		st.keep(r)
		t.show(r, c.what)
	}
	if t.then != nil {
		t.then()
	}
	for _, e := range t.further {
		t.server.raise(t.now, t.from, e.kind, t.server.payload(t.from.link, payloads[e.kind], e.payload(t.server.payloadView(t.from.link))))
	}
}

// eventOf returns the type of the event of a change, or "" if there is none.
func (r *resource) eventOf(what changeKind) string {
	if r.event == "" {
		return r.events[what]
	}
	if kind := r.event + "." + string(what); slices.Contains(eventTypes(), kind) {
		return kind
	}
	return r.event + "." + string(updated)
}

// raise raises the event of a change, if there is an event type for it.
func (t *tx) raise(now time.Time, r *record, what changeKind) {
	kind := r.of.eventOf(what)
	if kind == "" {
		return
	}
	v, r := t.server.payloadView(t.from.link), t.server.state.completed(r, seenByWrites)
	payload, schema := v.record(r), r.of.schema
	switch carried := payloads[kind]; {
	case r.of.payload != nil:
		payload, schema = r.of.payload(v, r), carried
	case carried != "" && carried != schema:
		payload, schema = v.partOf(payload, carried), carried
	}
	payload = t.server.payload(t.from.link, schema, payload)
	if payload == nil || t.told[kind+string(payload)] {
		return // a write raises equal events only once
	}
	if t.told == nil {
		t.told = map[string]bool{}
	}
	t.told[kind+string(payload)] = true
	from := t.from
	from.accountID = r.account.id
	t.server.raise(now, from, kind, payload)
}

package practicetest

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// Tests can add records and read back their state: the file of each area has
// one-line methods for its kinds of records.

// enter performs a write operation without a request, as a user of the vendor's
// own application would. The write takes effect at once, with its events and
// under the rules of the operation. enter returns the id of the record. A body
// that the service would refuse is a mistake of the test. body is a pointer or
// nil.
func (s *Server) enter(operation string, body any, ids ...string) string {
	var text []byte
	if body != nil {
		var err error
		if text, err = codec.AppendRequest(nil, body, models.Wire); err != nil {
			s.misuse("practicetest: the body of %s cannot be encoded: %v", operation, err)
			return ""
		}
	}
	id, err := s.entered(operation, text, ids)
	if err != nil {
		s.misuse("practicetest: %s was rejected: %s", strings.Join(append([]string{operation}, ids...), " "), sentenceOf(err))
	}
	return id
}

// entered does what enter does, for an encoded body. It returns the error of a
// refused write instead of reporting a mistake.
func (s *Server) entered(operation string, body []byte, ids []string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.applicationCall(operation, body, ids)
	if err == nil {
		_, err = c.route.handle(s, c)
	}
	return c.written, err
}

// applicationCall returns a call of an operation that has no HTTP request.
func (s *Server) applicationCall(operation string, body []byte, ids []string) (*call, error) {
	now := s.clock.Now().UTC()
	s.settleDue(now)
	a := s.state.accounts[s.firm.AccountID]
	c := &call{
		values: ids, account: a, now: now, application: true, query: map[string]string{},
		link: s.linkerFor(""), userID: s.applicationTx(a).from.userID, route: s.router.byOperation(operation),
	}
	if c.route == nil {
		return c, errors.New("the service does not support the operation")
	}
	for _, id := range ids {
		s.state.furnishFor(id)
	}
	if c.rawBody = body; body == nil || c.route.body == nil {
		return c, nil
	}
	if c.route.body.kind == kindList {
		return c, s.readList(c, c.route.body)
	}
	return c, s.readObject(c, c.route.body)
}

// place adds a record for which the API has no create operation. The record
// takes effect at once and raises its event. Links to other records are given
// by their ids. Members that the service sets itself, such as the version, are
// ignored. A record without an id gets one.
func (s *Server) place(path string, record any, above ...string) string {
	of := s.catalog.byPath(path)
	text, err := codec.AppendRequest(nil, record, models.Wire)
	id := ""
	if err == nil {
		id, err = s.placed(of, text, above)
	}
	if err != nil {
		s.misuse("practicetest: %s was rejected: %s", of.name, sentenceOf(err))
	}
	return id
}

// placed does what place does, for an encoded record. It returns the error of a
// refused record instead of reporting a mistake.
func (s *Server) placed(of *resource, text []byte, above []string) (string, error) {
	f, id, err := of.membersOf(text)
	if err != nil {
		return "", err
	}
	defer s.settled()()
	for _, id := range above {
		s.state.furnish(sameID(id))
	}
	t := s.applicationTx(s.state.accounts[s.firm.AccountID])
	if of.above != nil && len(above) > 0 {
		if err := t.parents(of, above); err != nil {
			return "", err
		}
	}
	if id == "" {
		id = of.newID(s.state, f)
	}
	r := t.create(of, id, lower(above))
	r.fields, r.deleted = f, f.is("isDeleted")
	if err := t.settle(nil, r, created); err != nil {
		return "", err
	}
	if of.placed != nil {
		if err := of.placed(t, r); err != nil {
			return "", err
		}
	}
	t.commit()
	return r.id, nil
}

// newID returns an id for a record that a test adds without one.
func (res *resource) newID(st *state, f fields) string {
	if res.identify != nil {
		return res.identify(st, f)
	}
	return st.newID(res.path)
}

// asApplication applies a change for which the API has no operation. It takes
// effect at once and raises its events. name is the method that the test
// called; it appears in the message if the change is refused.
func (s *Server) asApplication(name string, change func(*tx) error) {
	if err := s.applied(change); err != nil {
		s.misuse("practicetest: %s was rejected: %s", name, sentenceOf(err))
	}
}

// applied does what asApplication does, but returns the error of a refused
// change instead of reporting a mistake.
func (s *Server) applied(change func(*tx) error) error {
	defer s.settled()()
	t := s.applicationTx(s.state.accounts[s.firm.AccountID])
	if err := change(t); err != nil {
		return err
	}
	t.commit()
	return nil
}

// membersOf returns the members and the id of a record given by a test. It
// replaces links by the ids of their targets.
func (res *resource) membersOf(text []byte) (f fields, id string, err error) {
	given, err := parseObject(text)
	if err != nil {
		return nil, "", err
	}
	f = fields{}
	for i := range res.answer.members {
		m := &res.answer.members[i]
		raw, there := given[m.name]
		delete(given, m.name)
		switch {
		case !there || m.name == "versionId":
		case m.name == "id":
			id, _ = asText(raw)
		case m.kind == kindObject && m.object == "Link":
			f[m.name] = idOf(raw)
		case m.kind == kindList && m.elem.object == "Link":
			ids := []string{}
			for _, one := range elements(raw) {
				ids = append(ids, idOf(one.(json.RawMessage)))
			}
			f[m.name] = ids
		default:
			f[m.name] = raw
		}
	}
	return f, sameID(id), nil
}

// idOf returns the id in an encoded link.
func idOf(link json.RawMessage) string {
	var l struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(link, &l) // cannot fail: the library has just encoded it
	return l.ID
}

// recordOf returns the latest state of a record in any account, even if reads
// and lists still lag behind. It reports whether the record exists, including
// records marked as deleted.
func recordOf[T any](s *Server, path, id string) (T, bool) {
	var out T
	defer s.settled()()
	place := s.state.lookUp(s.catalog.byPath(path), id)
	if place == nil || place.Now == nil || place.Now.deleted && place.Now.of.vanishes {
		return out, false
	}
	return readBack[T](s, s.state.completed(place.Now, seenByWrites)), true
}

// readBack decodes a record as a client would.
func readBack[T any](s *Server, r *record) (out T) {
	v := s.view(s.linkerFor(""))
	v.form, v.vendor = Rendering{Empty: EmptyAbsent}, "vendorId"
	if err := codec.Unmarshal(v.record(r), &out, models.Wire); err != nil {
		s.misuse("practicetest: %s %s cannot be decoded: %v", r.of.path, r.id, err)
	}
	return out
}

// byPath returns the resource with the path. It panics if there is none.
func (c *catalog) byPath(path string) *resource {
	for _, r := range c.resources {
		if r.path == path {
			return r
		}
	}
	panic("practicetest: no area declares the resource " + path)
}

package practicetest

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// A test adds records of its own and reads back what became of them: each kind of record
// has a method for either, in the file of its area, of one line.

// enter performs a write of the interface as somebody in the vendor's own application
// would: at once, with the event and the rules of the operation, without a request. It
// returns the id of the record. A body that the service would refuse is a mistake of
// the test. body is a pointer, or nil.
func (s *Server) enter(operation string, body any, ids ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.applicationCall(operation, body, ids)
	if err == nil {
		_, err = c.route.handle(s, c)
	}
	if err != nil {
		s.misuse("practicetest: %s %v is refused: %s", operation, ids, sentenceOf(err))
	}
	return c.written
}

// applicationCall is a call of an operation that nobody has sent.
func (s *Server) applicationCall(operation string, body any, ids []string) (*call, error) {
	now := s.clock.Now().UTC()
	s.settleDue(now)
	a := s.state.accounts[s.firm.AccountID]
	c := &call{
		values: ids, account: a, now: now, application: true, query: map[string]string{},
		link: s.linkerFor(""), userID: s.applicationTx(a).from.userID, route: s.router.byOperation(operation),
	}
	if c.route == nil {
		return c, errors.New("the service does not perform it")
	}
	for _, id := range ids {
		s.state.furnish(sameID(id))
	}
	if body == nil {
		return c, nil
	}
	text, err := codec.AppendRequest(nil, body, models.Wire)
	if err != nil {
		return c, err
	}
	if c.rawBody = text; c.route.body.kind == kindList {
		return c, s.readList(c, c.route.body)
	}
	return c, s.readObject(c, c.route.body)
}

// place keeps a record that no operation makes, at once and with its event. A link to
// another record is given by its ID; what the service says of every record by itself,
// such as its version, is not taken over. The record gets an id when it has none.
func (s *Server) place(path string, record any, above ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleDue(s.clock.Now().UTC())
	for _, id := range above {
		s.state.furnish(sameID(id))
	}
	of := s.catalog.byPath(path)
	t := s.applicationTx(s.state.accounts[s.firm.AccountID])
	f, id, err := of.membersOf(record)
	r := t.create(of, cmp.Or(id, s.state.newID(path)), lower(above))
	r.fields, r.deleted = f, f.is("isDeleted")
	if err == nil && of.above != nil {
		err = t.parents(of, above)
	}
	if err == nil {
		err = t.settle(nil, r, created)
	}
	if err != nil {
		s.misuse("practicetest: %s is refused: %s", of.name, sentenceOf(err))
		return ""
	}
	t.commit()
	return r.id
}

// asApplication performs a change that no operation makes, at once and with its events.
// name is that of the method that a test has called.
func (s *Server) asApplication(name string, change func(*tx) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleDue(s.clock.Now().UTC())
	t := s.applicationTx(s.state.accounts[s.firm.AccountID])
	if err := change(t); err != nil {
		s.misuse("practicetest: %s is refused: %s", name, sentenceOf(err))
		return
	}
	t.commit()
}

// newID is an identifier of the kind that the service gives away next.
func (s *Server) newID(kind string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.newID(kind)
}

// membersOf are the members of a record that a test gives, with ids in the place of links.
func (res *resource) membersOf(record any) (f fields, id string, err error) {
	text, err := codec.AppendRequest(nil, record, models.Wire)
	if err != nil {
		return nil, "", err
	}
	given, err := parseObject(text)
	if err != nil {
		return nil, "", err
	}
	f = fields{}
	for i := range res.answer.members {
		m := &res.answer.members[i]
		raw, there := given[m.name]
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

// idOf is the id in a link.
func idOf(link json.RawMessage) string {
	var l struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(link, &l) // it has just been written
	return l.ID
}

// recordOf is the state of a record, whatever account it belongs to: the latest, though
// reads and lists may lag behind it. It tells whether there is such a record; one that is
// marked as deleted is there.
func recordOf[T any](s *Server, path, id string) (T, bool) {
	var out T
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleDue(s.clock.Now().UTC())
	place := s.state.lookUp(s.catalog.byPath(path), id)
	if place == nil || place.now == nil || place.now.deleted && place.now.of.vanishes {
		return out, false
	}
	return readBack[T](s, s.state.completed(place.now, (*slot).latest)), true
}

// readBack is what a client reads of a record.
func readBack[T any](s *Server, r *record) (out T) {
	v := s.view(s.linkerFor(""))
	v.form, v.vendor = Rendering{Empty: EmptyAbsent}, "vendorId"
	if err := codec.Unmarshal(v.record(r), &out, models.Wire); err != nil {
		s.misuse("practicetest: %s %s cannot be read: %v", r.of.path, r.id, err)
	}
	return out
}

// byPath is the resource that an area has declared with a path.
func (c *catalog) byPath(path string) *resource {
	for _, r := range c.resources {
		if r.path == path {
			return r
		}
	}
	panic("practicetest: no area declares a resource " + path)
}

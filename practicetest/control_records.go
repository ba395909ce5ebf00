package practicetest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// controlRecord is the input of the command that adds a record.
type controlRecord struct {
	Path   string          `json:"path"`
	Record json.RawMessage `json:"record" needed:"yes"`
}

// controlID is the id of a record, as input or output of a command.
type controlID struct {
	ID string `json:"id" needed:"yes"`
}

// addRecord adds a record to the list at a path. It uses the API operation that
// creates such a record, or inserts the record directly if there is none.
func (s *Server) addRecord(_ context.Context, told controlRecord) (any, error) {
	path, err := s.pathOf(told.Path)
	if err != nil {
		return nil, err
	}
	var id string
	if route, ids, _ := s.router.find(http.MethodPost, path); route != nil && s.catalog.byTarget[path[len(path)-1]] != nil {
		id, err = s.entered(route.id, told.Record, ids)
	} else {
		id, err = s.placedAt(path, told.Record)
	}
	if err != nil {
		return nil, asProblem(err)
	}
	return controlID{id}, nil
}

// placedAt inserts a record into the list at a path, without an API operation.
func (s *Server) placedAt(path []string, text []byte) (string, error) {
	of, above := s.catalog.listed(path)
	if route, ids, _ := s.router.find(http.MethodGet, path); of == nil && route != nil && route.paging.shape != "" {
		of, above = s.catalog.bySchema(route.answer), ids
	}
	if of == nil {
		return "", faulty("path", "does not contain a list of records")
	}
	if err := of.judge(text); err != nil {
		return "", err
	}
	return s.placed(of, text, above)
}

// judge refuses a record with unknown members or members of a wrong type, since
// the service could not return it. A link may be given as the id of its target.
func (res *resource) judge(text []byte) error {
	given, err := parseObject(text)
	if err != nil {
		return faulty("record", "%v", err)
	}
	var found []fieldFault
	for i := range res.answer.members {
		m := &res.answer.members[i]
		raw, there := given[m.name]
		delete(given, m.name)
		if !there || string(raw) == "null" || m.object == "Link" || m.elem != nil && m.elem.object == "Link" {
			continue
		}
		if wrong := m.fault(raw, false); wrong != "" {
			found = append(found, fieldFault{m.name, "Invalid", wrong})
		}
	}
	for _, name := range sortedNames(given) {
		found = append(found, fieldFault{name, "Unknown", "is not a member of the object"})
	}
	if len(found) > 0 {
		return invalid(found...)
	}
	return nil
}

// readRecord returns the latest state of the record at a path, even if reads
// and lists of the API still lag behind.
func (s *Server) readRecord(address string) (any, error) {
	path, err := s.pathOf(address)
	if err != nil {
		return nil, err
	}
	of, ids := s.catalog.at(path)
	if of == nil {
		return nil, faulty("path", "does not contain a record")
	}
	defer s.settled()()
	r := s.latestAt(of, ids)
	if r == nil {
		return nil, refuse(http.StatusNotFound, "The %s does not exist.", of.name)
	}
	return json.RawMessage(s.view(s.linkerFor("")).record(s.state.completed(r, seenByWrites))), nil
}

// latestAt returns the latest state of the record that the path parameters
// identify, or nil if there is none.
func (s *Server) latestAt(of *resource, ids []string) *record {
	for _, id := range ids {
		s.state.furnishFor(id)
	}
	id := s.firm.AccountID
	if len(ids) > 0 {
		id = ids[len(ids)-1]
	}
	place := s.state.lookUp(of, id)
	if place == nil || place.Now == nil || place.Now.deleted && of.vanishes {
		return nil
	}
	if !of.single && !slices.EqualFunc(place.At.above, ids[:len(ids)-1], func(a, b string) bool { return a == sameID(b) }) {
		return nil
	}
	return place.Now
}

// deleteRecord deletes the record at a path. It uses the API operation for it,
// or sets the mark isDeleted if there is none.
func (s *Server) deleteRecord(_ context.Context, told struct {
	Path string `json:"path"`
}) (any, error) {
	path, err := s.pathOf(told.Path)
	if err != nil {
		return nil, err
	}
	if route, ids, _ := s.router.find(http.MethodDelete, path); route != nil {
		if _, err = s.entered(route.id, nil, ids); err != nil {
			return nil, asProblem(err)
		}
		return nil, nil
	}
	of, ids := s.catalog.at(path)
	if of == nil || of.single || !slices.ContainsFunc(of.answer.members, func(m value) bool { return m.name == "isDeleted" }) {
		return nil, faulty("path", "does not contain a record that can be deleted")
	}
	return nil, orMissing(s.inApplication(of, ids[len(ids)-1], func(r *record) { r.deleted = true }), of.name)
}

// pathOf splits an API path, or the URL of a record, into its segments.
func (s *Server) pathOf(address string) ([]string, error) {
	path, ok := pathSegments(strings.TrimPrefix(strings.TrimPrefix(address, s.BaseURL()), "/"))
	if !ok {
		return nil, faulty("path", "must be a path of the API, such as /matters")
	}
	return path, nil
}

// at returns the resource of the record at a path, and the ids in the path. It
// returns nil if no resource matches.
func (c *catalog) at(path []string) (*resource, []string) {
	return c.fitting(path, func(r *resource) []string { return r.segments })
}

// listed returns the resource of the list at a path, and the ids in the path.
// It returns nil if no resource matches.
func (c *catalog) listed(path []string) (*resource, []string) {
	return c.fitting(path, func(r *resource) []string {
		if r.single {
			return nil
		}
		return r.segments[:len(r.segments)-1]
	})
}

// fitting returns the resource whose path template matches, and the ids in the
// path. From left to right, literal segments take precedence over parameters.
func (c *catalog) fitting(path []string, template func(*resource) []string) (found *resource, ids []string) {
	for _, r := range c.resources {
		as := route{segments: template(r)}
		if len(as.segments) != len(path) {
			continue
		}
		values, fits := as.match(path)
		if fits && (found == nil || slices.CompareFunc(as.segments, template(found), byLiteral) < 0) {
			found, ids = r, values
		}
	}
	return found, ids
}

// bySchema returns the resource whose records have the schema, or nil if there
// is none.
func (c *catalog) bySchema(schema string) *resource {
	for _, r := range c.resources {
		if schema != "" && r.schema == schema {
			return r
		}
	}
	return nil
}

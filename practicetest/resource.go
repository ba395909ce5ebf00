package practicetest

import (
	"slices"
	"strings"
)

// area declares a part of the API that the embedded service implements. All
// areas are listed in the function areas.
type area struct {
	name      string
	resources []*resource
	handlers  handlers // handlers of operations that the resources do not implement
	seed      func(*seeder, *account)

	// below seeds the records below a matter or about it when the matter is
	// first used. n is the index of the matter in the firm.
	below func(sd *seeder, matter *record, n int)
}

// resource declares a kind of record. It handles the operations on its path and
// on the path of its list, as far as they are in the API description and the
// area has no other handler for them.
type resource struct {
	path     string                // path of a record in the API description, such as /matters/{matterId}/fees/{id}
	relation string                // relation in links to a record
	event    string                // prefix of its event types; empty if it raises no events
	events   map[changeKind]string // full event types, instead of event
	subject  string                // name in error events; empty means event, or target without one

	// check validates a record after a write has changed it. It runs when the
	// write is accepted, and again when it is due; c is nil then.
	check func(t *tx, c *call, r *record) error
	// derive returns members that are computed from the others.
	derive func(r *record) fields
	// complete returns a copy of the record with the members that depend on
	// other records. seen selects the state of those.
	complete func(st *state, r *record, seen func(*slot) *record) *record
	// change handles members of a body that are not just stored.
	change func(t *tx, r *record, body fields)
	// restores reports whether a body restores a deleted record. Other changes
	// of a deleted record are refused.
	restores func(body fields) bool
	// remove makes the additional changes of a deletion.
	remove func(t *tx, r *record)
	// placed makes the additional changes when a test adds a record for which
	// the API has no create operation.
	placed func(t *tx, r *record) error
	// seeded generates the members of a seeded record on first use. n is its
	// index.
	seeded func(sd *seeder, r *record, n int)
	// identify returns an id for such a record. nil means a UUID.
	identify func(st *state, f fields) string
	// form reports whether an id has a valid format. nil means a UUID.
	form func(id string) bool
	// remember updates the data of a record on each commit. before is nil for a
	// new record.
	remember func(t *tx, before, r *record)
	// owner returns the id of the list that contains a record. nil means the
	// list of its parent.
	owner func(r *record) string
	// order compares records for the order of lists. nil means the order of
	// creation.
	order func(a, b *record) int
	// brief removes the members that lists contain only if the query asks for
	// them.
	brief func(r *record, asked []string)
	// filters holds the filters of lists by query parameter. A record matches
	// if it matches one of the parameter's values.
	filters map[string]filter
	// payload returns the payload of an event, or nil to raise no event. If the
	// function is nil, the payload is the record.
	payload func(v view, r *record) []byte

	parent   string   // target of the parent, if the path does not begin with the parent's path
	schema   string   // schema of a record, if no operation reads a single one
	final    []string // members that can be set only on creation
	vanishes bool     // deleted records are not found by reads and lists

	// newCatalog sets the following fields from the API description.
	name     string // name in sentences
	target   string // name that references in the API description use for the resource
	segments []string
	single   bool // each parent has one record, whose path does not end with an id
	above    *resource
	answer   answerSchema
	rules    []rule // rules for the bodies that create or change a record
}

// catalog holds the resources of all areas.
type catalog struct {
	resources []*resource
	byTarget  map[string]*resource // resources by target
	handlers  handlers
	areas     []area
}

// newCatalog returns the resources of the areas, completed from the API
// description.
func newCatalog(areas []area) *catalog {
	c := &catalog{byTarget: map[string]*resource{}, handlers: handlers{}, areas: areas}
	for _, a := range areas {
		for _, r := range a.resources {
			c.add(r)
		}
	}
	for _, r := range c.resources {
		r.above = c.parentOf(r)
		r.describe()
		for i := range operations {
			if h := r.handler(&operations[i]); h != nil {
				c.handlers[operations[i].id] = h
			}
		}
	}
	for _, a := range areas {
		for id, h := range a.handlers {
			c.handlers[id] = h
		}
	}
	return c
}

func (c *catalog) add(r *resource) {
	r.segments = strings.Split(r.path[1:], "/")
	last := len(r.segments) - 1
	r.single = !isParameter(r.segments[last])
	if !r.single {
		last--
	}
	r.target = r.segments[last]
	c.resources = append(c.resources, r)
	if c.byTarget[r.target] == nil {
		c.byTarget[r.target] = r
	}
}

// parentOf returns the resource whose path is the longest prefix of r's path.
func (c *catalog) parentOf(r *resource) (parent *resource) {
	parent = c.byTarget[r.parent]
	for _, other := range c.resources {
		n := len(other.segments)
		below := n < len(r.segments) && slices.CompareFunc(r.segments[:n], other.segments, byLiteral) == 0
		if below && !other.single && (parent == nil || n > len(parent.segments)) {
			parent = other
		}
	}
	return parent
}

// describe sets the schema, the name and the rules of the resource.
func (r *resource) describe() {
	for i := range operations {
		if o := &operations[i]; r.schema == "" && o.path == r.path && o.method == "GET" {
			r.schema = o.answer
		}
	}
	r.answer, r.rules = answers[r.schema], r.rulesOf()
	if r.name == "" {
		r.name = words(r.schema)
	}
}

// words splits a schema name into words: ActivityCode becomes "activity code".
func words(name string) string {
	var b strings.Builder
	for i, letter := range name {
		if i > 0 && 'A' <= letter && letter <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(letter)
	}
	return strings.ToLower(b.String())
}

// handler returns the handler of an operation on the path of the resource or of
// its list, or nil if it is another path.
func (r *resource) handler(o *operation) handler {
	list := ""
	if !r.single {
		list = r.path[:strings.LastIndexByte(r.path, '/')]
	}
	switch o.path {
	case r.path:
		return map[string]handler{"GET": r.get, "PUT": r.replace, "PATCH": r.merge, "DELETE": r.delete}[o.method]
	case list:
		return map[string]handler{"GET": r.list, "POST": r.create}[o.method]
	}
	return nil
}

// at returns the path segments of a record, with the ids filled in.
func (r *resource) at(ids ...string) []string {
	segments := slices.Clone(r.segments)
	for i := range segments {
		if isParameter(segments[i]) && len(ids) > 0 {
			segments[i], ids = ids[0], ids[1:]
		}
	}
	return segments
}

// listAt returns the path segments of a list, with the ids of the parents
// filled in.
func (r *resource) listAt(above ...string) []string {
	segments := r.at(above...)
	if r.single {
		return segments
	}
	return segments[:len(segments)-1]
}

func (c *call) members() fields { return asFields(c.body) }

package practicetest

import (
	"slices"
	"strings"
)

// area is a part of the interface of the embedded service. It is declared, and
// listed once in areas.
type area struct {
	name      string
	resources []*resource
	handlers  handlers // handlers of operations that do more than their resource
	seed      func(*seeder, *account)

	// below seeds the records below a matter or about it, at the first use of
	// the matter. The number counts the matters of the firm.
	below func(sd *seeder, matter *record, n int)
}

// resource declares records of one kind. Its path determines the rest: it
// performs the operations of the description on the path, and on the path of
// its list, unless the area has handlers of its own for them.
type resource struct {
	path     string                // path of one record, as the description writes it: /matters/{matterId}/fees/{id}
	relation string                // relation of links to a record
	event    string                // the first half of the types of its events; empty when it raises none
	events   map[changeKind]string // instead of event: the whole types of its events

	// check judges a record as it would be after a write, when the write is
	// accepted and again when it is due. The call is nil then.
	check func(t *tx, c *call, r *record) error
	// derive returns members that follow from the others.
	derive func(r *record) fields
	// complete is the record with members that other records decide, as seen
	// shows those.
	complete func(st *state, r *record, seen func(*slot) *record) *record
	// change applies members that need more than to be kept.
	change func(t *tx, r *record, body fields)
	// restores reports whether a body restores a deleted record. No other body
	// changes a deleted one.
	restores func(body fields) bool
	// remove makes the further changes of a deletion.
	remove func(t *tx, r *record)
	// placed makes the further changes when a record that no operation creates
	// is added.
	placed func(t *tx, r *record) error
	// seeded generates the members of a seeded record at its first use; n
	// counts the records.
	seeded func(sd *seeder, r *record, n int)
	// identify is the id of such a record; nil for a UUID.
	identify func(st *state, f fields) string
	// form reports whether an id can be that of a record; nil for a UUID.
	form func(id string) bool
	// remember stores the effect of a commit in a record; before is nil for a
	// new one.
	remember func(t *tx, before, r *record)
	// owner names the list that a record is in; nil is that of the record
	// above.
	owner func(r *record) string
	// order sorts its lists; nil is the order of creation.
	order func(a, b *record) int
	// brief removes the members that lists include on request only.
	brief func(r *record, asked []string)
	// filters select the records of a list by a query parameter, or by one of
	// its values if it has several.
	filters map[string]filter
	// payload returns the payload of its events; nil for the record itself. If
	// it returns nothing, no event is raised.
	payload func(v view, r *record) []byte

	parent   string   // the record above, by "to", when the path does not begin with its own
	schema   string   // schema of the record, when no operation reads one
	final    []string // members that only the creation takes
	vanishes bool     // a deleted record is found nowhere

	// These follow from the description, when the service is made.
	name     string // its name in sentences
	target   string // its name in the description's "to"
	segments []string
	single   bool // there is one below each parent; it has no id of its own in the path
	above    *resource
	answer   answerSchema
	rules    []rule // rules of the bodies that create or change a record
}

// catalog holds the resources of all areas.
type catalog struct {
	resources []*resource
	byTarget  map[string]*resource // resources by their name in the description's "to"
	handlers  handlers
	areas     []area
}

// newCatalog completes the declarations of the areas from the description.
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
			if h := r.handler(&operations[i]); h != nil && !operations[i].planned {
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

// parentOf returns the resource with the longest path that is a prefix of the
// path.
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

// describe returns the schema of the record, and its name.
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

// words writes ActivityCode as activity code.
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

// handler performs an operation on the path of the resource or of its list.
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

// at returns the segments of an address with the identifiers that stand in it.
func (r *resource) at(ids ...string) []string {
	segments := slices.Clone(r.segments)
	for i := range segments {
		if isParameter(segments[i]) && len(ids) > 0 {
			segments[i], ids = ids[0], ids[1:]
		}
	}
	return segments
}

// listAt returns the segments of the address of a list.
func (r *resource) listAt(above ...string) []string {
	segments := r.at(above...)
	if r.single {
		return segments
	}
	return segments[:len(segments)-1]
}

// members returns the members of the body.
func (c *call) members() fields { return asFields(c.body) }

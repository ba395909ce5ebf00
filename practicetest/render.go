package practicetest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"time"
)

// view determines how records are encoded: the base of addresses, the vendor's
// name and the rendering.
type view struct {
	link   linker
	vendor string // JSON name of the member vendorId
	form   Rendering
	by     *catalog // resources by the names of link targets
}

func (s *Server) view(l linker) view {
	return view{link: l, vendor: s.cfg.vendorMember, form: s.form(), by: s.catalog}
}

// payloadView returns the view for records in events. Their links have the
// member rel instead of relation, whatever the rendering.
func (s *Server) payloadView(l linker) view {
	v := s.view(l)
	v.form.Rel = true
	return v
}

// record encodes a record. Since records are immutable, the result is cached.
func (v view) record(r *record) []byte {
	as := v
	if known := r.text.Load(); known != nil && known.view == v {
		return known.text
	}
	var b bytes.Buffer
	derived := fields(nil)
	if r.of.derive != nil {
		derived = r.of.derive(r)
	}
	if r.sparse {
		v.form.Empty = EmptyAbsent
	}
	w := writer{view: v, of: r, b: &b}
	w.open()
	if r.of.answer.record {
		w.head(v.headOf(r))
	}
	for i := range r.of.answer.members {
		m := &r.of.answer.members[i]
		w.member(m, v.find(r, m, derived))
	}
	v.form.unknown(&b)
	r.text.Store(&recordText{as, b.Bytes()})
	return b.Bytes()
}

func (v view) records(all []*record) [][]byte { return mapped(all, v.record) }

// listed encodes the records of a list. If the list has a schema of its own,
// only the members of that schema are written.
func (v view) listed(schema string, all []*record) [][]byte {
	if len(all) == 0 || schema == "" || schema == all[0].of.schema {
		return v.records(all)
	}
	return v.objects(schema, mapped(all, func(r *record) fields { return fields{"of": r} }))
}

// headOf returns the members that identify a record. Without a relation these
// are only the address and the method.
func (v view) headOf(r *record) head {
	at := r.of.at(r.path()...)
	if r.of.relation == "" {
		return head{Href: v.link.href(at...), Method: "GET"}
	}
	return v.link.head(r.of.relation, at...)
}

// linkTo returns the link to a record of a resource.
func (v view) linkTo(of *resource, id string, above []string) *link {
	ids := above
	if !of.single {
		ids = append(above[:len(above):len(above)], id)
	}
	if of.relation == "" {
		return &link{ID: &id, Href: v.link.href(of.at(ids...)...), Method: "GET"}
	}
	return v.to(id, of.relation, of.at(ids...)...)
}

// to returns a link, with the member rel instead of relation if the view
// requires it.
func (v view) to(id, relation string, segments ...string) *link {
	l := v.link.to(id, relation, segments...)
	if v.form.Rel {
		l.Relation, l.Rel = nil, l.Relation
	}
	return l
}

// find returns the value of a member. It looks in the derived members, the
// stored members and the envelope. For a link it also looks for a stored member
// with the id of the target, and at the parents.
func (v view) find(r *record, m *value, derived fields) any {
	if value, given := derived[m.name]; given {
		return v.linked(r, m, value)
	}
	if value, given := r.fields[m.name]; given {
		return v.linked(r, m, value)
	}
	if value := r.envelope(m); value != nil {
		return value
	}
	if m.kind != kindObject && m.kind != kindList {
		return nil
	}
	for _, name := range []string{m.name + "Id", strings.TrimSuffix(m.name, "s") + "Ids"} {
		if value, given := r.fields[name]; given {
			return v.linked(r, m, value)
		}
	}
	for above := r.of.above; above != nil; above = above.above {
		if m.kind == kindObject && m.object == "Link" && v.targetOf(m) == above.target {
			return v.linkTo(above, r.above[depth(above)-1], r.above[:depth(above)-1])
		}
	}
	return nil
}

// depth returns the number of ids in the path of the resource.
func depth(of *resource) int {
	n := 0
	for _, s := range of.segments {
		if isParameter(s) {
			n++
		}
	}
	return n
}

// linked replaces ids by links if the member is described as a link or a list
// of links.
func (v view) linked(r *record, m *value, value any) any {
	switch {
	case m.kind == kindObject && m.object == "Link":
		return v.linkOf(r, v.targetOf(m), value)
	case m.kind == kindList && m.elem.object == "Link":
		links := []any{}
		for _, one := range elements(value) {
			links = append(links, v.linkOf(r, v.targetOf(m), one))
		}
		return links
	default:
		return value
	}
}

// targetOf returns the kind of a link's target: the one in the API description,
// or the resource with the name of the member.
func (v view) targetOf(m *value) string {
	name := strings.ToLower(m.name)
	if m.to == "" && v.by.byTarget[name] == nil {
		return name + "s"
	}
	return cmp.Or(m.to, name)
}

// linkOf returns the link to the record with the id in value. A value that is
// no string is returned unchanged.
func (v view) linkOf(r *record, to string, value any) any {
	if to, is := value.(ref); is {
		return v.linkOf(r, to.to, to.id)
	}
	id := fields{"": value}.str("")
	of := v.by.byTarget[to]
	switch {
	case id == "" && (value == "" || value == nil):
		return nil
	case id == "":
		return value
	case of == nil:
		return v.to(id, to, to, id)
	default:
		above, ids := depth(of)-1, []string(nil)
		if r != nil {
			ids = r.above
			if of.above == r.of {
				ids = r.path()
			}
		}
		if len(ids) < above {
			return v.to(id, of.relation, to, id)
		}
		return v.linkTo(of, id, ids[:above])
	}
}

// elements returns the elements of a list, which may be encoded JSON.
func elements(value any) []any {
	switch list := value.(type) {
	case []string:
		return mapped(list, func(one string) any { return one })
	case json.RawMessage:
		return mapped(decoded[[]json.RawMessage](list), func(one json.RawMessage) any { return one })
	case []any:
		return list
	default:
		return nil
	}
}

// envelope returns the value of a member that all records have, such as id and
// versionId, or nil if m is not one of them.
func (r *record) envelope(m *value) any {
	switch m.name {
	case "id":
		return r.id
	case "versionId":
		return r.versionID()
	case "isDeleted":
		return r.deleted
	case "createdByUserId":
		return orNull(r.author)
	case "updatedByUserId", "lastUpdatedByUserId":
		return orNull(r.editor)
	case "createdDate", "createdDateUtc", "dateCreated":
		return r.created
	case "lastUpdated", "lastUpdatedDate", "updatedDate", "updatedDateUtc", "dateModified":
		return r.updated
	}
	for above := r.of.above; above != nil; above = above.above {
		if m.kind != kindObject && (m.to == above.target || strings.TrimSuffix(strings.ToLower(m.name), "id")+"s" == above.target) {
			return r.above[depth(above)-1]
		}
	}
	return nil
}

// writer encodes an object member by member.
type writer struct {
	view
	of    *record // record being encoded; nil for other objects
	b     *bytes.Buffer
	begun bool
}

func (w *writer) open() { w.b.WriteByte('{') }

func (w *writer) name(name string) { w.plainName(w.literal(name)) }

// plainName writes a member name without replacing the vendor's name.
func (w *writer) plainName(name string) {
	if w.begun {
		w.b.WriteByte(',')
	}
	w.begun = true
	w.b.Write(encode(name))
	w.b.WriteByte(':')
}

// literal returns the JSON name of a member: "vendor" or "Vendor" in the API
// description is replaced by the vendor's name.
func (v view) literal(name string) string {
	word := strings.TrimSuffix(v.vendor, "Id")
	switch {
	case word == "vendor" || word == "":
		return name
	case name == "vendorId":
		return v.vendor
	case strings.HasPrefix(name, "vendor"):
		return word + strings.TrimPrefix(name, "vendor")
	default:
		return strings.Replace(name, "Vendor", strings.ToUpper(word[:1])+word[1:], 1)
	}
}

// head writes the members that identify the object.
func (w *writer) head(h head) {
	text := encode(h)
	w.b.Write(text[1 : len(text)-1])
	w.begun = true
}

// member writes a member. Depending on the rendering, it omits one without a
// value.
func (w *writer) member(m *value, v any) {
	text := w.text(m, v)
	if string(text) == "null" {
		if text = w.form.empty(m); text == nil {
			return
		}
	}
	w.name(m.name)
	w.b.Write(text)
}

// text encodes a value in the format of the member.
func (w *writer) text(m *value, v any) []byte {
	switch v := v.(type) {
	case nil:
		return []byte("null")
	case json.RawMessage:
		return v
	case time.Time:
		return encode(moment(m, v))
	case *record:
		return w.record(v)
	case []*record:
		return bareList(w.records(v))
	case place:
		if len(v) == 0 {
			return []byte("{}")
		}
		return encode(bareLink{Href: w.link.href(v...)})
	case fields:
		if m.object == "Link" {
			return encode(v)
		}
		return w.object(m, v)
	case []fields:
		return bareList(mapped(v, func(f fields) []byte { return w.object(m.elem, f) }))
	case string:
		if v == "" && m.kind != kindText {
			return []byte("null")
		}
	}
	return encode(v)
}

// location is the relation and the address of an object that is part of a
// record.
type location struct {
	relation string
	segments []string
}

// object encodes an object. The members have the order of its schema.
func (w *writer) object(m *value, f fields) []byte {
	var b bytes.Buffer
	inner := writer{view: w.view, of: w.of, b: &b}
	inner.open()
	switch at := f["head"].(type) {
	case head:
		inner.head(at)
	case location:
		inner.head(w.link.head(at.relation, at.segments...))
	}
	more, extends := f["of"].(*record) // f adds members to those of a record
	if extends {
		inner.head(w.headOf(more))
	}
	for i := range answers[m.object].members {
		one := &answers[m.object].members[i]
		value, given := f[one.name]
		if !given && extends {
			value = w.find(more, one, nil)
		}
		inner.member(one, w.linked(w.of, one, value))
	}
	w.form.unknown(&b)
	return b.Bytes()
}

// objects encodes objects of a schema.
func (v view) objects(schema string, all []fields) [][]byte {
	w, form := writer{view: v}, &value{object: schema}
	return mapped(all, func(f fields) []byte { return w.object(form, f) })
}

// moment returns a time in the format of the member. The zero time becomes
// null.
func moment(m *value, t time.Time) any {
	switch {
	case t.IsZero():
		return nil
	case m.kind == kindTicks || m.kind == kindInteger:
		return ticks(t)
	case m.kind == kindDay:
		return t.Format(time.DateOnly)
	default:
		return utc(t)
	}
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// record is a struct to be generated with its methods.
type record struct {
	schema     *description.Schema
	name       string
	body       bool
	hypermedia bool   // embeds the link members
	page       *field // list of a page; written after the id and before the paging members
	fields     []field
	hot        bool
	prefixed   bool // contains members with the vendor's prefix, directly or nested
	personal   bool // contains what must not be logged, directly or nested
}

// field is one field of a record.
type field struct {
	name     string // name in Go
	json     string
	typ      goType
	always   bool // written even when it is zero
	isolated bool // a fault inside an element skips only that element
	prefix   bool // the name in the API has the vendor's prefix
	personal bool // must not be logged
	tag      string
	doc      string
}

// maxMembers is the maximum number of members that the reader can track,
// including the twin of relation.
const maxMembers = 127

// record returns the struct of a schema.
func (g *generator) record(s *description.Schema) (*record, error) {
	r := &record{
		schema: s, name: s.GoName, body: s.Kind == description.BodySchema,
		hypermedia: s.Kind == description.Record || s.Kind == description.Page,
		hot:        g.hot(s),
	}
	if s.Kind == description.Page {
		r.page = &field{
			name: "Items", json: "value", isolated: true, tag: "value",
			typ: goType{name: "[]" + s.Elem.GoName, shape: shapeList, elem: &goType{name: s.Elem.GoName, shape: shapeRecord, schema: s.Elem}},
			doc: "Items holds the listing, usually a single one. Empty when absent.",
		}
	}
	for _, m := range s.Members {
		if m.Name == "rel" && s.Member("relation") != nil {
			continue // read together with the other name of relation
		}
		f, err := g.field(s, m)
		if err != nil {
			return nil, fmt.Errorf("%s: %s.%s: %w", m.Pos, s.Name, m.Name, err)
		}
		r.fields = append(r.fields, f)
	}
	return r, r.check()
}

func (g *generator) field(s *description.Schema, m *description.Member) (field, error) {
	f := field{name: m.GoName, json: m.Name, tag: m.Name, prefix: m.LiteralPrefix, personal: m.Personal || m.FreeText}
	t, err := typeOfMember(m)
	if err != nil {
		return f, err
	}
	f.isolated = t.shape == shapeList && isolated(s)
	body := s.Kind == description.BodySchema
	switch {
	case t.shape == shapeAdapted: // already represents absence, and has no other state
	case body && g.patched[s], body && m.Clears, !body && t.optional():
		t = t.opt()
	case body && (m.Required || m.Default == "false" || m.Default == "0"):
		f.always = true
	case body && t.optional():
		t = t.opt()
	}
	f.typ = t
	if body && !f.always {
		f.tag += ",omitzero"
	}
	if m.LiteralPrefix {
		f.tag = "-"
	}
	f.doc = g.fieldDoc(s, m, f)
	return f, nil
}

// check returns an error for names that the codec or Go cannot distinguish.
func (r *record) check() error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%s: %s: %s", r.schema.Pos, r.name, fmt.Sprintf(format, args...))
	}
	members, fields := make(map[string]bool), map[string]bool{"Extra": !r.body, hypermedia: r.hypermedia}
	for _, f := range r.wire() {
		switch {
		case strings.ContainsFunc(f.json, func(c rune) bool { return c <= ' ' || c > '~' || c == '"' || c == '\\' }):
			return refuse("the member %q contains characters that must be escaped", f.json)
		case members[f.json]:
			return refuse("two members have the name %q", f.json)
		case fields[f.name]:
			return refuse("two fields have the name %s", f.name)
		}
		members[f.json], fields[f.name] = true, true
	}
	if len(members) >= maxMembers {
		return refuse("has %d members, but at most %d are supported", len(members), maxMembers-1)
	}
	return nil
}

// wire returns the fields that are read and written, in the order of the
// struct, including those of embedded structs.
func (r *record) wire() []field {
	var all []field
	if r.hypermedia {
		all = append(all,
			field{name: "Href", json: "href", typ: goType{name: "string", shape: shapeText}},
			field{name: "Relation", json: "relation", typ: goType{name: "string", shape: shapeText}},
			field{name: "Method", json: "method", typ: goType{name: "string", shape: shapeText}},
			field{name: "Self", json: "self", typ: goType{name: "Link", shape: shapeRecord}},
		)
	}
	if r.page != nil {
		all = append(all, field{name: "ID", json: "id", typ: goType{name: "string", shape: shapeText}}, *r.page)
		number := goType{name: "Opt[int]", shape: shapeOption, elem: &goType{name: "int", shape: shapeInteger}}
		for _, name := range []string{"Offset", "Limit", "Size"} {
			all = append(all, field{name: name, json: strings.ToLower(name), typ: number})
		}
		for _, name := range []string{"First", "Previous", "Next", "Last"} {
			all = append(all, field{name: name, json: strings.ToLower(name), typ: goType{name: "Link", shape: shapeRecord}})
		}
	}
	return append(all, slices.DeleteFunc(slices.Clone(r.fields), func(f field) bool { return f.prefix })...)
}

// relation reports whether a member is also read under its other name.
func (r *record) relation() bool {
	return slices.ContainsFunc(r.wire(), func(f field) bool { return f.json == "relation" && f.typ.shape == shapeText })
}

// after reports whether the record needs a step after it has been read.
func (r *record) after() bool {
	return slices.ContainsFunc(r.fields, func(f field) bool { return f.prefix })
}

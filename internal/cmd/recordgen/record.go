package main

import (
	"errors"
	"fmt"
	"go/ast"
	"reflect"
	"strconv"
	"strings"
)

// record is a struct whose methods are to be written.
type record struct {
	name    string
	params  []string
	members []member
	body    bool
	extra   bool // it has a field for unknown members
	after   bool // it has an afterUnmarshal method
}

// member is one JSON member of a record.
type member struct {
	field   string // in Go
	name    string // in JSON
	kind    kind
	isolate bool
	always  bool // written even when it is zero
}

// Links and records have a member that the service writes under either of two names.
const (
	relationName = "relation"
	relationTwin = "rel"
)

// maxMembers is the number of members the reader can keep track of, the twin of relation included.
const maxMembers = 127

func (p *pkg) record(s *structDecl) (record, error) {
	r := record{name: s.name, params: s.params, body: s.body, extra: s.hasExtra(), after: p.methods[s.name]["afterUnmarshal"]}
	members, err := p.members(s, s)
	if err != nil {
		return r, fmt.Errorf("%s: %w", s.name, err)
	}
	r.members = members
	return r, r.check()
}

// members lists the members of a struct, with those of its embedded structs where they stand. The outermost struct
// decides what is written when it is zero.
func (p *pkg) members(s, outer *structDecl) ([]member, error) {
	var all []member
	for _, field := range s.fields {
		var more []member
		var err error
		if len(field.Names) == 0 {
			more, err = p.embedded(field, outer)
		} else {
			more, err = p.fieldMembers(field, outer)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

func (p *pkg) embedded(field *ast.Field, outer *structDecl) ([]member, error) {
	name := baseName(field.Type)
	inner := p.structs[name]
	if inner == nil || p.isGenerated(inner) || p.methods[name][reader] {
		return nil, fmt.Errorf("embedded %s: only plain structs of the package can be flattened", name)
	}
	return p.members(inner, outer)
}

func (p *pkg) fieldMembers(field *ast.Field, outer *structDecl) ([]member, error) {
	goName := field.Names[0].Name
	if len(field.Names) > 1 {
		return nil, fmt.Errorf("field %s: declare each field on its own", goName)
	}
	tag := structTag(field)
	name, options, _ := strings.Cut(tag.Get("json"), ",")
	if name == "-" {
		return nil, nil
	}
	if name == "" || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c > '~' || c == '"' || c == '\\' }) {
		return nil, fmt.Errorf("field %s: no plain json name in its tag", goName)
	}
	k, err := p.kind(field.Type, outer.params)
	if err != nil {
		return nil, fmt.Errorf("field %s: %w", goName, err)
	}
	isolate := tag.Get("codec") == "isolate"
	if isolate && k.shape != list {
		return nil, fmt.Errorf("field %s: only lists can be isolated", goName)
	}
	always := outer.body && options != "omitzero"
	return []member{{field: goName, name: name, kind: k, isolate: isolate, always: always}}, nil
}

func structTag(field *ast.Field) reflect.StructTag {
	if field.Tag == nil {
		return ""
	}
	tag, _ := strconv.Unquote(field.Tag.Value) // the parser has accepted it
	return reflect.StructTag(tag)
}

func (r record) check() error {
	seen := make(map[string]bool)
	for _, m := range r.members {
		if seen[m.name] {
			return fmt.Errorf("%s: two members named %s", r.name, m.name)
		}
		seen[m.name] = true
	}
	switch {
	case len(r.members) == 0:
		return errors.New(r.name + ": no members")
	case len(r.members) > maxMembers:
		return errors.New(r.name + ": too many members")
	default:
		return nil
	}
}

// relation gives the field of the relation, which is also read under its other name; empty when there is none.
func (r record) relation() string {
	for _, m := range r.members {
		if m.name == relationName && m.kind.name == "string" {
			return m.field
		}
	}
	return ""
}

// bareList gives the member that a list in place of the whole record is read into.
func (r record) bareList() (member, bool) {
	for _, m := range r.members {
		if m.name == "value" && m.isolate {
			return m, true
		}
	}
	return member{}, false
}

package description

import (
	"go/token"
	"slices"
	"strings"
)

// linkMembers lists the members that every record has in addition to its own.
var linkMembers = []string{"href", "relation", "method", "self"}

func (c *checker) schema(s *Schema) {
	c.predicate(s.Pos, s.Name, s.Doc, s)
	if s.Like == nil || s.Like.GoName != s.GoName { // both share one type
		c.once(s.Pos, "Go name", s.GoName)
	}
	c.like(s)
	switch {
	case !token.IsExported(s.GoName) || !token.IsIdentifier(s.GoName):
		c.add(s.Pos, "%q is not a valid Go name: add \"go: Name\"", s.GoName)
	case (s.Kind == Page) != (s.Elem != nil):
		c.add(s.Pos, "%s: \"of: Record\" is required for pages and not allowed for other schemas", s.Name)
	}
	c.ruleRows(s)
	names := map[string]bool{}
	for _, m := range s.Members {
		what := s.Name + "." + m.Name
		c.predicate(m.Pos, what, m.Doc, s)
		if s.Kind == Record && slices.Contains(linkMembers, m.Name) {
			c.add(m.Pos, "%s: every record has this member: remove it", what)
		}
		if names[strings.ToLower(m.GoName)] || !token.IsIdentifier(m.GoName) {
			c.add(m.Pos, "%s cannot have the Go name %s: add \"as Name\" after the type", what, m.GoName)
		}
		if m.Always && s.Kind == BodySchema {
			c.add(m.Pos, "%s: always is allowed only for members that are read: use required or remove it", what)
		}
		c.deletes(s, m)
		names[strings.ToLower(m.GoName)] = true
		c.side(m.Pos, what, m.Type, s.Kind == BodySchema)
		c.rules(m.Pos, what, m.Type, m.Rules)
	}
}

// deletes reports a deletion by a value that the member of a body cannot have.
func (c *checker) deletes(s *Schema, m *Member) {
	what := s.Name + "." + m.Name
	switch {
	case m.Deletes == "" && s.Kind == BodySchema && (m.Name == "isDeleted" || m.Name == "isRemoved"):
		c.add(m.Pos, "%s: the command line must ask for confirmation before this member deletes the record: add \"deletes true\" after the type", what)
	case m.Deletes == "":
	case s.Kind != BodySchema:
		c.add(m.Pos, "%s: deletes is allowed only for members that are sent: remove it", what)
	case m.Type.Kind == Boolean && m.Deletes == "true":
	case m.Type.Enum == nil || !slices.ContainsFunc(m.Type.Enum.Values, func(v EnumValue) bool { return v.Value == m.Deletes }):
		c.add(m.Pos, "%s: deletes must be followed by true for a bool or by a value of the enumeration, not %q", what, m.Deletes)
	}
}

// like reports schemas that inherit their sentences in a cycle.
func (c *checker) like(s *Schema) {
	for like, depth := s.Like, 0; like != nil; like, depth = like.Like, depth+1 {
		if like == s || depth > 8 {
			c.add(s.Pos, "%s is like itself: remove one \"like\" of the cycle", s.Name)
			return
		}
	}
}

// rules reports rules that do not fit the type.
func (c *checker) rules(at Pos, what string, t *Type, r Rules) {
	inner := t.Inner()
	if inner.Enum == nil && (r.Closed || len(r.Only) > 0) {
		c.add(at, "%s: closed and only are allowed only for enumerations: remove them", what)
	}
	if inner.Kind != Instant && r.AnyZone {
		c.add(at, "%s: anyzone is allowed only for instants: remove it", what)
	}
	if inner.Kind != Text && inner.Kind != EnumText && (r.Pattern != "" || r.Format != "") {
		c.add(at, "%s: matching and uri are allowed only for texts: remove them", what)
	}
	for _, value := range r.Only {
		if inner.Enum != nil && !slices.ContainsFunc(inner.Enum.Values, func(v EnumValue) bool { return v.Value == value }) {
			c.add(at, "%s: %s does not have the value %q", what, inner.Enum.Name, value)
		}
	}
}

func (c *checker) enum(e *Enum) {
	c.predicate(e.Pos, e.Name, e.Doc, nil)
	c.once(e.Pos, "Go name", e.Name)
	if !token.IsExported(e.Name) || !token.IsIdentifier(e.Name) {
		c.add(e.Pos, "%q is not a valid Go name: rename the enumeration", e.Name)
	}
	if len(e.Values) == 0 {
		c.add(e.Pos, "%s has no values: list the known values", e.Name)
	}
	values := map[string]bool{}
	for _, v := range e.Values {
		if values[v.Value] {
			c.add(e.Pos, "%s has the value %q twice: remove one of them", e.Name, v.Value)
		}
		values[v.Value] = true
		switch {
		case v.Name != "":
			if !token.IsIdentifier(e.Prefix + v.Name) {
				c.add(e.Pos, "%s: the value %q cannot be converted to a Go name: use \"%s as Name\"", e.Name, v.Value, v.Value)
				continue
			}
			c.once(e.Pos, "Go name", e.Prefix+v.Name)
		case !e.Number || v.Doc == "":
			c.add(e.Pos, "%s: the value %q has no name: add a name or a description after the number", e.Name, v.Value)
		}
	}
}

// unreached reports schemas and enumerations that no operation and no
// notification uses.
func (c *checker) unreached() {
	var types []*Type
	for o := range c.document.Operations() {
		types = append(types, o.Types()...)
	}
	for _, p := range c.document.Payloads {
		types = append(types, p.Schema.asType())
	}
	for _, s := range c.document.Schemas {
		if s.Area.File == commonFile {
			types = append(types, s.asType())
		}
	}
	schemas, enums := map[*Schema]bool{}, map[*Enum]bool{}
	for _, s := range Reach(types...) {
		schemas[s] = true
		for _, m := range s.Members {
			types = append(types, m.Type)
		}
	}
	for _, t := range types {
		enums[t.Inner().Enum] = true
	}
	for _, a := range c.document.Areas {
		for _, s := range a.Schemas {
			if !schemas[s] {
				c.add(s.Pos, "no operation uses %s: remove it", s.Name)
			}
		}
		for _, e := range a.Enums {
			if !enums[e] {
				c.add(e.Pos, "no operation uses %s: remove it", e.Name)
			}
		}
	}
}

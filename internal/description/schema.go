package description

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// schema reads an object. Its members are read later, when all names are known.
func (a *areaReader) schema(e entry, kind SchemaKind) {
	f := a.fields(e.value, "doc", "go", "like", "of", "in", "members", "rules")
	s := &Schema{Name: e.key, GoName: e.key, Area: a.area, Kind: kind, Pos: e.pos, Doc: a.text(f["doc"])}
	if name := a.text(f["go"]); name != "" {
		s.GoName = name
	}
	if regions := a.text(f["in"]); regions != "" {
		s.Regions = strings.Split(regions, "/")
	}
	a.loader.name(s.Name, s.Pos)
	a.loader.document.Schemas[s.Name] = s
	a.area.Schemas = append(a.area.Schemas, s)
	a.loader.later = append(a.loader.later, func() {
		s.Like = a.other(f["like"])
		s.Elem = a.other(f["of"])
		for _, m := range a.mapping(f["members"]) {
			s.Members = append(s.Members, a.member(m, s))
		}
		for line := range strings.Lines(a.text(f["rules"])) {
			rule, right := parseRule(strings.TrimSpace(line), a.at(f["rules"]))
			if !right || kind != BodySchema {
				a.add(a.at(f["rules"]), "%q is not a valid rule of a body: README.md lists the rules", strings.TrimSpace(line))
			}
			s.Rules = append(s.Rules, rule)
		}
	})
}

// other returns the schema named by n, or nil if n is missing.
func (a *areaReader) other(n *yaml.Node) *Schema {
	if n == nil {
		return nil
	}
	s := a.loader.document.Schemas[a.text(n)]
	if s == nil {
		a.add(a.at(n), "the schema %q does not exist", a.text(n))
	}
	return s
}

// member reads a member. In a response it may be null unless it is marked with
// !, in a request only if it is marked with ?.
func (a *areaReader) member(e entry, s *Schema) *Member {
	l := parseLine(a.text(e.value))
	m := &Member{Name: e.key, GoName: GoName(e.key), Doc: l.doc, Pos: e.pos}
	m.Type = a.loader.typeOf(l.typeWords, e.pos)
	m.Nullable = l.mark != '!'
	if s.Kind == BodySchema {
		m.Nullable = l.mark == '?'
	}
	if s.Kind == BodySchema && l.mark == '!' || s.Kind != BodySchema && l.mark == '?' {
		a.add(e.pos, "remove the %q: it is the default in this section", l.mark)
	}
	a.attributes(m, l.attributes, e.pos)
	return m
}

func (a *areaReader) attributes(m *Member, words []string, at Pos) {
	for len(words) > 0 {
		taken, err := m.attribute(words)
		if err != nil {
			a.add(at, "%s", err)
		}
		words = words[taken:]
	}
}

// enum reads an enumeration.
func (a *areaReader) enum(e entry) {
	f := a.fields(e.value, "type", "doc", "prefix", "open", "free", "values")
	enum := &Enum{Name: e.key, Prefix: e.key, Area: a.area, Pos: e.pos, Doc: a.text(f["doc"]), Free: a.yes(f["free"])}
	enum.Open = enum.Free || a.yes(f["open"])
	if prefix := a.text(f["prefix"]); prefix != "" {
		enum.Prefix = prefix
	}
	switch kind := a.text(f["type"]); kind {
	case "number":
		enum.Number = true
	case "text":
	default:
		a.add(e.pos, "the type of an enumeration must be number or text, not %q", kind)
	}
	for _, v := range a.mapping(f["values"]) {
		enum.Values = append(enum.Values, a.value(v, enum.Number))
	}
	a.loader.name(enum.Name, enum.Pos)
	a.loader.document.Enums[enum.Name] = enum
	a.area.Enums = append(a.area.Enums, enum)
}

// value parses a value: "0 Fixed" for numbers, "Open" or "Flat fee as FlatFee"
// for strings. The meaning of a number without a name is not published.
func (a *areaReader) value(e entry, number bool) EnumValue {
	v := EnumValue{Value: e.key, Name: e.key}
	if number {
		v.Value, v.Name, _ = strings.Cut(e.key, " ")
	} else if value, name, renamed := strings.Cut(e.key, " as "); renamed {
		v.Value, v.Name = value, name
	}
	if e.value.Tag != "!!null" {
		v.Doc = a.text(e.value)
	}
	return v
}

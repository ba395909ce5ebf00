package description

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Patterns of the strings of simple types.
const (
	patternUUID       = `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`
	patternDay        = `^\d{4}-\d{2}-\d{2}$`
	patternTime       = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$`
	patternLocalTime  = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?$`
	patternInstant    = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$`
	patternAnyZone    = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$`
	patternDayOrTime  = `^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?)?$`
	patternTicksOrDay = `^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}|\d{1,19})$`
)

func (j *joiner) components() *yaml.Node {
	responses := object()
	for _, status := range ErrorStatuses() {
		set(responses, fmt.Sprintf("E%d", status), withRequestID(object("description", http.StatusText(status), "content", object(
			"application/json", object("schema", ref("schemas", "Problem")),
			"application/problem+json", object("schema", ref("schemas", "Problem")),
		))))
	}
	return object(
		"securitySchemes", object(
			"apiKey", object("type", "apiKey", "in", "header", "name", "x-api-key"),
			"bearer", object("type", "http", "scheme", "bearer"),
		),
		"parameters", headerParameters(),
		"responses", responses,
		"schemas", j.schemas(),
	)
}

func (j *joiner) schemas() *yaml.Node {
	schemas := object()
	for _, a := range j.document.Areas {
		for _, s := range a.Schemas {
			if !s.Planned {
				set(schemas, s.Name, j.schema(s))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.lists)) {
		set(schemas, name, j.lists[name])
	}
	return schemas
}

// markAlways lists the members of an object that always have a value: those
// that identify a record, and those for paging. They are not required, because
// some recorded responses lack them.
const markAlways = "x-always"

func (j *joiner) schema(s *Schema) *yaml.Node {
	sent := s.Kind == BodySchema
	n := object("type", "object", "description", s.Name+" "+s.Doc, "additionalProperties", !sent)
	if j.nullable[s] {
		set(n, "nullable", true)
	}
	required, always := list(), list()
	members := object()
	switch s.Kind {
	case Record:
		for _, name := range linkMembers[:3] {
			set(members, name, object("type", "string", "nullable", true))
		}
		set(members, "self", ref("schemas", "Link"))
		always = list("href", "method")
	case Page:
		list := envelope(j.value(&Type{Kind: Ref, Ref: s.Elem}, Rules{}, false, false), true)
		members, always = get(list, "properties"), get(list, markAlways)
	}
	for _, m := range s.Members {
		set(members, m.Name, j.member(m, sent))
		if m.Required {
			required.Content = append(required.Content, scalar(m.Name))
		}
		if m.Always {
			always.Content = append(always.Content, scalar(m.Name))
		}
	}
	if len(required.Content) > 0 {
		set(n, "required", required)
	}
	if len(members.Content) > 0 {
		set(n, "properties", members)
	}
	if len(always.Content) > 0 {
		set(n, markAlways, always)
	}
	if len(s.Regions) > 0 {
		set(n, "x-regions", list(anys(s.Regions)...))
	}
	if len(s.Rules) > 0 {
		rules := list()
		for _, r := range s.Rules {
			rules.Content = append(rules.Content, scalar(r.String()))
		}
		set(n, "x-rules", rules)
	}
	return n
}

// member returns the schema of a member. A reference has no description of its
// own, because its schema has one.
func (j *joiner) member(m *Member, sent bool) *yaml.Node {
	n := j.value(m.Type, m.Rules, m.Nullable, sent)
	if m.Type.Ref != nil {
		return n
	}
	set(n, "description", m.Name+" "+m.Doc)
	for _, mark := range []struct {
		name string
		set  bool
	}{{"deprecated", m.Deprecated}, {"readOnly", m.ReadOnly}, {"x-secret", m.Secret}, {"x-personal", m.Personal}, {"x-free-text", m.FreeText}, {"x-literal-prefix", m.LiteralPrefix}} {
		if mark.set {
			set(n, mark.name, true)
		}
	}
	if m.Unit != "" {
		set(n, "x-unit", m.Unit)
	}
	if m.Target != "" {
		set(n, "x-target", m.Target)
	}
	if m.Deletes != "" {
		set(n, "x-deletes", m.Deletes)
	}
	if len(m.Regions) > 0 {
		set(n, "x-regions", list(anys(m.Regions)...))
	}
	return n
}

// value returns the schema of a value of type t in a response, or in a request
// if sent is set.
func (j *joiner) value(t *Type, r Rules, nullable, sent bool) *yaml.Node {
	if t.Ref != nil {
		return ref("schemas", t.Ref.Name)
	}
	n := object()
	switch t.Kind {
	case List:
		inner := Rules{Pattern: r.Pattern, Format: r.Format, Only: r.Only, Closed: r.Closed}
		set(n, "type", "array")
		set(n, "items", j.value(t.Elem, inner, false, sent))
		integerRule(n, "maxItems", r.MaxItems)
	case Map:
		set(n, "type", "object")
		set(n, "additionalProperties", j.value(t.Elem, Rules{}, true, sent))
	case Any:
		return n
	case ObjectOrList:
		return anyOf(nullable, object("type", "object", "additionalProperties", true), object("type", "array", "items", object()))
	case TextOrInteger:
		return anyOf(nullable, object("type", "string"), object("type", "integer"))
	case Object:
		set(n, "type", "object")
		set(n, "additionalProperties", true)
	case Binary:
		set(n, "type", "string")
		set(n, "format", "binary")
	case EnumText, EnumNumber:
		enumSchema(n, t.Enum, r, nullable, sent)
		if r.Pattern != "" {
			set(n, "pattern", r.Pattern)
		}
	default:
		simple(n, t, r, sent)
	}
	if nullable {
		set(n, "nullable", true)
	}
	return n
}

// anyOf returns the schema of a value of one of several types. OpenAPI allows
// nullable only beside a type.
func anyOf(nullable bool, types ...*yaml.Node) *yaml.Node {
	if nullable {
		for _, one := range types {
			set(one, "nullable", true)
		}
	}
	return object("anyOf", &yaml.Node{Kind: yaml.SequenceNode, Content: types})
}

// simple completes the schema of a string or a number.
func simple(n *yaml.Node, t *Type, r Rules, sent bool) {
	pattern := r.Pattern
	switch t.Kind {
	case Boolean:
		set(n, "type", "boolean")
	case Integer, Ticks:
		set(n, "type", "integer")
		set(n, "format", "int"+strconv.Itoa(max(t.Bits, map[Kind]int{Ticks: 64}[t.Kind])))
	case Decimal:
		set(n, "type", "number")
		set(n, "format", "double")
	default:
		set(n, "type", "string")
		if t.Kind == UUID && !sent {
			set(n, "format", "uuid")
		} else if form := textPattern(t.Kind, r, sent); form != "" {
			pattern = form
		}
	}
	if pattern != "" {
		set(n, "pattern", pattern)
	}
	if r.Format != "" {
		set(n, "format", r.Format)
	}
	integerRule(n, "minLength", r.MinLength)
	integerRule(n, "maxLength", r.MaxLength)
	numberRule(n, "minimum", r.Minimum)
	numberRule(n, "maximum", r.Maximum)
	defaultRule(n, r.Default)
}

func textPattern(k Kind, r Rules, sent bool) string {
	switch {
	case k == UUID:
		return patternUUID
	case k == Day && sent:
		return patternDay
	case k == Day, k == DayOrInstant:
		return patternDayOrTime
	case k == LocalTime && sent:
		return patternLocalTime
	case k == Instant && sent && !r.AnyZone:
		return patternInstant
	case k == Instant, k == LocalTime:
		return patternAnyZone
	default:
		return ""
	}
}

// enumSchema adds the known values to a schema. Unless the enumeration is open,
// requests must not contain others.
func enumSchema(n *yaml.Node, e *Enum, r Rules, nullable, sent bool) {
	values, named := list(), object()
	for _, v := range e.Values {
		if len(r.Only) > 0 && !slices.Contains(r.Only, v.Value) {
			continue
		}
		node := scalar(v.Value)
		if e.Number {
			node.Tag = "!!int"
			set(named, v.Value, v.Name)
		}
		values.Content = append(values.Content, node)
	}
	known := values
	if nullable {
		known = list()
		known.Content = append(slices.Clone(values.Content), &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"})
	}
	if e.Number {
		set(n, "type", "integer")
		set(n, "format", "int32")
		set(n, "x-values", named)
	} else {
		set(n, "type", "string")
		set(n, "x-values", values)
	}
	if r.Closed || sent && !e.Open {
		set(n, "enum", known)
	}
	set(n, "x-enum", e.Name)
}

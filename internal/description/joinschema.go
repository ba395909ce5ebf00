package description

import (
	"slices"
	"strconv"
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

func schemaRef(name string) *apiSchema { return &apiSchema{Ref: "#/components/schemas/" + name} }

func (j *joiner) schema(s *Schema) *apiSchema {
	sent := s.Kind == BodySchema
	n := &apiSchema{Type: "object"}
	switch s.Kind {
	case Record:
		for _, name := range linkMembers[:3] {
			n.Properties.add(name, &apiSchema{Type: "string", Nullable: true})
		}
		n.Properties.add("self", schemaRef("Link"))
		n.Always = []string{"href", "method"}
	case Page:
		n = envelope(schemaRef(s.Elem.Name), true)
	}
	n.Description, n.AdditionalProperties, n.Nullable, n.Regions = s.Name+" "+s.Doc, !sent, j.nullable[s], s.Regions
	for _, m := range s.Members {
		n.Properties.add(m.Name, j.member(m, sent))
		if m.Required {
			n.Required = append(n.Required, m.Name)
		}
		if m.Always {
			n.Always = append(n.Always, m.Name)
		}
	}
	for _, r := range s.Rules {
		n.Rules = append(n.Rules, r.String())
	}
	return n
}

// member returns the schema of a member. A reference has no description of its
// own, because its schema has one.
func (j *joiner) member(m *Member, sent bool) *apiSchema {
	n := j.value(m.Type, m.Rules, m.Nullable, sent)
	if m.Type.Ref != nil {
		return n
	}
	n.Description, n.Unit, n.Target, n.Deletes, n.Regions = m.Name+" "+m.Doc, m.Unit, m.Target, m.Deletes, m.Regions
	n.Deprecated, n.ReadOnly, n.Secret = m.Deprecated, m.ReadOnly, m.Secret
	n.Personal, n.FreeText, n.LiteralPrefix = m.Personal, m.FreeText, m.LiteralPrefix
	return n
}

// value returns the schema of a value of type t in a response, or in a request
// if sent is set.
func (j *joiner) value(t *Type, r Rules, nullable, sent bool) *apiSchema {
	n := &apiSchema{Nullable: nullable}
	switch t.Kind {
	case Ref:
		return schemaRef(t.Ref.Name)
	case List:
		inner := Rules{Pattern: r.Pattern, Format: r.Format, Only: r.Only, Closed: r.Closed}
		n.Type, n.Items, n.MaxItems = "array", j.value(t.Elem, inner, false, sent), r.MaxItems
	case Map:
		n.Type, n.AdditionalProperties = "object", j.value(t.Elem, Rules{}, true, sent)
	case Any:
		return &apiSchema{}
	case ObjectOrList: // OpenAPI allows nullable only beside a type
		return &apiSchema{AnyOf: []*apiSchema{
			{Type: "object", AdditionalProperties: true, Nullable: nullable}, {Type: "array", Items: &apiSchema{}, Nullable: nullable},
		}}
	case TextOrInteger:
		return &apiSchema{AnyOf: []*apiSchema{{Type: "string", Nullable: nullable}, {Type: "integer", Nullable: nullable}}}
	case Object:
		n.Type, n.AdditionalProperties = "object", true
	case Binary:
		n.Type, n.Format = "string", "binary"
	case EnumText, EnumNumber:
		n.enumerate(t.Enum, r, sent)
		n.Pattern = r.Pattern
	default:
		n.simple(t, r, sent)
	}
	return n
}

// simple completes the schema of a string or a number.
func (n *apiSchema) simple(t *Type, r Rules, sent bool) {
	n.Pattern = r.Pattern
	switch t.Kind {
	case Boolean:
		n.Type = "boolean"
	case Integer:
		n.Type, n.Format = "integer", "int"+strconv.Itoa(t.Bits)
	case Ticks:
		n.Type, n.Format = "integer", "int64"
	case Decimal:
		n.Type, n.Format = "number", "double"
	case UUID:
		n.Type, n.Format = "string", "uuid"
		if sent {
			n.Format, n.Pattern = "", patternUUID
		}
	default:
		n.Type = "string"
		if form := timePattern(t.Kind, r, sent); form != "" {
			n.Pattern = form
		}
	}
	if r.Format != "" {
		n.Format = r.Format
	}
	n.MinLength, n.MaxLength, n.Default = r.MinLength, r.MaxLength, defaultOf(n.Type, r.Default)
	if r.Minimum != nil {
		n.Minimum = literal(*r.Minimum)
	}
	if r.Maximum != nil {
		n.Maximum = literal(*r.Maximum)
	}
}

// defaultOf returns a default in the type of its schema, or nil.
func defaultOf(kind, value string) any {
	switch {
	case value == "":
		return nil
	case kind == "string":
		return value
	default:
		return literal(value)
	}
}

func timePattern(k Kind, r Rules, sent bool) string {
	switch {
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

// enumerate adds the known values to a schema. Unless the enumeration is open,
// requests must not contain others.
func (n *apiSchema) enumerate(e *Enum, r Rules, sent bool) {
	var values []any
	var names named[string]
	for _, v := range e.Values {
		switch {
		case len(r.Only) > 0 && !slices.Contains(r.Only, v.Value):
		case e.Number:
			values = append(values, literal(v.Value))
			names.add(v.Value, v.Name)
		default:
			values = append(values, v.Value)
		}
	}
	n.Type, n.Values, n.EnumName = "string", values, e.Name
	if e.Number {
		n.Type, n.Format, n.Values = "integer", "int32", names
	}
	if r.Closed || sent && !e.Open {
		n.Enum = values
		if n.Nullable {
			n.Enum = append(slices.Clone(values), nil)
		}
	}
}

// answer returns the schema of the response. The schema of a list is a
// component.
func (j *joiner) answer(o *Operation) *apiSchema {
	elem := j.value(o.Answer, Rules{}, false, false)
	switch {
	case o.Paging == nil, o.Answer.Ref != nil && o.Answer.Ref.Kind == Page:
		return elem
	case len(o.Paging.Shapes) == 1 && o.Paging.Shape == "array":
		return &apiSchema{Type: "array", Items: elem}
	}
	name := "String"
	if o.Answer.Ref != nil {
		name = o.Answer.Ref.Name
	}
	if len(o.Paging.Shapes) == 1 {
		name += map[string]string{"page": "Page", "collection": "Collection"}[o.Paging.Shape]
		j.lists[name] = envelope(elem, o.Paging.Shape == "page")
		return schemaRef(name)
	}
	list := &apiSchema{}
	for _, shape := range o.Paging.Shapes {
		alternative := elem
		switch shape {
		case "record":
		case "array":
			alternative = &apiSchema{Type: "array", Items: elem}
		default:
			alternative = envelope(elem, shape == "page")
			alternative.Required = []string{"value"}
		}
		list.AnyOf = append(list.AnyOf, alternative)
	}
	j.lists[name+"List"] = list
	return schemaRef(name + "List")
}

// envelope returns a list of elem with its link members and, for a page, its
// paging members.
func envelope(elem *apiSchema, page bool) *apiSchema {
	list := &apiSchema{Type: "object", AdditionalProperties: true, Always: []string{"href", "method", "value"}}
	for _, name := range []string{"id", "href", "relation", "method"} {
		list.Properties.add(name, &apiSchema{Type: "string", Nullable: true})
	}
	list.Properties.add("self", schemaRef("Link"))
	list.Properties.add("value", &apiSchema{Type: "array", Items: elem, Nullable: true})
	if !page {
		return list
	}
	list.Properties.add("offset", &apiSchema{Type: "integer", Format: "int32", Nullable: true})
	list.Properties.add("limit", &apiSchema{Type: "integer", Format: "int32", Nullable: true})
	list.Properties.add("size", &apiSchema{Type: "integer", Format: "int64", Nullable: true})
	for _, name := range []string{"first", "previous", "next", "last"} {
		list.Properties.add(name, schemaRef("Link"))
	}
	list.Always = append(list.Always, "offset", "limit", "size", "first", "last")
	return list
}

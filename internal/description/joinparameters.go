package description

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/practicesdk/practice-go/internal/headers"
)

// parameters returns the parameters of path, query, paging and change filters,
// and the headers of every operation.
func (j *joiner) parameters(o *Operation) *yaml.Node {
	all := list()
	add := func(n *yaml.Node) { all.Content = append(all.Content, n) }
	for _, p := range o.PathParameters {
		add(j.parameter(p, "path"))
	}
	if p := o.Paging; p != nil {
		if p.Offset != "" {
			add(counted(p.Offset, "is the position of the first record, from 0.", "0", "2147483647", p.OffsetDefault))
		}
		if p.Limit != "" {
			add(limit(p))
		}
		if p.Cursor != "" {
			add(query(p.Cursor, "goes on from a cursor, whose form is not published.", object("type", "string")))
		}
		for _, filter := range p.Since {
			add(since(filter))
		}
	}
	for _, p := range o.Query {
		add(j.parameter(p, "query"))
	}
	for _, h := range headers.All {
		switch {
		case h.Type == "":
		case h.Takes == headers.Every:
			add(ref("parameters", h.Name))
		case slices.Contains(o.Headers, h.Name):
			add(headerParameter(h))
		}
	}
	return all
}

// headerParameter returns a header as a parameter.
func headerParameter(h headers.Header) *yaml.Node {
	schema := object("type", h.Type)
	switch h.Format {
	case "":
	case "uuid":
		set(schema, "pattern", patternUUID)
	default:
		set(schema, "format", h.Format)
	}
	return object("name", h.Name, "in", "header", "required", false, "schema", schema)
}

// headerParameters returns the headers that every operation takes.
func headerParameters() *yaml.Node {
	all := object()
	for _, h := range headers.All {
		if h.Takes == headers.Every {
			set(all, h.Name, headerParameter(h))
		}
	}
	return all
}

func (j *joiner) parameter(p *Parameter, in string) *yaml.Node {
	open := p.Type
	for open.Elem != nil {
		open = open.Elem
	}
	// A closed parameter allows no other value.
	n := j.value(p.Type, p.Rules, false, open.Enum == nil)
	if p.Type.Kind == LocalTime {
		set(n, "pattern", patternTime)
	}
	parameter := object("name", p.Name, "in", in, "required", p.Required, "description", p.Name+" "+p.Doc, "schema", n)
	if p.Deprecated {
		set(parameter, "deprecated", true)
	}
	return parameter
}

func query(name, doc string, schema *yaml.Node) *yaml.Node {
	return object("name", name, "in", "query", "required", false, "description", name+" "+doc, "schema", schema)
}

// limit returns the parameter with the limits of a page; the limits of a list
// without paging are not published.
func limit(p *Paging) *yaml.Node {
	const doc = "is the largest number of records."
	if p.Style == "offset" {
		return counted(p.Limit, doc, "1", "500", p.LimitDefault)
	}
	schema := object("type", "integer", "format", "int32")
	defaultRule(schema, p.LimitDefault)
	return query(p.Limit, doc, schema)
}

func counted(name, doc, low, high, value string) *yaml.Node {
	schema := object("type", "integer", "format", "int32")
	numberRule(schema, "minimum", &low)
	numberRule(schema, "maximum", &high)
	defaultRule(schema, value)
	return query(name, doc, schema)
}

func since(filter ChangeFilter) *yaml.Node {
	var schema *yaml.Node
	switch filter.Kind {
	case "ticks":
		schema = object("type", "integer", "format", "int64")
	case "time":
		schema = object("type", "string", "pattern", patternInstant)
	default:
		schema = object("type", "string", "pattern", patternTicksOrDay)
	}
	n := query(filter.Name, "lists only what changed since then, in "+filter.Kind+".", schema)
	if filter.Deprecated {
		set(n, "deprecated", true)
	}
	return n
}

// object returns a mapping of alternating names and values.
func object(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for pair := range slices.Chunk(pairs, 2) {
		set(n, pair[0].(string), pair[1])
	}
	return n
}

func list(values ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for _, value := range values {
		n.Content = append(n.Content, node(value))
	}
	return n
}

func anys(texts []string) []any {
	values := make([]any, 0, len(texts))
	for _, text := range texts {
		values = append(values, text)
	}
	return values
}

// set sets the value of a name in the mapping and replaces an old value.
func set(n *yaml.Node, name string, value any) {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			n.Content[i+1] = node(value)
			return
		}
	}
	n.Content = append(n.Content, scalar(name), node(value))
}

func get(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func node(value any) *yaml.Node {
	switch value := value.(type) {
	case *yaml.Node:
		return value
	case bool:
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "false"}
		if value {
			n.Value = "true"
		}
		return n
	default:
		return scalar(value.(string))
	}
}

// scalar returns a node for a string. The encoder quotes a string that YAML
// would read as another type.
func scalar(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(text)
	return n
}

func ref(section, name string) *yaml.Node {
	return object("$ref", strings.Join([]string{"#/components", section, name}, "/"))
}

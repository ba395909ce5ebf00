package description

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parameters reads the parameters that the operations of the area share.
func (a *areaReader) parameters(n *yaml.Node) {
	a.shared = map[string]func() *Parameter{}
	a.used = map[string]bool{}
	for _, e := range a.mapping(n) {
		a.shared[e.key] = func() *Parameter { return a.parameter(e) }
	}
}

// parameter reads a parameter, whose line has the form of that of a member.
func (a *areaReader) parameter(e entry) *Parameter {
	l := parseLine(a.text(e.value))
	m := &Member{Type: a.loader.typeOf(l.typeWords, e.pos)}
	if l.mark != 0 {
		a.add(e.pos, "a parameter cannot be null: remove the %q", l.mark)
	}
	a.attributes(m, l.attributes, e.pos)
	return &Parameter{
		Name: e.key, Doc: l.doc, Type: m.Type, Required: m.Required, Deprecated: m.Deprecated,
		Target: m.Target, Pos: e.pos, Rules: m.Rules,
	}
}

// query reads the query parameters. A name alone refers to the parameter of the
// area.
func (a *areaReader) query(o *Operation, n *yaml.Node) {
	for _, e := range a.mapping(n) {
		if e.value.Tag == "!!null" {
			o.Query = append(o.Query, a.sharedParameter(e.key, e.pos))
		} else {
			o.Query = append(o.Query, a.parameter(e))
		}
	}
}

func (a *areaReader) sharedParameter(name string, at Pos) *Parameter {
	read := a.shared[name]
	if read == nil {
		a.add(at, "the parameter %q is not described under parameters in the file: describe it there", name)
		return &Parameter{Name: name, Type: &Type{Kind: Text}, Pos: at}
	}
	a.used[name] = true
	return read()
}

var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

// pathParameters returns the parameters of the path, from the operation or from
// the area.
func (a *areaReader) pathParameters(o *Operation, n *yaml.Node) {
	own := map[string]*Parameter{}
	for _, e := range a.mapping(n) {
		own[e.key] = a.parameter(e)
	}
	for _, found := range placeholder.FindAllStringSubmatch(o.Path, -1) {
		p := own[found[1]]
		if p == nil {
			p = a.sharedParameter(found[1], o.Pos)
		}
		delete(own, found[1])
		p.Required = true
		o.PathParameters = append(o.PathParameters, p)
	}
	for name, p := range own {
		a.add(p.Pos, "%s does not contain {%s}: remove the parameter", o.Path, name)
	}
}

// paging adds the defaults that the files omit: a page has the parameters
// Offset and Limit.
func (a *areaReader) paging(o *Operation, n, since *yaml.Node) {
	if o.Paging == nil {
		if n != nil || since != nil {
			a.add(o.Pos, "%s does not return a list, so paging and since are not allowed", o.ID)
		}
		return
	}
	p := o.Paging
	words := []string{}
	if p.Shape == "page" || slices.Contains(p.Shapes, "page") {
		words = []string{"Offset", "Limit"}
	}
	if n != nil {
		words = strings.Fields(a.text(n))
	}
	p.read(words, func(text string) { a.add(o.Pos, "%s", text) })
	for _, text := range a.list(since) {
		if text == "exclusive" {
			p.SinceExclusive = true
			continue
		}
		text, deprecated := strings.CutSuffix(text, " deprecated")
		name, kind, _ := strings.Cut(text, " ")
		if !slices.Contains([]string{"ticks", "time", "ticks or time"}, kind) {
			a.add(a.at(since), "%q: a change filter must be a name followed by ticks, by time or by \"ticks or time\"", text)
		}
		p.Since = append(p.Since, ChangeFilter{Name: name, Kind: kind, Deprecated: deprecated})
	}
}

// read parses the words of paging: "none", "links", or the names of the
// parameters, each with an optional default after "=".
func (p *Paging) read(words []string, refuse func(string)) {
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		switch strings.ToLower(name) {
		case "none", "links":
			p.Style = name
		case "offset":
			p.Style, p.Offset, p.OffsetDefault = "offset", name, value
		case "limit":
			p.Limit, p.LimitDefault = name, value
			if p.Style != "offset" {
				p.Style = "limit"
			}
		case "cursor":
			p.Cursor = name
		default:
			refuse("unknown word " + word + " of paging: use none, links, Offset, Limit or Cursor")
		}
	}
}

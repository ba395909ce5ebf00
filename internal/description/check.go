package description

import (
	"go/token"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// check reports descriptions that can be parsed but are inconsistent.
func (l *loader) check() {
	c := &checker{faults: l.faults, document: l.document, seen: map[string]Pos{}}
	for _, a := range l.document.Areas {
		if a.Name == "" || !token.IsExported(a.Name) {
			c.add(a.Pos, "the area has no name: add a line such as \"area: ActivityCodes\"")
		}
		c.sentence(a.Pos, "the area", a.Doc)
		for _, o := range a.Operations {
			c.operation(o)
		}
		for _, s := range a.Schemas {
			c.schema(s)
		}
		for _, e := range a.Enums {
			c.enum(e)
		}
	}
	c.unreached()
}

type checker struct {
	*faults
	document *Document
	seen     map[string]Pos
}

// once reports a name that is already used, ignoring case.
func (c *checker) once(at Pos, space, name string) {
	key := space + " " + strings.ToLower(name)
	if first, taken := c.seen[key]; taken {
		c.add(at, "%s %q is already used at %s: choose a different one", space, name, first)
		return
	}
	c.seen[key] = at
}

// sentence reports a text that does not consist of full sentences.
func (c *checker) sentence(at Pos, what, text string) {
	switch {
	case text == "":
		c.add(at, "%s has no doc: describe it in full sentences", what)
	case !upper(text) || !strings.HasSuffix(text, "."):
		c.add(at, "%s: a doc must begin with a capital letter and end with a full stop: %q", what, text)
	}
}

// predicate reports a text that does not continue a sentence whose subject is a
// name, or that quotes a name that is not a member of s.
func (c *checker) predicate(at Pos, what, text string, s *Schema) {
	switch {
	case text == "":
		c.add(at, "%s has no sentence: add one such as \"is the day of the fee.\"", what)
		return
	case upper(text) || !strings.HasSuffix(text, "."):
		c.add(at, "%s: the sentence must continue after the name and end with a full stop, as in \"is the day of the fee.\", not %q", what, text)
	}
	for _, mark := range marked.FindAllStringSubmatch(text, -1) {
		if s == nil || s.Member(mark[1]) == nil {
			c.add(at, "%s: the sentence mentions the member `%s`, which does not exist", what, mark[1])
		}
	}
}

// marked matches quoted names of members in a sentence.
var marked = regexp.MustCompile("`([^`]*)`")

func upper(text string) bool { return text[:1] == strings.ToUpper(text[:1]) }

func (c *checker) operation(o *Operation) {
	c.once(o.Pos, "operation", o.ID)
	c.once(o.Pos, "call", o.HTTPMethod+" "+o.Path)
	c.sentence(o.Pos, o.ID, o.Doc)
	if o.Method != "" {
		c.once(o.Pos, "method of "+o.Area.Name, o.Method)
	} else {
		c.add(o.Pos, "%s has no method: add the name of the Go method, as in \"method: List\"", o.ID)
	}
	if !strings.HasPrefix(o.Path, "/") || strings.Count(o.Path, "{") != len(o.PathParameters) {
		c.add(o.Pos, "%s: %q is not a valid path such as /activitycodes/{id}", o.ID, o.Path)
	}
	if o.Body != nil && o.HTTPMethod == http.MethodGet {
		c.add(o.Pos, "%s: a GET must not have a body", o.ID)
	}
	if o.Late && !o.Async {
		c.add(o.Pos, "%s has the flag late, but its status says that the change has been made", o.ID)
	}
	if o.Walks() && o.listed() == "" {
		c.add(o.Pos, "%s: the doc of a list with an All method must begin with %q or %q", o.ID, onePage, firstPage)
	}
	if o.WalkDoc != "" && !o.Walks() {
		c.add(o.Pos, "%s has no All method: remove the key", o.ID)
	}
	if o.ModifyDoc != "" && c.document.conversionOf(o) == nil {
		c.add(o.Pos, "%s has no Modify method: remove the key", o.ID)
	}
	c.grant(o)
	c.parameters(o)
	c.content(o)
}

// grant reports a grant that no token can satisfy, or whose status the
// operation does not list.
func (c *checker) grant(o *Operation) {
	g := o.Grant
	if g == nil {
		return
	}
	if g.Parameter != "" && !slices.ContainsFunc(o.PathParameters, func(p *Parameter) bool { return p.Name == g.Parameter }) {
		c.add(o.Pos, "%s: the grant depends on the parameter %q, which is not in the path", o.ID, g.Parameter)
	}
	if !slices.ContainsFunc(o.Errors, func(e Error) bool { return e.Status == g.Refusal }) {
		c.add(o.Pos, "%s: the status %d for a missing grant must be one of the errors of the operation", o.ID, g.Refusal)
	}
}

func (c *checker) parameters(o *Operation) {
	names := map[string]bool{}
	take := func(at Pos, name string) {
		if name != "" && names[strings.ToLower(name)] {
			c.add(at, "%s has the parameter %q twice: remove one of them", o.ID, name)
		}
		names[strings.ToLower(name)] = true
	}
	for _, p := range slices.Concat(o.PathParameters, o.Query) {
		take(p.Pos, p.Name)
		c.predicate(p.Pos, "the parameter "+p.Name, p.Doc, nil)
		c.rules(p.Pos, p.Name, p.Type, p.Rules)
	}
	if p := o.Paging; p != nil {
		for _, name := range []string{p.Offset, p.Limit, p.Cursor} {
			take(o.Pos, name)
		}
		for _, filter := range p.Since {
			take(o.Pos, filter.Name)
		}
	}
}

// content reports bodies in responses, records in requests, and pages whose
// elements are not records.
func (c *checker) content(o *Operation) {
	if o.Body != nil {
		c.side(o.Pos, o.ID, o.Body.Type, true)
	}
	if o.Answer != nil {
		c.side(o.Pos, o.ID, o.Answer, false)
	}
	if o.Paging == nil || !slices.Contains(o.Paging.Shapes, "page") {
		return
	}
	if o.Answer.Ref == nil {
		c.add(o.Pos, "%s: a page must contain records, and %s is not a record: use \"list of\"", o.ID, o.Answer)
	}
}

// side reports a body in a response or a record in a request, because bodies
// are closed and records are open.
func (c *checker) side(at Pos, what string, t *Type, sent bool) {
	t = t.Inner()
	if t.Ref == nil || (t.Ref.Kind == BodySchema) == sent {
		return
	}
	if sent {
		c.add(at, "%s sends %s, which is not a body: move the schema to bodies", what, t.Ref.Name)
	} else {
		c.add(at, "%s reads %s, which is a body: use a schema from records or values", what, t.Ref.Name)
	}
}

package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// page is a page of the reference under construction.
type page struct {
	text    bytes.Buffer
	area    *description.Area
	links   links
	samples map[string]sample // by the id of the operation
}

func (p *page) line(format string, arguments ...any) { fmt.Fprintf(&p.text, format+"\n", arguments...) }

// write writes the page and reports whether it has any content.
func (p *page) write() bool {
	var some bool
	p.line("# %s\n\n%s\n", p.area.Name, text(p.area.Doc))
	for _, o := range p.area.Operations {
		some = true
		p.operation(o)
	}
	for _, section := range []struct {
		title string
		body  bool
	}{{"## Records", false}, {"## Bodies of requests", true}} {
		title := section.title
		for _, s := range p.area.Schemas {
			if (s.Kind == description.BodySchema) != section.body {
				continue
			}
			if title != "" {
				p.line("%s\n", title)
			}
			some, title = true, ""
			p.schema(s)
		}
	}
	p.enums()
	return some
}

func (p *page) operation(o *description.Operation) {
	name := p.area.Name + "." + o.Method
	p.line("## %s\n\n`%s %s` (%s); in Go: [%s](%s#%sService.%s)\n", name, o.HTTPMethod, o.Path, o.ID, name, documentation, p.area.Name, o.Method)
	for _, comment := range p.links.document.Comments(o) {
		p.line("%s\n", p.links.markdown(comment.Text))
	}
	for _, fact := range facts(o) {
		p.line("- %s", fact)
	}
	if o.Body != nil {
		p.line("- Sends %s.", p.body(o.Body))
	}
	p.line("- %s", p.answer(o))
	p.line("")
	p.parameters(o)
	p.sample(p.samples[o.ID])
}

// facts returns sentences on the behaviour of a call.
func facts(o *description.Operation) []string {
	found := []string{map[string]string{
		"read":            "A read: the client retries it.",
		"idempotentWrite": "An idempotent write: the client retries it.",
		"create":          "A create: the client does not retry it if the response is lost.",
	}[o.Class]}
	add := func(holds bool, format string, arguments ...any) {
		if holds {
			found = append(found, fmt.Sprintf(format, arguments...))
		}
	}
	add(o.Async, "Returns before the change is made. A later failure arrives as an `error` event.")
	add(o.Late, "A record that does not exist is reported by that event, not in the response.")
	add(o.Replaces, "Replaces the whole record: members that the body omits are cleared.")
	add(o.Money, "Changes an amount that someone pays or receives.")
	add(o.Unlisted, "May need a special agreement with the service; expect 403.")
	add(o.Deprecated, "Deprecated.")
	scopes := strings.Fields(o.Scope)
	add(len(scopes) == 1, "Needs the permission `%s`.", o.Scope)
	add(len(scopes) > 1, "Needs the permissions `%s`.", strings.Join(scopes, "` and `"))
	if g := o.Grant; g != nil {
		add(true, "Needs %s; otherwise the response is %d.", g.Needed(), g.Refusal)
	}
	add(len(o.Events) > 0, "Probably causes the events `%s`.", strings.Join(o.Events, "`, `"))
	if p := o.Paging; p != nil {
		add(p.Style == "offset", "Is paged by `%s` and `%s`.", p.Offset, p.Limit)
		add(p.Style == "links", "Is paged by links: follow `next`.")
		add(p.Style == "none", "Is not paged.")
		add(p.SinceExclusive, "Takes only one of the change filters at a time.")
		for _, filter := range p.Since {
			add(true, "Lists what changed since `%s`, in %s.%s", filter.Name, filter.Kind, map[bool]string{true: " Deprecated."}[filter.Deprecated])
		}
	}
	if o.Copied != nil {
		add(true, "Is [copied](copied.md) as `%s`.", o.Copied.Name)
	}
	add(o.NotCopied != "", "Is not [copied](copied.md): %s", text(o.NotCopied))
	if len(o.Errors) > 0 {
		var statuses []string
		for _, e := range o.Errors {
			statuses = append(statuses, strconv.Itoa(e.Status))
		}
		add(true, "Lists the errors %s; every operation may also answer 401, 429, 500 and 503.", strings.Join(statuses, ", "))
	}
	return found
}

func (p *page) body(b *description.Body) string {
	name := p.link(b.Type)
	if b.List {
		name = "a list of " + name
	}
	if !b.Required {
		name += ", which may be left out"
	}
	return name
}

func (p *page) answer(o *description.Operation) string {
	answer := "no body"
	if o.Answer != nil {
		answer = p.link(o.Answer)
	}
	if o.Paging != nil {
		names := map[string]string{"page": "a page of", "collection": "a collection of", "array": "a list of", "record": "one"}
		var shapes []string
		for _, shape := range o.Paging.Shapes {
			shapes = append(shapes, names[shape])
		}
		answer = strings.Join(shapes, " or ") + " " + answer
	}
	if o.OtherStatus != 0 {
		return fmt.Sprintf("Answers %d without a body, or %d with %s.", o.Status, o.OtherStatus, answer)
	}
	return fmt.Sprintf("Answers %d with %s.", o.Status, answer)
}

func (p *page) parameters(o *description.Operation) {
	all := append(append([]*description.Parameter{}, o.PathParameters...), o.Query...)
	if len(all) == 0 {
		return
	}
	p.line("| parameter | in | type | |\n|---|---|---|---|")
	for i, parameter := range all {
		in := "path"
		if i >= len(o.PathParameters) {
			in = "query"
		}
		p.line("| `%s` | %s | %s | %s |", parameter.Name, in, p.link(parameter.Type), text(parameter.Doc))
	}
	p.line("")
}

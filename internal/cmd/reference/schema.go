package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

func (p *page) schema(s *description.Schema) {
	p.line("### %s\n\n%s %s\n", s.Name, s.Name, text(s.Doc))
	var notes []string
	if s.GoName != s.Name {
		notes = append(notes, fmt.Sprintf("Its Go type is `models.%s`.", s.GoName))
	}
	if s.Kind == description.Record {
		notes = append(notes, "It has the link members of every record besides.")
	}
	if s.Kind == description.Page {
		notes = append(notes, fmt.Sprintf("It is a page of %s.", p.link(&description.Type{Kind: description.Ref, Ref: s.Elem})))
	}
	if len(notes) > 0 {
		p.line("%s\n", strings.Join(notes, " "))
	}
	if len(s.Members) == 0 {
		return
	}
	p.line("| member | type | |\n|---|---|---|")
	for _, m := range s.Members {
		p.line("| `%s` | %s | %s |", m.Name, p.kind(m, s.Kind == description.BodySchema), text(m.Doc))
	}
	p.line("")
	for _, r := range s.Rules {
		p.line("- %s", r)
	}
	if len(s.Rules) > 0 {
		p.line("")
	}
}

// kind returns the type of a member with its restrictions.
func (p *page) kind(m *description.Member, sent bool) string {
	parts := []string{p.link(m.Type)}
	add := func(holds bool, format string, arguments ...any) {
		if holds {
			parts = append(parts, fmt.Sprintf(format, arguments...))
		}
	}
	add(m.Unit != "", "%s", m.Unit)
	add(m.Required, "required")
	add(sent && m.Nullable, "may be null")
	add(m.MinLength != nil || m.MaxLength != nil, "%s characters", span(m.MinLength, m.MaxLength))
	add(m.MaxItems != nil, "%s entries", span(nil, m.MaxItems))
	add(m.Minimum != nil, "at least %s", pointed(m.Minimum))
	add(m.Maximum != nil, "at most %s", pointed(m.Maximum))
	add(len(m.Only) > 0, "only %s", strings.Join(m.Only, ", "))
	add(len(m.Regions) > 0, "%s", strings.Join(m.Regions, ", "))
	add(m.ReadOnly, "read only")
	add(m.Secret, "secret")
	add(m.Personal, "personal")
	add(m.FreeText, "free text")
	add(m.Deprecated, "deprecated")
	return strings.Join(parts, "; ")
}

func span(low, high *int) string {
	switch {
	case low == nil && high == nil:
		return ""
	case low == nil:
		return fmt.Sprintf("at most %d", *high)
	case high == nil:
		return fmt.Sprintf("at least %d", *low)
	default:
		return fmt.Sprintf("%d to %d", *low, *high)
	}
}

func pointed(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func (p *page) enums() {
	if len(p.area.Enums) == 0 {
		return
	}
	p.line("## Enumerations\n")
	for _, e := range p.area.Enums {
		p.line("### %s\n\n%s %s Other values may come.\n", e.Name, e.Name, text(e.Doc))
		p.line("| value | Go | |\n|---|---|---|")
		for _, v := range e.Values {
			name := ""
			if v.Name != "" {
				name = "`" + e.Prefix + v.Name + "`"
			}
			p.line("| `%s` | %s | %s |", v.Value, name, text(v.Doc))
		}
		p.line("")
	}
}

// link returns the name of a type with a link to its explanation.
func (p *page) link(t *description.Type) string {
	var name string
	var area *description.Area
	switch {
	case t.Elem != nil:
		return string(t.Kind) + " of " + p.link(t.Elem)
	case t.Ref != nil:
		name, area = t.Ref.Name, t.Ref.Area
	case t.Enum != nil:
		name, area = t.Enum.Name, t.Enum.Area
	default:
		return t.String()
	}
	file := ""
	if area != p.area {
		file = area.File + ".md"
	}
	return fmt.Sprintf("[%s](%s#%s)", name, file, strings.ToLower(name))
}

// links resolves the links of doc comments, such as [models.Fee.IsDeleted].
type links struct{ document *description.Document }

var docLink = regexp.MustCompile(`\\\[\*?([A-Z]\w*(?:\.\w+)*|models(?:\.\w+)+)\]`)

// markdown returns a text with Markdown links: to a page of the reference if it
// explains the name, otherwise to the documentation of the package.
func (l links) markdown(doc string) string {
	return docLink.ReplaceAllStringFunc(text(doc), func(link string) string {
		name := docLink.FindStringSubmatch(link)[1]
		return "[" + name + "](" + l.target(name) + ")"
	})
}

func (l links) target(name string) string {
	first, second, _ := strings.Cut(name, ".")
	record, _, _ := strings.Cut(second, ".")
	for _, a := range l.document.Areas {
		if a.Name+"Service" == first {
			return strings.TrimSuffix(a.File+".md#"+strings.ToLower(a.Name+second), "#"+strings.ToLower(a.Name))
		}
		for _, s := range a.Schemas {
			if first == "models" && s.GoName == record {
				return a.File + ".md#" + strings.ToLower(s.Name)
			}
		}
	}
	if first == "models" {
		return documentation + "/models#" + second
	}
	return documentation + "#" + name
}

// documentation is the URL of the package's documentation.
const documentation = "https://pkg.go.dev/github.com/practicesdk/practice-go"

// text escapes Markdown.
func text(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "[", `\[`).Replace(s)
}

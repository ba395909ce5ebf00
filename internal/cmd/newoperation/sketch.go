package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// sketch is what the text is made of.
type sketch struct {
	*description.Operation
	Service    string // ActivityCodes
	Variable   string // activityCodesList
	Class      string // of package transport: Read
	NewService bool   // the client has no operation of the area yet
	IDs        []argument
	Options    string // type of the options; empty without
	Fields     []field
	Record     string // Go type of a record or an answer; empty when the answer is empty
	Body       string // Go type of the body; empty without
	Key        bool   // records have an id
	Imports    []string
}

// argument is a parameter of the path.
type argument struct {
	Name, Go string   // matterId, matterID
	Firm     string   // of practicetest.Firm: MatterID
	Siblings []string // literal segments in its place, in other operations
}

// field is a filter in the options.
type field struct{ Go, Type, Doc, Send string }

func newSketch(document *description.Document, o *description.Operation) *sketch {
	s := &sketch{
		Operation: o, Service: o.Area.Name, Variable: lower(o.Area.Name) + o.Method,
		Class: map[string]string{"read": "Read", "create": "Create", "idempotentWrite": "IdempotentWrite"}[o.Class],
	}
	s.NewService = !slices.ContainsFunc(o.Area.Operations, func(other *description.Operation) bool { return !other.Planned })
	for _, p := range o.PathParameters {
		firm := description.GoName(p.Name)
		if p.Name == "id" {
			firm = noun(o.ID) + "ID"
		}
		s.IDs = append(s.IDs, argument{p.Name, lower(description.GoName(p.Name)), firm, siblings(document, o, p.Name)})
	}
	if o.Answer != nil {
		s.Record = goType(o.Answer)
		s.Key = o.Answer.Ref != nil && o.Answer.Ref.Member("id") != nil
	}
	if o.Body != nil {
		s.Body = goType(o.Body.Type)
		if o.Body.List {
			s.Body = "[]" + s.Body
		}
	}
	s.options()
	s.imports()
	return s
}

// Paged reports whether the list has a walk.
func (s *sketch) Paged() bool {
	return s.Paging != nil && (s.Paging.Style == "offset" || s.Paging.Style == "links")
}

// All is the name of the method that walks.
func (s *sketch) All() string { return "All" + strings.TrimPrefix(s.Method, "List") }

// Subject is the comment: "List lists the activity codes."
func (s *sketch) Subject() string {
	text := s.Method + " " + lower(s.Doc)
	if s.Async {
		text += " The write is asynchronous: it may still fail, and only an error event says so."
	}
	return text
}

// Handler is the comment of the handler.
func (s *sketch) Handler() string { return s.ID + " " + lower(s.Summary) }

// noun is the operation id without its verb: ActivityCode of createActivityCode.
func noun(id string) string { return strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz") }

// siblings are the literal segments that stand in the place of a parameter.
func siblings(document *description.Document, o *description.Operation, name string) []string {
	segments := strings.Split(o.Path, "/")
	at := slices.Index(segments, "{"+name+"}")
	found := map[string]bool{}
	for _, area := range document.Areas {
		for _, other := range area.Operations {
			candidate := strings.Split(other.Path, "/")
			if len(candidate) <= at || other.Unusable || strings.HasPrefix(candidate[at], "{") {
				continue
			}
			if slices.EqualFunc(candidate[:at], segments[:at], sameSegment) {
				found[candidate[at]] = true
			}
		}
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func sameSegment(a, b string) bool {
	return a == b || strings.HasPrefix(a, "{") && strings.HasPrefix(b, "{")
}

// options are a type of their own when there are filters.
func (s *sketch) options() {
	if p := s.Paging; p != nil && len(p.Since) > 0 {
		filter := p.Since[0]
		for _, other := range p.Since {
			if filter.Deprecated || other.Kind == "time" && !other.Deprecated {
				filter = other
			}
		}
		send := fmt.Sprintf("c.ticks(%q, o.UpdatedSince)", filter.Name)
		if filter.Kind == "time" {
			send = fmt.Sprintf("c.instant(%q, o.UpdatedSince)", filter.Name)
		}
		s.Fields = append(s.Fields, field{"UpdatedSince", "time.Time", "lists what changed since then.", send})
	}
	for _, p := range s.Query {
		if !p.Deprecated {
			s.Fields = append(s.Fields, filter(p))
		}
	}
	switch {
	case len(s.Fields) > 0:
		s.Options = noun(s.ID) + "Options"
		if s.Paging != nil {
			s.Options = strings.TrimSuffix(strings.TrimPrefix(s.Record, "models."), "Info") + "ListOptions"
		}
	case s.Paged():
		s.Options = "ListOptions"
	}
}

// filter is the field of a query parameter, and the statement that sends it.
func filter(p *description.Parameter) field {
	f := field{Go: description.GoName(p.Name), Type: goType(p.Type), Doc: p.Doc}
	f.Go = strings.ToUpper(f.Go[:1]) + f.Go[1:]
	value := "o." + f.Go
	switch p.Type.Kind {
	case description.Boolean:
		f.Send = fmt.Sprintf("if %s {\nc.param(%q, \"true\")\n}", value, p.Name)
	case description.List:
		element := "value"
		if p.Type.Elem.Enum != nil {
			element = "string(value)"
		}
		f.Send = fmt.Sprintf("for _, value := range %s {\nc.addParam(%q, %s)\n}", value, p.Name, element)
	case description.Instant, description.LocalTime:
		f.Type, f.Send = "time.Time", fmt.Sprintf("c.utc(%q, %s)", p.Name, value)
	case description.EnumNumber:
		f.Type = "models.Opt[" + f.Type + "]"
		f.Send = fmt.Sprintf("if value, set := %s.Get(); set {\nc.param(%q, strconv.Itoa(int(value)))\n}", value, p.Name)
	case description.EnumText:
		f.Send = fmt.Sprintf("c.param(%q, string(%s))", p.Name, value)
	default:
		f.Send = fmt.Sprintf("c.param(%q, %s)", p.Name, value)
	}
	return f
}

func goType(t *description.Type) string {
	switch t.Kind {
	case description.Ref:
		return "models." + t.Ref.GoName
	case description.EnumText, description.EnumNumber:
		return "models." + t.Enum.Name
	case description.List:
		return "[]" + goType(t.Elem)
	case description.Text, description.UUID:
		return "string"
	case description.Boolean:
		return "bool"
	case description.Integer:
		return "int"
	default:
		return "models.Object"
	}
}

// imports are those that the file of a new service needs.
func (s *sketch) imports() {
	s.Imports = []string{"context"}
	if s.Paged() {
		s.Imports = append(s.Imports, "iter")
	} else {
		s.Imports = append(s.Imports, "net/http")
	}
	for _, f := range s.Fields {
		for name, path := range map[string]string{"time.": "time", "strconv.": "strconv"} {
			if strings.Contains(f.Type+f.Send, name) && !slices.Contains(s.Imports, path) {
				s.Imports = append(s.Imports, path)
			}
		}
	}
	slices.Sort(s.Imports)
}

func lower(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	return strings.ToLower(name[:1]) + name[1:]
}

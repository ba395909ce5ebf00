package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/idfield"
)

// sketch holds the data for the templates of the printed code.
type sketch struct {
	*description.Operation
	Service    string // such as ActivityCodes
	Variable   string // such as activityCodesList
	Class      string // class in package transport: Read
	NewService bool   // the client has no field for the area yet
	IDs        []argument
	Options    string // type of the options; empty if there are none
	Fields     []field
	Record     string    // Go type of the record in the response; Link if none is documented
	Body       string    // Go type of the body; empty if there is none
	Key        bool      // whether records have an id
	Comments   []string  // comments of the methods, in order
	Modify     *modify   // nil if the record cannot be modified
	Resource   *resource // resource to declare in the embedded service; nil if it is declared already or none fits
	Handled    bool      // the embedded service needs a handler
	Imports    []string
}

// modify describes the method that reads, changes and writes a record.
type modify struct{ Method, Get, Patch string }

// patchAt returns the method that sends only changes, or "" if there is none.
func patchAt(document *description.Document, path string) string {
	if patch := document.At("PATCH", path); patch != nil {
		return patch.Method
	}
	return ""
}

// resource is a declaration in the embedded service.
type resource struct{ Variable, Path, Relation, Event, Schema string }

// argument is a parameter of the path.
type argument struct {
	Name, Go string   // such as matterId and matterID
	Firm     string   // field of practicetest.Firm, such as MatterID
	Siblings []string // literal segments at its position in other paths, which it must not be
}

// field is a field of the options struct: a filter of the list.
type field struct{ Go, Type, Doc, Send string }

func newSketch(document *description.Document, service embedded, o *description.Operation) *sketch {
	s := &sketch{
		Operation: o, Service: o.Area.Name, Variable: lower(o.Area.Name) + o.Method,
		Class: map[string]string{"read": "Read", "create": "Create", "idempotentWrite": "IdempotentWrite"}[o.Class],
	}
	s.NewService = !slices.Contains(service.client, o.Area.File+".go")
	for _, comment := range document.Comments(o) {
		s.Comments = append(s.Comments, comment.Go(80))
		if comment.Method == o.ModifyMethod() && o.Body != nil && len(o.PathParameters) < 3 {
			s.Modify = &modify{comment.Method, document.At("GET", o.Path).Method, patchAt(document, o.Path)}
		}
	}
	for _, p := range o.PathParameters {
		s.IDs = append(s.IDs, argument{p.Name, lower(description.GoName(p.Name)), service.firmField(document, o.Path, p.Name), document.Neighbours(o, p.Name)})
	}
	s.Record = "models.Link"
	if o.Answer != nil {
		s.Record = goType(o.Answer)
		if o.Answer.Kind == description.Text && o.Paging == nil {
			s.Record = "models.Secret" // no other string type decodes itself
		}
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
	if !service.stores(o) {
		s.Resource = newResource(document, service, o)
		s.Handled = s.Resource == nil
	}
	return s
}

// newResource returns the resource of an operation on a list or on a record, or
// nil for any other operation.
func newResource(document *description.Document, service embedded, o *description.Operation) *resource {
	path, words := o.Path, strings.Split(o.Path, "/")
	last := words[len(words)-1]
	isRecord := strings.HasPrefix(last, "{")
	switch {
	case service.handles(o), o.Body != nil && o.Body.List, isRecord && o.HTTPMethod == "POST":
		return nil
	case isRecord:
		last = words[len(words)-2]
	case o.HTTPMethod != "GET" && o.HTTPMethod != "POST", o.HTTPMethod == "GET" && o.Paging == nil:
		return nil
	default:
		path = recordBelow(document, path, idfield.Singular(last)+"Id")
	}
	r := &resource{Variable: idfield.Singular(last), Path: path, Relation: strings.ToUpper(last[:1]) + last[1:]}
	if document.At("GET", path) == nil {
		if list := document.At("GET", o.Path); list != nil && list.Answer != nil && list.Answer.Ref != nil {
			r.Schema = list.Answer.Ref.Name
		}
	}
	for _, other := range o.Area.Operations {
		if len(other.Events) > 0 && (other.Path == path || other.Path == listOf(path)) {
			r.Event, _, _ = strings.Cut(other.Events[0], ".")
		}
	}
	return r
}

// OfMatter reports whether each matter has such records.
func (r *resource) OfMatter() bool { return strings.HasPrefix(r.Path, "/matters/{matterId}/") }

// HasRecords reports whether tests can add such records or read them back.
func (s *sketch) HasRecords() bool {
	return s.Key && s.HTTPMethod == "GET" || s.Body != "" && s.HTTPMethod == "POST"
}

// RecordName returns the name of a record in the embedded service, such as
// MemoReader.
func (s *sketch) RecordName() string {
	if s.HTTPMethod == "GET" {
		return strings.TrimPrefix(s.Record, "models.")
	}
	return noun(s.ID)
}

// recordBelow returns the path of a record of a list. If no operation uses that
// path, the name of its parameter is free to choose.
func recordBelow(document *description.Document, list, name string) string {
	for o := range document.Operations() {
		if listOf(o.Path) == list {
			return o.Path
		}
	}
	return list + "/{" + name + "}"
}

// Noun returns the words for the record that a write changes.
func (s *sketch) Noun() string { return lower(noun(s.ID)) }

// noun returns an operation id without its verb: ActivityCode for
// createActivityCode.
func noun(id string) string { return strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz") }

// Pages reports whether the caller chooses a page of the list.
func (s *sketch) Pages() bool { return s.Walks() && s.Paging.Style == "offset" }

// options adds the fields of the options type: change filters and parameters of
// the query.
func (s *sketch) options() {
	if p := s.Paging; p != nil && len(p.Since) > 0 {
		filter := p.Since[0]
		for _, other := range p.Since {
			if filter.Deprecated || other.Kind == "time" && !other.Deprecated {
				filter = other
			}
		}
		send := fmt.Sprintf("c.time(KindTicks, %q, o.UpdatedSince)", filter.Name)
		if filter.Kind == "time" {
			send = fmt.Sprintf("c.time(KindInstant, %q, o.UpdatedSince)", filter.Name)
		}
		s.Fields = append(s.Fields, field{"UpdatedSince", "time.Time", "lists what changed since then.", send})
	}
	for _, p := range s.Query {
		if !p.Deprecated {
			s.Fields = append(s.Fields, filter(p))
		}
	}
	if len(s.Fields) == 0 && (s.Paging == nil || s.Answer.Ref != nil && s.Answer.Ref.Kind == description.Page) {
		return
	}
	s.Options = optionsName(s.Operation)
	for _, other := range s.Area.Operations {
		if other != s.Operation && optionsName(other) == s.Options {
			s.Options = s.Service + s.Method + "Options"
		}
	}
}

// optionsName returns the name of the options type of an operation, unless
// another operation uses it.
func optionsName(o *description.Operation) string {
	if o.Paging != nil && o.Answer != nil && strings.HasPrefix(goType(o.Answer), "models.") {
		return strings.TrimSuffix(strings.TrimPrefix(goType(o.Answer), "models."), "Info") + "ListOptions"
	}
	return noun(o.ID) + "Options"
}

// filter returns the field for a query parameter, and the statement that sends
// it.
func filter(p *description.Parameter) field {
	f := field{Go: description.GoName(p.Name), Type: goType(p.Type), Doc: p.Doc}
	f.Go = strings.ToUpper(f.Go[:1]) + f.Go[1:]
	value := "o." + f.Go
	switch p.Type.Kind {
	case description.Boolean:
		f.Type = "models.Opt[bool]"
		f.Send = fmt.Sprintf("if value, set := %s.Get(); set {\nc.param(%q, strconv.FormatBool(value))\n}", value, p.Name)
	case description.List:
		element := "value"
		if p.Type.Elem.Enum != nil {
			element = "string(value)"
		}
		f.Send = fmt.Sprintf("for _, value := range %s {\nc.addParam(%q, %s)\n}", value, p.Name, element)
	case description.Instant, description.LocalTime:
		f.Type, f.Send = "time.Time", fmt.Sprintf("c.time(KindLocalTime, %q, %s)", p.Name, value)
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

// imports returns the imports of the file of the methods.
func (s *sketch) imports() {
	const module = "github.com/practicesdk/practice-go/"
	s.Imports = []string{"context"}
	if s.Walks() {
		s.Imports = append(s.Imports, "iter")
	} else {
		s.Imports = append(s.Imports, "net/http", module+"internal/transport")
	}
	if strings.Contains(s.Record+s.Body, "models.") || slices.ContainsFunc(s.Fields, func(f field) bool { return strings.Contains(f.Type, "models.") }) {
		s.Imports = append(s.Imports, module+"models")
	}
	for _, name := range []string{"strconv", "time"} {
		if slices.ContainsFunc(s.Fields, func(f field) bool { return strings.Contains(f.Type+f.Send, name+".") }) {
			s.Imports = append(s.Imports, name)
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

package main

import (
	"fmt"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// operationTable writes the table of the operations, for callers by name.
func operationTable(document *description.Document) (map[string][]byte, error) {
	w := &routeWriter{}
	w.line("package practice")
	w.line("")
	w.line("import (\n\"encoding/json\"\n\n\"github.com/practicesdk/practice-go/models\"\n)")
	w.line("")
	w.line("// operationTable holds every operation by area. It must not be modified.")
	w.line("var operationTable = [...]Operation{")
	for o := range document.Operations() {
		w.namedOperation(o)
	}
	w.line("}")
	w.identities(document)
	w.scopes(document)
	w.grants(document)
	source, err := w.source()
	return map[string][]byte{"zz_operations.go": source}, err
}

func (w *routeWriter) namedOperation(o *description.Operation) {
	w.line("{")
	w.line("ID: %q, GoMethod: %q, Method: %q, Path: %q,", o.ID, o.Area.Name+"."+o.Method, o.HTTPMethod, o.Path)
	w.line("Doc: %q,", o.Doc)
	w.line("Class: Operation%s,%s", strings.ToUpper(o.Class[:1])+o.Class[1:], operationFacts(o))
	if len(o.Events) > 0 {
		w.line("Events: %#v,", o.Events)
	}
	if regions := operationRegions(o); len(regions) > 0 {
		w.line("Regions: %#v,", regions)
	}
	if parameters := w.parameters(o); len(parameters) > 0 {
		w.line("Parameters: []Parameter{\n%s,\n},", strings.Join(parameters, ",\n"))
	}
	if o.Body != nil {
		w.line("Body: %q, BodyRequired: %t, newBody: %s,", w.goName(o, o.Body.Type, o.Body.List), o.Body.Required, w.constructor(o, o.Body.Type, o.Body.List))
	}
	if deletes := deletions(o); deletes != "" {
		w.line("deletes: []deletion{%s},", deletes)
	}
	if o.Sample != "" {
		w.line("Sample: %q,", o.Sample)
	}
	w.answerOf(o)
	w.line("},")
}

// deletions writes the members of the body that delete the record, with the
// value that does.
func deletions(o *description.Operation) string {
	var all []string
	if o.Body != nil && o.Body.Type.Ref != nil {
		for _, m := range o.Body.Type.Ref.Members {
			if m.Deletes != "" {
				all = append(all, fmt.Sprintf("{%q, %q}", m.Name, m.Deletes))
			}
		}
	}
	return strings.Join(all, ", ")
}

// operationFacts returns the members of an operation whose values are single
// words.
func operationFacts(o *description.Operation) string {
	var b strings.Builder
	if o.Walks() {
		fmt.Fprintf(&b, " GoAll: %q,", o.Area.Name+"."+o.WalkMethod())
	}
	if o.Scope != "" {
		fmt.Fprintf(&b, " Scope: %q,", o.Scope)
	}
	if o.Grant != nil {
		fmt.Fprintf(&b, " Grant: %q,", o.Grant.Needed())
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{
		{"Async", o.Async}, {"Money", o.Money}, {"Replaces", o.Replaces}, {"Deprecated", o.Deprecated},
	} {
		if flag.set {
			fmt.Fprintf(&b, " %s: true,", flag.name)
		}
	}
	for _, name := range o.Headers {
		fmt.Fprintf(&b, " Takes%s: true,", name)
	}
	if len(o.Headers) > 0 {
		fmt.Fprintf(&b, " headers: %#v,", o.Headers)
	}
	return b.String()
}

// operationRegions returns the countries that an operation is restricted to;
// nil means all.
func operationRegions(o *description.Operation) []string {
	if o.Body != nil && o.Body.Type.Ref != nil && len(o.Body.Type.Ref.Regions) > 0 {
		return o.Body.Type.Ref.Regions
	}
	if o.Answer != nil && o.Answer.Ref != nil {
		return o.Answer.Ref.Regions
	}
	return nil
}

// parameters writes the parameters of the path, of the query and of paging.
func (w *routeWriter) parameters(o *description.Operation) (all []string) {
	for _, p := range o.PathParameters {
		all = append(all, w.parameter(o, p, "InPath"))
	}
	for _, p := range o.Query {
		all = append(all, w.parameter(o, p, "InQuery"))
	}
	if o.Paging == nil {
		return all
	}
	changed := description.Parameter{Doc: "lists what changed at or after a time."}
	for _, since := range o.Paging.Since {
		changed.Name, changed.Deprecated = since.Name, since.Deprecated
		changed.Type = &description.Type{Kind: description.Instant}
		if strings.HasPrefix(since.Kind, "ticks") {
			changed.Type = &description.Type{Kind: description.Ticks}
		}
		all = append(all, w.parameter(o, &changed, "InQuery"))
	}
	number := &description.Type{Kind: description.Integer, Bits: 32}
	for _, position := range []description.Parameter{
		{Name: o.Paging.Offset, Doc: "is the position of the first record, from 0.", Type: number},
		{Name: o.Paging.Limit, Doc: "is the number of records of a page, 1 to 500.", Type: number},
		{Name: o.Paging.Cursor, Doc: "is the cursor of an earlier answer, to go on from.", Type: &description.Type{Kind: description.Text}},
	} {
		if position.Name != "" {
			all = append(all, w.parameter(o, &position, "InQuery"))
		}
	}
	return all
}

func (w *routeWriter) parameter(o *description.Operation, p *description.Parameter, in string) string {
	t, repeated := p.Type, false
	if t.Kind == description.List {
		t, repeated = t.Elem, true
	}
	kind, known := parameterKinds[t.Kind]
	if !known {
		w.fail("%s: the parameter %s has the type %s, which is not supported for arguments", o.ID, p.Name, t)
	}
	text := fmt.Sprintf("{Name: %q, In: %s, Kind: %s, Doc: %q", p.Name, in, kind, sentence(p.Name, p.Doc))
	if repeated {
		text += ", Repeated: true"
	}
	text = strings.TrimSuffix(withFlags(text+"}", p.Required || in == "InPath", false), "}")
	text = strings.Replace(text, ", required: true", ", Required: true", 1)
	if p.Deprecated {
		text += ", Deprecated: true"
	}
	if t.Enum != nil {
		text += fmt.Sprintf(", Values: %#v", allowed(t.Enum, p.Rules))
	}
	return text + "}"
}

// parameterKinds maps the kinds of the description to the kinds of parameters.
var parameterKinds = map[description.Kind]string{
	description.Text: "KindText", description.UUID: "KindText", description.EnumText: "KindText",
	description.Integer: "KindInteger", description.EnumNumber: "KindInteger", description.Boolean: "KindBoolean",
	description.Instant: "KindInstant", description.Ticks: "KindTicks", description.Day: "KindDate",
	description.LocalTime: "KindLocalTime", description.DayOrInstant: "KindInstant",
}

func (w *routeWriter) answerOf(o *description.Operation) {
	if o.Answer == nil {
		return
	}
	if o.Media != "" {
		w.line("Media: %q,", o.Media)
		return
	}
	form := "AnswerRecord"
	if p := o.Paging; p != nil {
		form = "AnswerList"
		if p.Style == "offset" || p.Style == "links" {
			form = "AnswerPages"
		}
	}
	identity := ""
	if text := o.IdentityText(); text != "" {
		identity = fmt.Sprintf(" Identity: %#v,", strings.Fields(text))
	}
	w.line("Answer: %q, AnswerForm: %s,%s newAnswer: %s,", w.goName(o, o.Answer, false), form, identity, w.constructor(o, o.Answer, false))
}

// goName returns the Go name of a type as used in a program.
func (w *routeWriter) goName(o *description.Operation, t *description.Type, list bool) string {
	found, err := typeOf(t)
	if err != nil {
		w.fail("%s: %v", o.ID, err)
	}
	name := found.name
	if found.shape != shapeText && found.shape != shapeInteger && found.shape != shapeBoolean && !strings.Contains(name, ".") {
		bare := strings.TrimLeft(name, "[]")
		if bare != "string" {
			name = strings.TrimSuffix(name, bare) + "models." + bare
		}
	}
	if list {
		name = "[]" + name
	}
	return name
}

// constructor returns the source of a function that returns a pointer to a new
// value of the type.
func (w *routeWriter) constructor(o *description.Operation, t *description.Type, list bool) string {
	return "func() any { return new(" + w.goName(o, t, list) + ") }"
}

package main

import (
	"bytes"
	"fmt"
	"go/format"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// routes writes the operations for the embedded service: paths, parameters,
// rules of bodies, and records of responses.
func routes(document *description.Document) (map[string][]byte, error) {
	w := &routeWriter{sent: true}
	w.line("package practicetest")
	w.line("")
	w.line("// operations holds the operations of the interface by area.")
	w.line("var operations = []operation{")
	for o := range document.Operations() {
		w.operation(o.Area.Name+"."+o.Method, o)
	}
	w.line("}")
	w.line("")
	w.line("// schemas holds the schemas of the objects in request bodies, by name.")
	w.line("var schemas = map[string]schema{")
	for _, s := range description.Reach(bodies(document)...) {
		w.schema(s)
	}
	w.line("}")
	w.rules(document)
	operations, err := w.source()
	if err != nil {
		return nil, err
	}
	records, err := answers(document)
	return map[string][]byte{"zz_routes.go": operations, "zz_records.go": records}, err
}

// source returns the formatted file without its header.
func (w *routeWriter) source() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	text, err := format.Source(w.text.Bytes())
	return append([]byte("\n"), text...), err
}

// routeWriter writes the file.
type routeWriter struct {
	text bytes.Buffer
	sent bool // the schema belongs to a request
	err  error
}

func (w *routeWriter) line(text string, args ...any) {
	fmt.Fprintf(&w.text, text+"\n", args...)
}

func (w *routeWriter) operation(called string, o *description.Operation) {
	w.line("{")
	w.line("id: %q, called: %q, method: %q, path: %q,%s", o.ID, called, o.HTTPMethod, o.Path, routeFacts(o))
	var path []string
	for _, p := range o.PathParameters {
		path = append(path, w.value(p.Name, p.Type, p.Rules, o.ID))
	}
	w.values("inPath", path)
	w.values("query", w.query(o))
	if o.Body != nil {
		kind := o.Body.Type
		if o.Body.List {
			kind = &description.Type{Kind: description.List, Elem: kind}
		}
		w.line("body: &value%s,", withFlags(w.value("", kind, description.Rules{}, o.ID), o.Body.Required, false))
	}
	w.line("},")
}

// values writes a list, on one line if it fits.
func (w *routeWriter) values(name string, all []string) {
	line := strings.Join(all, ", ")
	switch {
	case len(all) == 0:
	case len(line) < 90:
		w.line("%s: []value{%s},", name, line)
	default:
		w.line("%s: []value{\n%s,\n},", name, strings.Join(all, ",\n"))
	}
}

// routeFacts returns the members of an operation whose values are single words.
func routeFacts(o *description.Operation) string {
	var b strings.Builder
	fmt.Fprintf(&b, " status: %d,", o.Status)
	if o.Scope != "" {
		fmt.Fprintf(&b, " scope: %q,", o.Scope)
	}
	if g := o.Grant; g != nil {
		fmt.Fprintf(&b, " grant: &grantNeeded{needs: %q, refusal: %d", g.Needs, g.Refusal)
		if g.Parameter != "" {
			fmt.Fprintf(&b, ", parameter: %q, value: %q", g.Parameter, g.Value)
		}
		b.WriteString("},")
	}
	if o.SystemAccount {
		b.WriteString(" systemAccount: true,")
	}
	if o.Answer != nil && o.Answer.Ref != nil {
		fmt.Fprintf(&b, " answer: %q,", o.Answer.Ref.Name)
	}
	if o.Late {
		b.WriteString(" late: true,")
	}
	if bare := withoutBody(o.Errors); len(bare) > 0 {
		fmt.Fprintf(&b, " bare: []int{%s},", strings.Join(bare, ", "))
	}
	if p := o.Paging; p != nil && p.Style == "none" {
		fmt.Fprintf(&b, "\npaging: paging{shape: %q},", p.Shape)
	} else if p != nil {
		fmt.Fprintf(&b, "\npaging: paging{style: %q, shape: %q", p.Style, p.Shape)
		for _, named := range [][2]string{{"offset", p.Offset}, {"limit", p.Limit}, {"cursor", p.Cursor}} {
			if named[1] != "" {
				fmt.Fprintf(&b, ", %s: %q", named[0], named[1])
			}
		}
		if p.SinceExclusive {
			b.WriteString(", oneSince: true")
		}
		b.WriteString("},")
	}
	return b.String()
}

// withoutBody returns the statuses of refusals without a body.
func withoutBody(refusals []description.Error) (statuses []string) {
	for _, refusal := range refusals {
		if refusal.NoBody {
			statuses = append(statuses, strconv.Itoa(refusal.Status))
		}
	}
	return statuses
}

// query writes the parameters of the query, including change filters but not
// those of paging.
func (w *routeWriter) query(o *description.Operation) (all []string) {
	for _, p := range o.Query {
		all = append(all, pointing(withFlags(w.value(p.Name, p.Type, p.Rules, o.ID), p.Required, false), p.Target))
	}
	if o.Paging == nil {
		return all
	}
	for _, since := range o.Paging.Since {
		switch since.Kind {
		case "ticks":
			all = append(all, fmt.Sprintf("{name: %q, kind: kindTicks}", since.Name))
		case "time":
			all = append(all, fmt.Sprintf("{name: %q, kind: kindInstant, anyZone: true}", since.Name))
		case "ticks or time":
			all = append(all, fmt.Sprintf("{name: %q, kind: kindTicksOrLocalTime}", since.Name))
		default:
			w.fail("%s: the change filter %s has the unknown kind %q", o.ID, since.Name, since.Kind)
		}
	}
	return all
}

func withFlags(value string, required, nullable bool) string {
	value = strings.TrimSuffix(value, "}")
	if required {
		value += ", required: true"
	}
	if nullable {
		value += ", nullable: true"
	}
	return value + "}"
}

// schema writes the members of an object of a request.
func (w *routeWriter) schema(s *description.Schema) {
	w.line("%q: {", s.Name)
	for _, m := range s.Members {
		w.line("%s,", pointing(withFlags(w.value(m.Name, m.Type, m.Rules, s.Name), m.Required, m.Nullable), m.Target))
	}
	w.line("},")
}

// rules writes the rules of bodies, keyed by the name of the schema.
func (w *routeWriter) rules(document *description.Document) {
	w.line("")
	w.line("// rules holds the rules about several members of a body, by its name.")
	w.line("var rules = map[string][]rule{")
	for _, area := range document.Areas {
		for _, s := range area.Schemas {
			if len(s.Rules) == 0 {
				continue
			}
			w.line("%q: {", s.Name)
			for _, r := range s.Rules {
				values := ""
				if r.Values != nil {
					values = fmt.Sprintf(", values: %#v", r.Values)
				}
				w.line("{kind: %q, members: %#v%s},", r.Kind, r.Members, values)
			}
			w.line("},")
		}
	}
	w.line("}")
}

// pointing adds the kind of records that a value refers to, if any.
func pointing(value, target string) string {
	if target == "" {
		return value
	}
	return strings.TrimSuffix(value, "}") + fmt.Sprintf(", to: %q}", target)
}

// value writes a parameter, a member or an element as a composite literal
// without its type.
func (w *routeWriter) value(name string, t *description.Type, r description.Rules, of string) string {
	var parts []string
	if name != "" {
		parts = append(parts, fmt.Sprintf("name: %q", name))
	}
	kind, known := kinds[t.Kind]
	if !known {
		w.fail("%s: %s has the type %s, which the embedded service does not support", of, name, t)
	}
	parts = append(parts, "kind: "+kind)
	for _, bound := range []struct {
		name string
		n    *int
	}{{"shortest", r.MinLength}, {"longest", r.MaxLength}, {"longest", r.MaxItems}} {
		if bound.n != nil && *bound.n != 0 {
			parts = append(parts, bound.name+": "+strconv.Itoa(*bound.n))
		}
	}
	parts = append(parts, limits(t, r)...)
	switch {
	case t.Enum == nil:
	case !t.Enum.Open || r.Closed:
		parts = append(parts, fmt.Sprintf("oneOf: %#v", allowed(t.Enum, r)))
	case w.sent && !t.Enum.Free:
		parts = append(parts, fmt.Sprintf("known: %#v", allowed(t.Enum, r)))
	}
	for _, one := range []struct {
		name string
		on   bool
	}{{"anyZone: true", r.AnyZone}, {fmt.Sprintf("form: %q", r.Pattern), r.Pattern != "" && (t.Kind == description.Text || t.Kind == description.EnumText)}} {
		if one.on {
			parts = append(parts, one.name)
		}
	}
	if t.Elem != nil {
		parts = append(parts, "elem: &value"+w.value("", t.Elem, description.Rules{Pattern: r.Pattern, Only: r.Only, Closed: r.Closed}, of))
	}
	if t.Ref != nil {
		parts = append(parts, fmt.Sprintf("object: %q", t.Ref.Name))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// limits writes the limits of a number.
func limits(t *description.Type, r description.Rules) (parts []string) {
	least, most := r.Minimum, r.Maximum
	if t.Kind == description.Integer && t.Bits == 32 {
		if least == nil {
			least = new("-2147483648")
		}
		if most == nil {
			most = new("2147483647")
		}
	}
	if least != nil {
		parts = append(parts, fmt.Sprintf("least: %q", *least))
	}
	if most != nil {
		parts = append(parts, fmt.Sprintf("most: %q", *most))
	}
	return parts
}

// allowed returns the values of an enumeration that a rule allows.
func allowed(enum *description.Enum, r description.Rules) []string {
	if len(r.Only) > 0 {
		return r.Only
	}
	var all []string
	for _, v := range enum.Values {
		all = append(all, v.Value)
	}
	return all
}

func (w *routeWriter) fail(text string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(text, args...)
	}
}

// kinds maps the kinds of values to those of the embedded service.
var kinds = map[description.Kind]string{
	description.Text: "kindText", description.UUID: "kindUUID", description.Integer: "kindInteger",
	description.Decimal: "kindDecimal", description.Boolean: "kindBoolean", description.Instant: "kindInstant",
	description.Day: "kindDay", description.DayOrInstant: "kindDayOrInstant", description.LocalTime: "kindLocalTime",
	description.Ticks: "kindTicks", description.Object: "kindObject", description.ObjectOrList: "kindAny",
	description.TextOrInteger: "kindTextOrInteger", description.Any: "kindAny", description.List: "kindList",
	description.Map: "kindMap", description.Ref: "kindObject", description.EnumText: "kindText", description.EnumNumber: "kindInteger",
}

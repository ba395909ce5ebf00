package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/practicesdk/practice-go/internal/description"
)

// conversions writes the conversions of records to bodies, for Modify. The
// description must mark the members that cannot be converted.
func conversions(document *description.Document) (map[string][]byte, error) {
	w := &routeWriter{}
	w.line("package conversion")
	all, problems := document.Conversions()
	if len(problems) > 0 {
		return nil, errors.New(strings.Join(problems, "\n"))
	}
	w.line("")
	w.line("// Of returns the table of a Modify method, such as \"Fees.Modify\", or nil if there")
	w.line("// is no such method.")
	w.line("func Of(method string) *Table {")
	w.line("switch method {")
	for _, c := range all {
		w.line("case %q:\nreturn &%s", c.Operation.Area.Name+"."+c.Operation.ModifyMethod(), conversionName(c))
	}
	w.line("}\nreturn nil\n}")
	written := map[string]bool{}
	for _, c := range all {
		conversion(w, c, written)
	}
	source, err := w.source()
	return map[string][]byte{"zz_tables.go": source}, err
}

func conversionName(c *description.Conversion) string {
	letters := []rune(c.Body.GoName)
	letters[0] = unicode.ToLower(letters[0])
	return string(letters) + "From"
}

func conversion(w *routeWriter, c *description.Conversion, written map[string]bool) {
	name := conversionName(c)
	if written[name] {
		return
	}
	written[name] = true
	w.line("")
	w.line("%s", description.GoComment(fmt.Sprintf("%s converts models.%s to models.%s, member by member. It must not be modified.", name, c.Record.GoName, c.Body.GoName), 80))
	w.line("var %s = Table{", name)
	for _, m := range c.Members {
		switch {
		case m.Fate == description.Unreadable && m.Clears:
			w.line("{to: %q, form: %q, values: \"null\"},", m.Name, m.Fate)
		case m.Fate == description.Unreadable:
			w.line("{to: %q, form: %q},", m.Name, m.Fate)
		case m.Fate != description.Kept:
		case m.Of != nil:
			w.line("{to: %q, from: %q, form: %q, of: &%s},", m.Name, m.From.Name, m.Form, conversionName(m.Of))
		case m.Form == description.ByName:
			w.line("{to: %q, from: %q, form: %q, values: %q},", m.Name, m.From.Name, m.Form, byName(m))
		case m.Form == description.Behind:
			w.line("{to: %q, from: %q, form: %q, values: %q},", m.Name, m.From.Name, m.Form, m.With.Name)
		case m.Form == description.IDOf && m.Target != "":
			w.line("{to: %q, from: %q, form: %q, values: %q},", m.Name, m.From.Name, m.Form, m.Target)
		default:
			w.line("{to: %q, from: %q, form: %q},", m.Name, m.From.Name, m.Form)
		}
	}
	if c.Record.Kind != description.Page { // the members of a page besides its records are not part of the state
		w.line("{form: \"beside\", values: %q},", strings.Join(c.Beside(), " "))
	}
	w.line("}")
	for _, m := range c.Members {
		if m.Of != nil {
			conversion(w, m.Of, written)
		}
	}
}

// byName returns the pairs of values with the same name in two enumerations:
// "Members=0 Managers=1".
func byName(m description.Converted) string {
	var pairs []string
	for _, from := range m.From.Type.Enum.Values {
		to := m.Type.Enum.Values
		if i := slices.IndexFunc(to, func(v description.EnumValue) bool { return v.Name == from.Name }); i >= 0 {
			pairs = append(pairs, fmt.Sprintf("%s=%s", from.Value, to[i].Value))
		}
	}
	return strings.Join(pairs, " ")
}

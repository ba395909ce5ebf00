package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/practicesdk/practice-go/internal/description"
)

// render writes a record with its methods.
func (g *generator) render(b *bytes.Buffer, r *record) {
	b.WriteByte('\n')
	comment(b, inGo(r.schema, sentence(r.name, r.schema.Doc))+onlyIn(r.schema.Regions))
	fmt.Fprintf(b, "type %s struct {\n", r.name)
	if r.hypermedia {
		fmt.Fprintln(b, hypermedia)
	}
	if r.page != nil {
		fmt.Fprintf(b, "// ID identifies the page; usually empty.\nID string `json:\"id\"`\n")
		renderField(b, *r.page)
		fmt.Fprintln(b, "Paging")
	}
	for _, f := range r.fields {
		renderField(b, f)
	}
	if !r.body {
		fmt.Fprintf(b, "// Extra holds members that have no field here.\nExtra Extra `json:\"-\"`\n")
	}
	fmt.Fprintln(b, "}")
	if r.prefixed {
		g.renderPrefixed(b, r)
	}
	if r.hot {
		g.renderHot(b, r)
	}
	if !r.hot || r.body { // the table of a body contains its rules
		g.renderTable(b, r)
	}
	renderPlain(b, r)
	if r.personal {
		renderLogged(b, r)
	}
}

// renderLogged writes the method that logs a record without personal data.
func renderLogged(b *bytes.Buffer, r *record) {
	fmt.Fprintf(b, "\n// LogValue returns the non-zero members as a group, without personal data.\n")
	fmt.Fprintf(b, "func (x %s) LogValue() slog.Value { return logged(x", r.name)
	for _, f := range r.fields {
		if f.personal {
			fmt.Fprintf(b, ", %q", f.name)
		}
	}
	fmt.Fprintf(b, ") }\n")
}

func renderField(b *bytes.Buffer, f field) {
	comment(b, f.doc)
	fmt.Fprintf(b, "%s %s `json:%q`\n", f.name, f.typ.name, f.tag)
}

// renderPlain writes the methods for encoding/json.
func renderPlain(b *bytes.Buffer, r *record) {
	fmt.Fprintf(b, "\n// UnmarshalJSON reads the members; null and {} set the zero value.\n")
	fmt.Fprintf(b, "func (x *%s) UnmarshalJSON(data []byte) error { return unmarshal(data, x) }\n", r.name)
	fmt.Fprintln(b)
	if r.body {
		comment(b, "MarshalJSON writes the members that are to be sent, with secrets redacted.")
	} else {
		comment(b, "MarshalJSON writes the non-zero members, then those of Extra, with secrets redacted.")
	}
	fmt.Fprintf(b, "func (x %s) MarshalJSON() ([]byte, error) { return marshal(&x) }\n", r.name)
}

// lower returns a name with its first letter in lower case.
func lower(name string) string {
	letters := []rune(name)
	letters[0] = unicode.ToLower(letters[0])
	return string(letters)
}

// renderNames writes the list of the names of the members.
func renderNames(b *bytes.Buffer, r *record) {
	for _, f := range r.wire() {
		fmt.Fprintf(b, "%q,\n", f.json)
	}
	if r.relation() {
		fmt.Fprintf(b, "\"rel\",\n")
	}
}

// renderEnum writes an enumeration with its constants. Values without a
// published meaning have no constant.
func (g *generator) renderEnum(b *bytes.Buffer, e *description.Enum) {
	kind, reader, write := "string", "Text", "w.Text(b, string(*x))"
	if e.Number {
		kind, reader, write = "int", "Int", "strconv.AppendInt(b, int64(*x), 10)"
	}
	doc := sentence(e.Name, e.Doc)
	doc += unnamed(e)
	if !strings.Contains(doc, "set is open") {
		doc += " The set is open: unknown values are kept as they came."
	}
	b.WriteByte('\n')
	comment(b, strings.TrimPrefix(doc, " "))
	fmt.Fprintf(b, "type %s %s\n", e.Name, kind)
	var constants bytes.Buffer
	for _, v := range e.Values {
		if v.Name == "" {
			continue
		}
		text := v.Value
		if !e.Number {
			text = fmt.Sprintf("%q", v.Value)
		}
		fmt.Fprintf(&constants, "%s%s %s = %s", e.Prefix, v.Name, e.Name, text)
		if v.Doc != "" {
			fmt.Fprintf(&constants, " // %s", v.Doc)
		}
		constants.WriteByte('\n')
	}
	if constants.Len() > 0 {
		fmt.Fprintf(b, "\n// The known values of %s.\nconst (\n%s)\n", e.Name, constants.Bytes())
	}
	if g.fields(e) {
		fmt.Fprintf(b, "\nfunc (x *%s) read(r *codec.Reader) error { return codec.%s(x, r) }\n", e.Name, reader)
		fmt.Fprintf(b, "\nfunc (x *%s) write(b []byte, w *codec.Writer) []byte { return %s }\n", e.Name, write)
	}
}

// noMeaning describes a number of which nothing is known.
const noMeaning = "meaning not published"

// unnamed returns a sentence on the probable meanings of numbers without a
// published one, or "" if there are none.
func unnamed(e *description.Enum) string {
	var all []string
	for _, v := range e.Values {
		if v.Name == "" && v.Doc != noMeaning {
			all = append(all, v.Value+" is "+v.Doc)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " " + ended(strings.Join(all, ", "))
}

// fields reports whether an enumeration is an element of a list or of an Opt in
// a record with a table. Then a pointer to it needs methods for reading.
// Elsewhere it is read as a string or int.
func (g *generator) fields(e *description.Enum) bool {
	for _, r := range g.records {
		for _, f := range r.wire() {
			t := f.typ
			for t.elem != nil {
				if t = *t.elem; t.enum == e {
					return true
				}
			}
		}
	}
	return false
}

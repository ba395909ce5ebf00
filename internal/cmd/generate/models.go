package main

import (
	"bytes"
	"fmt"
	"go/format"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// hypermedia is the struct of the link members.
const hypermedia = "Hypermedia"

// generator writes the models.
type generator struct {
	document *description.Document
	// patched holds the bodies, and the parts of bodies, whose omitted members
	// remain unchanged.
	patched map[*description.Schema]bool
	records map[*description.Schema]*record
}

// models writes the records, bodies and enumerations.
func models(document *description.Document) (map[string][]byte, error) {
	g := &generator{
		document: document,
		patched:  make(map[*description.Schema]bool), records: make(map[*description.Schema]*record),
	}
	for o := range document.Operations() {
		if o.HTTPMethod == "PATCH" && o.Body != nil {
			for _, s := range description.Reach(o.Body.Type) {
				g.patched[s] = s.Kind == description.BodySchema
			}
		}
	}
	return g.files()
}

// byHand lists the schemas whose types are written by hand, because the
// description cannot express how they are read.
func byHand(s *description.Schema) bool { return s.GoName == "Problem" }

// eventTypes is the enumeration whose constants are hand-written, because they
// have the payload types of the events.
const eventTypes = "EventType"

// files returns the text of each file by its name.
func (g *generator) files() (map[string][]byte, error) {
	for _, a := range g.document.Areas {
		for _, s := range a.Schemas {
			if byHand(s) {
				continue
			}
			if s.Like != nil && s.Like.GoName == s.GoName {
				if err := twin(s); err != nil {
					return nil, err
				}
				continue
			}
			r, err := g.record(s)
			if err != nil {
				return nil, err
			}
			g.records[s] = r
		}
	}
	if err := g.checkEndless(); err != nil {
		return nil, err
	}
	g.findPrefixed()
	g.findPersonal()
	files := make(map[string][]byte)
	for _, a := range g.document.Areas {
		text, err := g.file(a)
		if err != nil {
			return nil, err
		}
		if text != nil {
			files["zz_"+a.File+".go"] = text
		}
	}
	var err error
	if files["zz_tables_test.go"], err = g.tablesOfHot(); err != nil {
		return nil, err
	}
	files["zz_records_test.go"], err = g.recordTypes()
	return files, err
}

// recordTypes writes the list of generated types for tests that iterate over
// them.
func (g *generator) recordTypes() ([]byte, error) {
	var names []string
	for _, r := range g.records {
		names = append(names, r.name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	fmt.Fprint(&b, "package models_test\n\nimport \"github.com/practicesdk/practice-go/models\"\n\n")
	fmt.Fprint(&b, "// generatedTypes returns a new zero value of every generated record and body.\n")
	fmt.Fprint(&b, "func generatedTypes() []record {\nreturn []record{\n")
	for _, name := range slices.Compact(names) {
		fmt.Fprintf(&b, "&models.%s{},\n", name)
	}
	fmt.Fprint(&b, "}\n}\n")
	text, err := format.Source(b.Bytes())
	return slices.Concat([]byte{'\n'}, text), err
}

// checkEndless returns an error for records that contain themselves outside of
// a list, which would be infinitely large.
func (g *generator) checkEndless() error {
	for _, r := range g.records {
		if r.holds(g, r.schema, make(map[*record]bool)) {
			return fmt.Errorf("%s: %s contains itself, which is not possible in Go", r.schema.Pos, r.name)
		}
	}
	return nil
}

// holds reports whether a record contains a field of that type, directly or in
// nested records.
func (r *record) holds(g *generator, s *description.Schema, seen map[*record]bool) bool {
	if r == nil || seen[r] {
		return false
	}
	seen[r] = true
	return slices.ContainsFunc(r.fields, func(f field) bool {
		t := f.typ
		if t.shape == shapeOption {
			t = *t.elem
		}
		return t.shape == shapeRecord && (t.schema == s || g.records[t.schema].holds(g, s, seen))
	})
}

// twin returns an error unless two schemas can share one Go type, as the
// description states.
func twin(s *description.Schema) error {
	for _, m := range s.Members {
		if other := s.Like.Member(m.Name); other == nil || other.Type.String() != m.Type.String() {
			return fmt.Errorf("%s: %s and %s have the same Go name %s but differ in the member %s", s.Pos, s.Like.Name, s.Name, s.GoName, m.Name)
		}
	}
	return nil
}

// file returns the text of the file of an area, or nil if it would be empty.
func (g *generator) file(a *description.Area) ([]byte, error) {
	var b bytes.Buffer
	for _, e := range a.Enums {
		if e.Name != eventTypes {
			g.renderEnum(&b, e)
		}
	}
	for _, s := range a.Schemas {
		if r := g.records[s]; r != nil {
			g.render(&b, r)
		}
	}
	if b.Len() == 0 {
		return nil, nil
	}
	return source(&b)
}

// tablesOfHot writes tables for the records with generated code, for tests that
// compare both.
func (g *generator) tablesOfHot() ([]byte, error) {
	var b, all bytes.Buffer
	for _, a := range g.document.Areas {
		for _, s := range a.Schemas {
			if r := g.records[s]; r != nil && r.hot && !needsCode(s) {
				twin := *r
				twin.name = "tabled" + r.name
				fmt.Fprintf(&b, "\ntype %s %s\n", twin.name, r.name)
				g.renderTable(&b, &twin)
				fmt.Fprintf(&all, "func(text []byte) comparison { return compare((*%s).asTabled, text) },\n", r.name)
				fmt.Fprintf(&b, "\nfunc (x *%s) asTabled() tabled { return (*%s)(x) }\n", r.name, twin.name)
			}
		}
	}
	fmt.Fprintf(&b, "\nvar comparisons = []func(text []byte) comparison{\n%s}\n", all.Bytes())
	return source(&b)
}

// source returns the formatted source of a file of the package.
func source(b *bytes.Buffer) ([]byte, error) {
	var imports []string
	for _, name := range []string{
		"encoding/json", "log/slog", "strconv", "github.com/practicesdk/practice-go/internal/codec",
	} {
		if bytes.Contains(b.Bytes(), []byte(path.Base(name)+".")) {
			imports = append(imports, strconv.Quote(name))
		}
	}
	head := "package models\n"
	if len(imports) > 0 {
		head += "\nimport (\n" + strings.Join(imports, "\n\n") + "\n)\n"
	}
	text, err := format.Source(append([]byte(head), b.Bytes()...))
	if err != nil {
		return nil, fmt.Errorf("the generated code is not valid Go: %w", err)
	}
	return slices.Concat([]byte{'\n'}, text), nil
}

// findPrefixed marks the records that contain members with the vendor's prefix,
// directly or nested.
func (g *generator) findPrefixed() {
	for changed := true; changed; {
		changed = false
		for _, r := range g.records {
			if !r.prefixed && (r.after() || slices.ContainsFunc(r.fields, g.holdsPrefixed)) {
				r.prefixed, changed = true, true
			}
		}
	}
}

// findPersonal marks the records that contain personal data, directly or
// nested.
func (g *generator) findPersonal() {
	for changed := true; changed; {
		changed = false
		for _, r := range g.records {
			if !r.personal && (slices.ContainsFunc(r.fields, g.holdsPersonal) || r.page != nil && g.holdsPersonal(*r.page)) {
				r.personal, changed = true, true
			}
		}
	}
}

func (g *generator) holdsPersonal(f field) bool {
	t := f.typ
	for t.elem != nil {
		t = *t.elem
	}
	return f.personal || t.shape == shapeRecord && g.records[t.schema] != nil && g.records[t.schema].personal
}

func (g *generator) holdsPrefixed(f field) bool {
	t := f.typ
	if t.shape == shapeList {
		t = *t.elem
	}
	return t.shape == shapeRecord && g.records[t.schema] != nil && g.records[t.schema].prefixed
}

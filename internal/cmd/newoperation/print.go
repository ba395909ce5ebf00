package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"io"
	"strings"
	"text/template"

	"github.com/practicesdk/practice-go/internal/description"
)

//go:embed sketch.tmpl
var templates string

// part is code to be pasted into a file.
type part struct{ name, file, what, text string }

// parts returns the non-empty parts of the sketch, with formatted declarations.
func (s *sketch) parts() ([]part, error) {
	all, err := template.New("").Funcs(template.FuncMap{"comment": comment, "lower": lower, "own": func(path string) bool { return strings.HasPrefix(path, "github.com/") }}).Parse(templates)
	if err != nil {
		return nil, err
	}
	service := "practicetest/" + s.Area.File + ".go"
	var parts []part
	for _, p := range []part{
		{"client", "client.go", "a new service", ""},
		{"method", s.Area.File + ".go", "descriptor and methods; imports: " + strings.Join(s.Imports, ", "), ""},
		{"row", "internal/operations", "a row with a good body, in the file of the area", ""},
		{"resource", service, "the embedded service keeps such records", ""},
		{"records", service, "tests add such records and read them back", ""},
		{"handler", service, "the embedded service performs it", ""},
		{"test", s.Area.File + "_test.go", "what it returns, and each rule of its own that refuses it; more test files of the area: internal/acceptance", ""},
	} {
		var text bytes.Buffer
		if err := all.ExecuteTemplate(&text, p.name, s); err != nil {
			return nil, err
		}
		source := bytes.Trim(text.Bytes(), "\n")
		if p.name == "method" || p.name == "records" || p.name == "handler" || p.name == "test" || p.name == "resource" && s.NewService {
			if source, err = format.Source(source); err != nil {
				return nil, fmt.Errorf("%s: %w\n%s", p.name, err, text.Bytes())
			}
		}
		if p.text = string(bytes.TrimRight(source, "\n")); p.text != "" {
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// print writes the parts, each with the name of its file.
func (s *sketch) print(w io.Writer) error {
	parts, err := s.parts()
	if err != nil {
		return err
	}
	for _, p := range parts {
		if _, err := fmt.Fprintf(w, "== %s: %s\n\n%s\n\n", p.file, p.what, p.text); err != nil {
			return err
		}
	}
	return nil
}

// comment returns a text as a Go comment.
func comment(text string) string { return description.GoComment(text, 80) }

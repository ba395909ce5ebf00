package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"io"
	"strings"
	"text/template"
)

//go:embed sketch.tmpl
var templates string

// print writes the parts with the files that they belong into. Parts that are Go
// declarations are formatted.
func (s *sketch) print(w io.Writer) error {
	all, err := template.New("").Funcs(template.FuncMap{"comment": comment}).Parse(templates)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name, file, what string
		source           bool
	}{
		{"description", "api/" + s.Area.File + ".yaml", "the operation is offered from now on; then run: go generate ./...", false},
		{"client", "client.go", "a new service", false},
		{"method", s.Area.File + ".go", "descriptor and method", true},
		{"row", "internal/operations", "a row with a good call, in the file of the area", false},
		{"handler", "practicetest/" + s.Area.File + ".go", "the embedded service", false},
		{"test", s.Area.File + "_test.go", "what it returns and what is refused", true},
	} {
		var text bytes.Buffer
		if err := all.ExecuteTemplate(&text, part.name, s); err != nil {
			return err
		}
		source := bytes.TrimRight(bytes.TrimLeft(text.Bytes(), "\n"), "\n")
		if len(source) == 0 {
			continue
		}
		if part.source {
			if source, err = format.Source(source); err != nil {
				return fmt.Errorf("%s: %w\n%s", part.name, err, text.Bytes())
			}
		}
		if _, err := fmt.Fprintf(w, "== %s: %s\n\n%s\n\n", part.file, part.what, bytes.TrimRight(source, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// comment breaks sentences into the lines of a comment.
func comment(text string) string {
	var b strings.Builder
	width := 0
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, "`", "")) {
		if width == 0 || width+1+len(word) > 80 {
			if width > 0 {
				b.WriteString("\n")
			}
			b.WriteString("//")
			width = 2
		}
		b.WriteString(" " + word)
		width += 1 + len(word)
	}
	return b.String()
}

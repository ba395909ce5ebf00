package main

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// place is a file that an operation needs a text in.
type place struct {
	files  string // pattern below the module
	texts  []string
	remedy string
}

// check prints every place in which an operation is missing. It reads texts
// only, and fails if it prints a place.
func check(w io.Writer, root fs.FS, document *description.Document, o *description.Operation) error {
	service, err := readEmbedded(root)
	if err != nil {
		return err
	}
	missing := 0
	for _, p := range places(document, o, service) {
		found, err := holds(root, p)
		if err != nil {
			return err
		}
		if !found {
			missing++
			if _, err := fmt.Fprintf(w, "%s: has no %s\n\t%s\n", strings.Fields(p.files)[0], strings.TrimSpace(p.texts[0]), p.remedy); err != nil {
				return err
			}
		}
	}
	if missing > 0 {
		return fmt.Errorf("%s is missing in %d places", o.ID, missing)
	}
	return nil
}

// places returns what the tests demand of an operation.
func places(document *description.Document, o *description.Operation, performer embedded) []place {
	service, paste := o.Area.Name, "paste what go run ./internal/cmd/newoperation "+o.ID+" prints, and edit it"
	file := o.Area.File + ".go " + o.Area.File + "_*.go"
	all := []place{
		{"internal/operations/testdata/published.txt", []string{"\n" + o.HTTPMethod + " " + o.Path + " " + o.ID}, "copy the line from the published document: method, path, id, names of the query parameters"},
		{"client.go", []string{"\t" + service + " ", "c." + service + " = "}, "add the service to Client and to attachServices"},
		{file, []string{`"` + service + "." + o.Method + `"`, `"` + o.Path + `"`}, paste},
		{file, []string{"func (s *" + service + "Service) " + o.Method + "("}, paste},
		{o.Area.File + "_test.go [a-y]*_test.go internal/acceptance/*_test.go", []string{"." + service + "." + o.Method + "("}, "test what it returns, and each rule that only the service knows"},
	}
	if o.Body != nil && o.Body.Required {
		all = append(all, place{"internal/operations/*.go", []string{`"` + o.ID + `"`}, "add a row with a good body: " + paste})
	}
	if o.Assistants == "" {
		all = append(all, place{"api/" + o.Area.File + ".yaml", []string{"decision on " + o.ID + " for assistants"}, "add assistants: allowed, or the reason why not, to the operation: api/README.md"})
	}
	if (o.Class == "create") != (o.HTTPMethod == "POST") {
		all = append(all, place{"docs/retries.md", []string{"`" + service + "." + o.Method + "`"}, "add the method to what is created, or to what is repeated"})
	}
	if o.Paging == nil || !o.Walks() {
		all[2].texts = all[2].texts[:1]
	}
	if !performer.handles(o) && !performer.stores(o) {
		all = append(all, place{"practicetest/" + o.Area.File + ".go", []string{`"` + o.ID + `":`}, "declare the resource, or write a handler: CONTRIBUTING.md, \"How to add an area to the embedded service\""})
	}
	all = append(all, ids(document, o, performer)...)
	function := strings.ToLower(service[:1]) + service[1:]
	all = append(all, place{"practicetest/areas.go", []string{function + "(", function + "Area("}, "add the function of practicetest/" + o.Area.File + ".go that returns the area"})
	all = append(all, members(document, o)...)
	if o.Copied != nil && o.Answer.Inner().Ref.Kind == description.Record {
		all = append(all, place{"replica/testdata/members.txt", []string{"\n" + o.Answer.Inner().Ref.GoName + " "}, "mark the members in api/ that are personal or free text, run .ci/generate, and add the lines that go test ./replica prints"})
	}
	for _, file := range []string{"zz_operations.go", "practicetest/zz_routes.go", "api/openapi.yaml", "cmd/practice/internal/assistant/zz_decisions.go", "docs/reference/" + o.Area.File + ".md"} {
		all = append(all, place{file, []string{o.ID}, "run .ci/generate"})
	}
	return all
}

// ids returns the ids of the embedded service that a call of an operation names.
// A test sends the id of another firm for the first one.
func ids(document *description.Document, o *description.Operation, performer embedded) (all []place) {
	for i, p := range o.PathParameters {
		field := performer.firmField(document, o.Path, p.Name)
		for _, name := range []string{field, "OtherFirm" + field}[:2-min(i, 1)] {
			all = append(all, place{"practicetest/firm.go", []string{"\t" + name + " "}, "add the id of a seeded record, and set it in practicetest/seed.go (describe)"})
		}
	}
	return all
}

// members returns the lines and the samples of the objects of an operation.
func members(document *description.Document, o *description.Operation) (all []place) {
	for _, s := range description.Reach(o.Types()...) {
		if len(s.Members) > 0 {
			samples := []string{"api/samples/uncovered.txt"}
			for other := range document.Operations() {
				if slices.Contains(description.Reach(other.Types()...), s) {
					samples = append(samples, "api/samples/*/"+other.ID+".*", "models/testdata/*/"+other.ID+".*")
				}
			}
			all = append(all, place{strings.Join(samples, " "), []string{"\n" + s.Name + ".", "{"}, "add a body from the published document to api/samples, or a line for each member and why no sample has it"})
			all = append(all, place{"internal/operations/testdata/published_members.txt internal/operations/published_test.go", []string{"\n" + s.Name + ": ", `"` + s.Name + `":`}, "copy the names of its members from the published document"})
		}
	}
	return all
}

// holds reports whether a file of the place has one of its texts.
func holds(root fs.FS, p place) (bool, error) {
	for pattern := range strings.FieldsSeq(p.files) {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			return false, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(root, name)
			if err != nil {
				return false, err
			}
			for _, wanted := range p.texts {
				if strings.Contains("\n"+string(text), wanted) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// Command generate writes the files that are generated from the description of
// the API, api/*.yaml. Arguments select the files; without arguments it
// writes all of them. go generate runs it.
//
//	go run ./internal/cmd/generate [models|openapi|routes|members|client|conversions|kinds|assistants]
//
// It fails for a description that it does not understand, and removes only
// files with its own header.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/practicesdk/practice-go/internal/cmd/generated"
	"github.com/practicesdk/practice-go/internal/description"
)

const program = generated.Program("generate")

func main() {
	root, err := generated.Root()
	if err == nil {
		err = run(root, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// output is one kind of file that follows from the description.
type output struct {
	name string // argument that selects it
	// dir and pattern match all files of the output, relative to the root of
	// the module.
	dir, pattern string
	// write returns the text of each file by its name, without the header.
	write func(*description.Document) (map[string][]byte, error)
}

// outputs returns all kinds of files, in the order in which they are written.
func outputs() []output {
	return []output{
		{name: "models", dir: "models", pattern: "zz_*.go", write: models},
		{name: "openapi", dir: "api", pattern: description.Joined, write: openapi},
		{name: "routes", dir: "practicetest", pattern: "zz_*.go", write: routes},
		{name: "members", dir: "internal/members", pattern: "zz_*.go", write: members},
		{name: "client", dir: ".", pattern: "zz_*.go", write: operationTable},
		{name: "conversions", dir: "internal/conversion", pattern: "zz_*.go", write: conversions},
		{name: "kinds", dir: "replica", pattern: "zz_*.go", write: copiedKinds},
		{name: "assistants", dir: "cmd/practice/internal/assistant", pattern: "zz_*.go", write: decisions},
	}
}

// run writes the named outputs, or all outputs.
func run(root string, names []string) error {
	document, err := description.Load(os.DirFS(filepath.Join(root, "api")))
	if err != nil {
		return err
	}
	known := outputs()
	for _, name := range names {
		if !slices.ContainsFunc(known, func(o output) bool { return o.name == name }) {
			return fmt.Errorf("%q is not the name of a generated file", name)
		}
	}
	for _, o := range known {
		if len(names) > 0 && !slices.Contains(names, o.name) {
			continue
		}
		files, err := o.write(document)
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		if err := program.Replace(filepath.Join(root, o.dir), o.pattern, files); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	return nil
}

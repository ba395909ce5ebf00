package examples_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
)

// checker type-checks sources that are not packages on disk, against the export
// data that the go command builds for their imports.
type checker struct {
	files    *token.FileSet
	importer types.Importer
}

// newChecker builds the packages with the given import paths, and their
// dependencies.
func newChecker(paths []string) (*checker, error) {
	list := exec.Command("go", append([]string{"list", "-deps", "-export", "-json=ImportPath,Export"}, paths...)...)
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := list.Start(); err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for decoder := json.NewDecoder(out); ; {
		var built struct{ ImportPath, Export string }
		if err = decoder.Decode(&built); err != nil {
			break
		}
		exports[built.ImportPath] = built.Export
	}
	if !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, list.Wait())
	}
	if err := list.Wait(); err != nil {
		return nil, err
	}
	c := &checker{files: token.NewFileSet()}
	c.importer = importer.ForCompiler(c.files, "gc", func(path string) (io.ReadCloser, error) {
		file := exports[path]
		if file == "" {
			return nil, fmt.Errorf("%s was not built", path)
		}
		return os.Open(file)
	})
	return c, nil
}

// source is the Go text of one package.
type source struct {
	path  string            // import path
	texts map[string]string // by the name for errors
}

// imports returns the paths that sources import.
func imports(sources []source) ([]string, error) {
	found := map[string]bool{}
	for _, s := range sources {
		for name, text := range s.texts {
			file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
			if err != nil {
				return nil, err
			}
			for _, spec := range file.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return nil, err
				}
				found[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// check returns the objects that a source uses, or all its errors.
func (c *checker) check(s source) (map[*ast.Ident]types.Object, error) {
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(s.texts)) {
		file, err := parser.ParseFile(c.files, name, s.texts[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	var wrong []error
	config := types.Config{Importer: c.importer, Error: func(err error) { wrong = append(wrong, err) }}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	_, err := config.Check(s.path, c.files, files, info)
	if len(wrong) > 0 {
		err = errors.Join(wrong...)
	}
	return info.Uses, err
}

package main

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
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

const (
	module = "github.com/practicesdk/practice-go"
	root   = "../../.."
)

// TestWhatIsPrintedForAnyOperationCompiles replaces the sources of all
// operations at the same time by what newoperation prints, and compiles the
// result.
func TestWhatIsPrintedForAnyOperationCompiles(t *testing.T) {
	t.Parallel()
	document, err := description.Load(os.DirFS(root + "/api"))
	require.NoError(t, err)
	service, err := readEmbedded(os.DirFS(root))
	require.NoError(t, err)
	p := &pasted{t: t, files: token.NewFileSet(), packages: map[string]*types.Package{}, printed: map[string][]*ast.File{}, listed: listed(t)}
	p.compiled = importer.ForCompiler(p.files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(p.listed[path].Export) })
	rows, resources, count := "", "", 0
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			count++
			s := newSketch(document, service, o)
			parts, err := s.parts()
			require.NoError(t, err, o.ID)
			for _, part := range parts {
				switch part.name {
				case "method":
					p.paste(module, o.ID, "practice", part.text, s.Imports...)
				case "handler":
					p.paste(module+"/practicetest", o.ID, "practicetest", part.text+"\nvar _ = handlers{\""+o.ID+"\": (*Server)."+o.ID+"}")
				case "test":
					imports := []string{"testing", "github.com/stretchr/testify/require", module, module + "/internal/testkit", module + "/practicetest"}
					if o.Answer != nil {
						imports = append(imports, "github.com/stretchr/testify/assert")
					}
					if strings.Contains(part.text, "models.") {
						imports = append(imports, module+"/models")
					}
					p.paste("test", o.ID, "practice_test", part.text, imports...)
				case "row":
					rows += part.text
				case "records":
					p.paste(module+"/practicetest", o.ID, "practicetest", part.text, module+"/models")
				case "resource":
					resources += part.text + "\n\t_ = " + s.Resource.Variable
				}
			}
		}
	}
	require.Positive(t, count)
	p.paste(module+"/practicetest", "resources", "practicetest", "func _() {"+resources+"\n}")
	p.paste(module+"/internal/operations", "rows", "operations", "func _(Firm) rows { return rows{"+rows+"\n} }", module, module+"/models")

	_, err = p.Import(module + "/internal/operations")
	require.NoError(t, err)
	p.check("test", nil)
	assert.Empty(t, p.faults)
}

// pasted type-checks packages with printed sources in place of their own.
type pasted struct {
	t        *testing.T
	files    *token.FileSet
	packages map[string]*types.Package
	printed  map[string][]*ast.File
	listed   map[string]listedPackage
	compiled types.Importer // importer for packages that depend on no replaced source
	faults   []string
}

// paste replaces declarations of a package by a printed source.
func (p *pasted) paste(into, operation, name, source string, imports ...string) {
	p.t.Helper()
	if !strings.HasPrefix(source, "package ") {
		head := "package " + name + "\n"
		for _, path := range imports {
			head += fmt.Sprintf("import %q\n", path)
		}
		source = head + source
	}
	file, err := parser.ParseFile(p.files, "printed/"+operation+".go", source, parser.SkipObjectResolution)
	require.NoError(p.t, err, source)
	p.printed[into] = append(p.printed[into], file)
}

// Import returns the compiled package or, if it depends on replaced sources,
// type-checks it.
func (p *pasted) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if known := p.packages[path]; known != nil {
		return known, nil
	}
	of, found := p.listed[path]
	if !found {
		return nil, fmt.Errorf("no package %s", path)
	}
	if path == module || slices.Contains(of.Deps, module) {
		return p.check(path, of.sources(p)), nil
	}
	imported, err := p.compiled.Import(path)
	p.packages[path] = imported
	return imported, err
}

// check type-checks a package with its printed sources, and records errors in
// the latter.
func (p *pasted) check(path string, own []*ast.File) *types.Package {
	printed := p.printed[path]
	names := map[string]bool{}
	for _, file := range printed {
		for _, declaration := range file.Decls {
			for _, name := range declared(declaration) {
				names[name] = true
			}
		}
	}
	for _, file := range own {
		file.Decls = slices.DeleteFunc(file.Decls, func(declaration ast.Decl) bool { return replaced(declaration, names) })
	}
	config := types.Config{Importer: p, Error: func(err error) {
		if fault, ok := errors.AsType[types.Error](err); ok && strings.HasPrefix(p.files.Position(fault.Pos).Filename, "printed/") {
			p.faults = append(p.faults, fmt.Sprintf("%s: %s", p.files.Position(fault.Pos), fault.Msg))
		}
	}}
	checked, _ := config.Check(path, p.files, append(own, printed...), nil) // all errors were recorded above
	p.packages[path] = checked
	return checked
}

// replaced removes the names from a declaration, and reports whether nothing is
// left of it.
func replaced(declaration ast.Decl, names map[string]bool) bool {
	general, ok := declaration.(*ast.GenDecl)
	if !ok {
		return names[declared(declaration)[0]]
	}
	general.Specs = slices.DeleteFunc(general.Specs, func(spec ast.Spec) bool {
		found := declared(&ast.GenDecl{Specs: []ast.Spec{spec}})
		return len(found) > 0 && names[found[0]]
	})
	return len(general.Specs) == 0
}

// declared returns the names that a declaration declares; a method includes its
// type.
func declared(declaration ast.Decl) (names []string) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			of := d.Recv.List[0].Type
			if pointer, ok := of.(*ast.StarExpr); ok {
				of = pointer.X
			}
			name = types.ExprString(of) + "." + name
		}
		names = append(names, name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				names = append(names, spec.Names[0].Name)
			}
		}
	}
	return names
}

// listedPackage holds the output of go list for a package.
type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles, Deps           []string
}

func (of listedPackage) sources(p *pasted) (files []*ast.File) {
	for _, name := range of.GoFiles {
		file, err := parser.ParseFile(p.files, filepath.Join(of.Dir, name), nil, parser.SkipObjectResolution)
		require.NoError(p.t, err)
		files = append(files, file)
	}
	return files
}

// listed returns the compiled packages that printed sources depend on.
func listed(t *testing.T) map[string]listedPackage {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-buildvcs=false", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Deps",
		"./internal/operations", "./internal/testkit", "github.com/stretchr/testify/assert", "github.com/stretchr/testify/require")
	command.Dir, command.Stderr = root, os.Stderr
	output, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	found := map[string]listedPackage{}
	for decoder := json.NewDecoder(output); decoder.More(); {
		var one listedPackage
		require.NoError(t, decoder.Decode(&one))
		found[one.ImportPath] = one
	}
	require.NoError(t, command.Wait())
	return found
}

package house_test

import (
	"bytes"
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
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxCircle limits the number of root files that all depend on each other,
// except through client.go's list of services. It only shrinks.
const maxCircle = 6

// arrow is a reference from one file to a declaration in another.
type arrow struct{ from, to string }

func TestTheCircleOfTheRootOnlyShrinks(t *testing.T) {
	t.Parallel()
	arrows := arrowsOf(t, "../..")
	require.NotEmpty(t, arrows)
	graph := map[string][]string{}
	for a, names := range arrows {
		graph[a.from] = append(graph[a.from], a.to)
		t.Log(a.from, "->", a.to, names)
	}
	largest := append(circles(graph), nil)[0]
	t.Logf("%d arrows; the largest circle: %d files %v", len(arrows), len(largest), largest)
	assert.LessOrEqual(t, len(largest), maxCircle, "files that need each other: %v", largest)
}

func TestTheCirclesOfAGraphAreFound(t *testing.T) {
	t.Parallel()
	graph := map[string][]string{"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
	assert.Equal(t, [][]string{{"a", "b", "c"}, {"d", "e"}}, circles(graph))
	assert.Empty(t, circles(map[string][]string{"a": {"b", "c"}, "b": {"c"}}))
}

// arrowsOf returns the references between the files of the package in dir, each
// with the names involved. It omits client.go's references to the services,
// because every area needs the client and the client must list all areas.
func arrowsOf(t *testing.T, dir string) map[arrow][]string {
	t.Helper()
	fset := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	imports := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
		for _, spec := range file.Imports {
			imports[strings.Trim(spec.Path.Value, `"`)] = true
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", exportData(t, slices.Collect(maps.Keys(imports))))}
	pkg, err := config.Check("practice", fset, files, info)
	require.NoError(t, err)
	arrows := map[arrow][]string{}
	for ident, object := range info.Uses {
		if object.Pkg() != pkg {
			continue
		}
		a := arrow{baseName(fset, ident.Pos()), baseName(fset, object.Pos())}
		listed := a.from == "client.go" && strings.HasSuffix(ident.Name, "Service")
		if a.from != a.to && !listed && !slices.Contains(arrows[a], ident.Name) {
			arrows[a] = append(arrows[a], ident.Name)
		}
	}
	return arrows
}

func baseName(fset *token.FileSet, pos token.Pos) string {
	return filepath.Base(fset.Position(pos).Filename)
}

// exportData returns a lookup function for the export data of packages and
// everything that they import.
func exportData(t *testing.T, packages []string) func(path string) (io.ReadCloser, error) {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, packages...)
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	require.NoError(t, err)
	exports := map[string]string{}
	for line := range bytes.Lines(out) {
		path, file, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		exports[path] = file
	}
	return func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	}
}

// circles returns the strongly connected components of more than one file,
// largest first (Tarjan's algorithm).
func circles(graph map[string][]string) [][]string {
	var (
		found [][]string
		stack []string
		index = map[string]int{}
		low   = map[string]int{}
		open  = map[string]bool{}
		visit func(file string)
	)
	visit = func(file string) {
		index[file] = len(index) + 1
		low[file] = index[file]
		stack = append(stack, file)
		open[file] = true
		for _, next := range graph[file] {
			if index[next] == 0 {
				visit(next)
				low[file] = min(low[file], low[next])
			} else if open[next] {
				low[file] = min(low[file], index[next])
			}
		}
		if low[file] != index[file] {
			return
		}
		at := slices.Index(stack, file)
		if circle := slices.Sorted(slices.Values(stack[at:])); len(circle) > 1 {
			found = append(found, circle)
		}
		for _, left := range stack[at:] {
			open[left] = false
		}
		stack = stack[:at]
	}
	for file := range graph {
		if index[file] == 0 {
			visit(file)
		}
	}
	slices.SortFunc(found, func(a, b []string) int { return len(b) - len(a) })
	return found
}

package practicetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFiveOperationsCostAtMostTwentyLines counts the lines that declare an
// area, without those of its seed, and the operations that they implement.
func TestFiveOperationsCostAtMostTwentyLines(t *testing.T) {
	t.Parallel()
	lines, declared := linesOfAreas(t), 0
	for _, a := range areas() {
		if len(a.handlers) > 0 {
			continue // it has operations with handlers of their own
		}
		performed := len(newCatalog([]area{a}).handlers)
		t.Logf("%s: %d lines, %d operations", a.name, lines[a.name], performed)
		require.Positive(t, lines[a.name], a.name)
		assert.LessOrEqual(t, lines[a.name], max(20, 20*performed/5), "%s: %d operations", a.name, performed)
		if performed >= 5 {
			declared++
		}
	}
	assert.GreaterOrEqual(t, declared, 4, "areas of five operations or more that are only declared")
}

// linesOfAreas returns the number of lines of each function that returns an
// area, by the name of the area.
func linesOfAreas(t *testing.T) map[string]int {
	files := token.NewFileSet()
	packages, err := parser.ParseDir(files, ".", nil, parser.SkipObjectResolution) //nolint:staticcheck // nothing needs types here
	require.NoError(t, err)
	lines := map[string]int{}
	for _, file := range packages["practicetest"].Files {
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Type.Results == nil || len(f.Type.Results.List) != 1 {
				continue
			}
			if result, named := f.Type.Results.List[0].Type.(*ast.Ident); named && result.Name == "area" {
				name, n := declaration(files, f)
				lines[name] = n
			}
		}
	}
	return lines
}

// declaration returns the name of the area that a function returns, and the
// number of its lines without the seed.
func declaration(files *token.FileSet, f *ast.FuncDecl) (name string, lines int) {
	height := func(n ast.Node) int { return files.Position(n.End()).Line - files.Position(n.Pos()).Line }
	lines = height(f) + 1
	ast.Inspect(f, func(n ast.Node) bool {
		whole, is := n.(*ast.CompositeLit)
		if !is {
			return true
		}
		if of, named := whole.Type.(*ast.Ident); !named || of.Name != "area" {
			return true
		}
		for _, element := range whole.Elts {
			pair := element.(*ast.KeyValueExpr)
			switch value := pair.Value.(type) {
			case *ast.BasicLit:
				name, _ = strconv.Unquote(value.Value)
			case *ast.FuncLit: // the function seed or below
				lines -= height(value)
			}
		}
		return false
	})
	return name, lines
}

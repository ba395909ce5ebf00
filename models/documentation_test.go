package models_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryExportedNameIsDocumented(t *testing.T) {
	t.Parallel()
	documented := 0
	for _, file := range packageFiles(t) {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.IsExported() {
					documented++
					assert.NotEmpty(t, decl.Doc.Text(), decl.Name.Name)
				}
			case *ast.GenDecl:
				documented += checkSpecs(t, decl)
			}
		}
	}
	assert.Greater(t, documented, 500)
}

// checkSpecs checks the comments of types, fields, constants and variables, and
// returns the number of exported names.
func checkSpecs(t *testing.T, decl *ast.GenDecl) int {
	t.Helper()
	n := 0
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if !spec.Name.IsExported() {
				continue
			}
			n++
			assert.NotEmpty(t, decl.Doc.Text()+spec.Doc.Text(), spec.Name.Name)
			if body, ok := spec.Type.(*ast.StructType); ok {
				n += checkFields(t, spec.Name.Name, body)
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() {
					n++
					assert.NotEmpty(t, decl.Doc.Text()+spec.Doc.Text()+spec.Comment.Text(), name.Name)
				}
			}
		}
	}
	return n
}

// checkFields checks that the comment of each field describes its value.
func checkFields(t *testing.T, of string, body *ast.StructType) int {
	t.Helper()
	n := 0
	for _, field := range body.Fields.List {
		for _, name := range field.Names {
			if !name.IsExported() {
				continue
			}
			n++
			doc := strings.Join(strings.Fields(field.Doc.Text()), " ")
			assert.True(t, strings.HasPrefix(doc, name.Name+" "), "%s.%s: a comment begins with the name", of, name.Name)
		}
	}
	return n
}

func TestModelsKnowNothingOfHTTP(t *testing.T) {
	t.Parallel()
	for _, name := range goFiles(t) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			assert.NotEqual(t, "net/http", path, name)
			if strings.HasPrefix(path, "github.com/practicesdk/") {
				assert.Equal(t, "github.com/practicesdk/practice-go/internal/codec", path, name)
			}
		}
	}
}

// goFiles returns the files of the package without tests.
func goFiles(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			names = append(names, name)
		}
	}
	require.NotEmpty(t, names)
	return names
}

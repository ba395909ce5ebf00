package models_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

// record has the methods that are generated for every record and request body.
type record interface {
	json.Unmarshaler
	json.Marshaler
}

// recordTypes returns a new zero value of every record and request body of the
// package.
func recordTypes() []record {
	return append(generatedTypes(), &models.Collection[models.CalendarEvent]{}, &models.Problem{})
}

// bareName returns the name of the type that a pointer points to, without type
// arguments.
func bareName(v any) string {
	name, _, _ := strings.Cut(reflect.TypeOf(v).Elem().Name(), "[")
	return name
}

// sameKind returns a new zero value of the type of v.
func sameKind(v record) record {
	return reflect.New(reflect.TypeOf(v).Elem()).Interface().(record)
}

// TestRecordTypesAreComplete checks that recordTypes contains every generated
// struct and every other struct with an Extra field.
func TestRecordTypesAreComplete(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, file := range packageFiles(t) {
		for _, spec := range structsOf(file) {
			fields := spec.Type.(*ast.StructType).Fields.List
			if ast.IsGenerated(file) || hasExtra(fields) {
				want = append(want, spec.Name.Name)
			}
		}
	}
	for _, v := range recordTypes() {
		got = append(got, bareName(v))
	}
	slices.Sort(want)
	slices.Sort(got)
	assert.Equal(t, want, got)
}

func hasExtra(fields []*ast.Field) bool {
	if len(fields) == 0 {
		return false
	}
	last := fields[len(fields)-1]
	return len(last.Names) == 1 && last.Names[0].Name == "Extra"
}

// packageFiles parses the files of the package.
func packageFiles(t *testing.T) []*ast.File {
	t.Helper()
	files := make([]*ast.File, 0, 50)
	for _, name := range goFiles(t) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	return files
}

func structsOf(file *ast.File) []*ast.TypeSpec {
	var specs []*ast.TypeSpec
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if _, ok := spec.Type.(*ast.StructType); ok {
				specs = append(specs, spec)
			}
		}
		return true
	})
	return specs
}

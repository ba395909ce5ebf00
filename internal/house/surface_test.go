package house_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
)

// libraryPackages lists the directories of the packages that programs import.
var libraryPackages = []string{".", "auth", "csvfile", "mirror", "models", "once", "once/oncesql", "requestid", "webhook", "webhook/fetch", "webhook/subscribe", "webhook/webhooktest", "practicetest"}

// sourcesOf returns the parsed files of a package without tests, by path.
func sourcesOf(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	sources := map[string]*ast.File{}
	for _, name := range filesLike(t, dir+"/*.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), name, readText(t, name), parser.ParseComments)
		require.NoError(t, err)
		sources[name] = source
	}
	require.NotEmpty(t, sources, dir)
	return sources
}

// receiverOf returns the name of the type that a method belongs to.
func receiverOf(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	of := function.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// services returns the type of each area's service, by field name.
func services() map[string]reflect.Type {
	areas := map[string]reflect.Type{}
	for field := range reflect.TypeFor[practice.Client]().Fields() {
		if field.IsExported() {
			areas[field.Name] = field.Type
		}
	}
	return areas
}

// TestEveryMethodTakesAContextFirstAndOptionsLast prevents a method that a user
// cannot cancel, or give a header.
func TestEveryMethodTakesAContextFirstAndOptionsLast(t *testing.T) {
	t.Parallel()
	methods := map[string]bool{}
	for area, of := range services() {
		for method := range of.Methods() {
			name, kind := area+"."+method.Name, method.Type
			methods[name] = true
			assert.Equal(t, reflect.TypeFor[context.Context](), kind.In(1), name)
			assert.True(t, kind.IsVariadic(), name)
			assert.Equal(t, reflect.TypeFor[[]practice.CallOption](), kind.In(kind.NumIn()-1), name)
		}
	}
	for _, op := range operations.All() {
		assert.True(t, methods[op.Name], "%s was not looked at", op.Name)
	}
}

// TestEveryExportedNameIsDocumentedByItself prevents names that go doc lists
// without a word.
func TestEveryExportedNameIsDocumentedByItself(t *testing.T) {
	t.Parallel()
	options := 0
	for _, dir := range libraryPackages {
		for file, source := range sourcesOf(t, dir) {
			for _, declaration := range source.Decls {
				function, ok := declaration.(*ast.FuncDecl)
				if !ok {
					checkDocumented(t, file, declaration)
					continue
				}
				if !function.Name.IsExported() || function.Recv != nil && !ast.IsExported(receiverOf(function)) {
					continue
				}
				name := function.Name.Name
				assert.True(t, strings.HasPrefix(function.Doc.Text(), name+" "), "%s: the comment of %s begins with its name", file, name)
				if strings.HasPrefix(name, "With") {
					options++
				}
			}
		}
	}
	assert.Greater(t, options, 60, "every option is a function with a comment of its own")
}

// checkDocumented checks that the types, constants and variables of a
// declaration have comments.
func checkDocumented(t *testing.T, file string, declaration ast.Decl) {
	t.Helper()
	group, ok := declaration.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range group.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				assert.NotEmpty(t, group.Doc.Text()+spec.Doc.Text(), "%s: %s", file, spec.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() {
					assert.NotEmpty(t, group.Doc.Text()+spec.Doc.Text()+spec.Comment.Text(), "%s: %s", file, name.Name)
				}
			}
		}
	}
}

// TestDeprecatedNamesSayWhatToUse checks that the comment of a deprecated name
// contains the replacement, and a go:fix directive where a tool can apply it.
func TestDeprecatedNamesSayWhatToUse(t *testing.T) {
	t.Parallel()
	deprecated := 0
	for _, dir := range libraryPackages {
		for file, source := range sourcesOf(t, dir) {
			for _, comment := range source.Comments {
				if _, text, ok := strings.Cut(comment.Text(), "Deprecated: "); ok {
					deprecated++
					assert.Regexp(t, `(?i)\buse [A-Z]`, withoutSpace(text), file)
				}
			}
			for _, declaration := range source.Decls {
				function, ok := declaration.(*ast.FuncDecl)
				// a deprecated operation needs a different call, which a tool
				// cannot substitute
				if ok && strings.Contains(function.Doc.Text(), "Deprecated: ") && !strings.Contains(function.Doc.Text(), "\n  - API: ") {
					assert.Contains(t, directivesOf(function.Doc), "//go:fix inline", "%s: %s", file, function.Name.Name)
				}
			}
		}
	}
	assert.Positive(t, deprecated, "the service has announced to remove one")
}

func directivesOf(doc *ast.CommentGroup) []string {
	var directives []string
	for _, line := range doc.List {
		directives = append(directives, line.Text)
	}
	return directives
}

// TestEveryServiceOfAClientIsMade prevents a nil pointer on the first call of a
// service that attachServices forgot.
func TestEveryServiceOfAClientIsMade(t *testing.T) {
	t.Parallel()
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials())
	require.NoError(t, err)
	for field, value := range reflect.ValueOf(client).Elem().Fields() {
		if strings.HasSuffix(field.Type.String(), "Service") {
			assert.False(t, value.IsNil(), "client.go: attachServices does not make %s", field.Name)
		}
	}
}

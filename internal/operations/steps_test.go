package operations_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// The tests of this file report a missing step of adding an operation, with the
// file to change. CONTRIBUTING.md lists the steps.

const (
	root     = "../.."
	registry = "internal/operations"
)

// fileOf returns the area's file in a folder.
func fileOf(folder string, area *description.Area, suffix string) string {
	return filepath.ToSlash(filepath.Join(folder, area.File+suffix))
}

// areaOf returns the area of an operation's service.
func areaOf(document *description.Document, op operations.Operation) *description.Area {
	for _, area := range document.Areas {
		if area.Name == op.Area() {
			return area
		}
	}
	return &description.Area{Name: op.Area(), File: strings.ToLower(op.Area())}
}

func TestEveryOperationIsAMethodAndEveryRowAnOperation(t *testing.T) {
	t.Parallel()
	rows := operations.AreaOf()
	for as := range described(t).Operations() {
		op, known := operations.ByID(as.ID)
		delete(rows, as.ID)
		holds(t, known, "zz_operations.go: has no %s\nrun .ci/generate", as.ID)
		holds(t, !known || op.Method() != nil, "%s: no method %s for %s\ngo run ./internal/cmd/newoperation %s prints it; a new service is a field of Client in client.go",
			fileOf("", as.Area, ".go"), op.Name, as.ID, as.ID)
	}
	for id := range rows {
		t.Errorf("%s: a row for %s, which api/ does not describe\nremove it, or describe the operation", registry, id)
	}
}

func TestTheEmbeddedServicePerformsEveryOperation(t *testing.T) {
	t.Parallel()
	document := described(t)
	server := practicetest.New(t, practicetest.WithMatters(1), practicetest.WithEvents(20))
	for _, op := range operations.All() {
		server.Reset()
		var err error
		violations := server.Tolerate(func() { err = op.Call(t.Context(), server.Client(t, op.ClientOptions(server)...), server.Firm()) })
		if err != nil || len(violations) > 0 {
			t.Errorf("%s: %s (%s) is not performed as described: write its handler, and see that the row in %s fits: %v %v",
				fileOf("practicetest", areaOf(document, op), ".go"), op.Name, op.ID, registry, err, violations)
		}
	}
}

func TestTheRegistryKnowsWhichTokenAnOperationNeeds(t *testing.T) {
	t.Parallel()
	forEachOperation(t, func(t *testing.T, op operations.Operation, as *description.Operation) {
		needs := as.Grant != nil && as.Grant.Needs == description.ClientCredentials && as.Grant.Parameter == ""
		if op.ByClient() != needs {
			t.Errorf("%s: %s needs client credentials: %v; say so in ByClient", registry, op.ID, needs)
		}
	})
}

func TestCommentsAreTheTextOfTheDescription(t *testing.T) {
	t.Parallel()
	document, methods := described(t), serviceMethods(t)
	for _, op := range operations.All() {
		as := document.Operation(op.ID)
		if as == nil {
			continue // another test reports it
		}
		for _, comment := range document.Comments(as) {
			name := op.Area() + "." + comment.Method
			method, there := methods[name]
			if holds(t, there, "%s: no method %s: go run ./internal/cmd/newoperation %s prints it", fileOf("", as.Area, ".go"), name, op.ID); !there {
				continue
			}
			if comment.Go(80) != method.doc {
				t.Errorf("%s: the comment of %s is not what api/%s says\ngo run ./internal/cmd/newoperation %s prints it", method.file, name, as.Pos, op.ID)
			}
			delete(methods, name)
		}
	}
	for name, method := range methods {
		if _, call, isAPI := strings.Cut(method.doc, "//   - API: "); isAPI {
			call, _, _ = strings.Cut(call, ",")
			httpMethod, path, _ := strings.Cut(call, " ")
			holds(t, document.At(httpMethod, path) != nil, "%s: %s names %q, which is no operation\ncorrect the path in the comment", method.file, name, call)
		}
	}
}

func TestEveryOperationHasATestOfItsOwn(t *testing.T) {
	t.Parallel()
	document, called := described(t), calledInTests(t)
	for _, op := range operations.All() {
		if !called[op.Name] {
			t.Errorf("%s: no test calls client.%s: test what is particular about it", fileOf("", areaOf(document, op), "_test.go"), op.Name)
		}
	}
}

// method is a method of a service in the sources. doc is the comment with its
// comment marks.
type method struct{ file, doc string }

func linesOf(comment *ast.CommentGroup) string {
	if comment == nil {
		return ""
	}
	var lines []string
	for _, line := range comment.List {
		lines = append(lines, line.Text)
	}
	return strings.Join(lines, "\n")
}

// sources returns the parsed files of a directory whose names are wanted.
func sources(t testing.TB, dir string, wanted func(name string) bool) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	files := map[string]*ast.File{}
	for _, name := range names {
		if !wanted(name) {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		files[filepath.Base(name)], err = parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
	}
	require.NotEmpty(t, files)
	return files
}

func isSource(name string) bool { return !isTest(name) }
func isTest(name string) bool   { return strings.HasSuffix(name, "_test.go") }

// serviceMethods returns the exported methods of the services, by name, such as
// "Fees.Patch".
func serviceMethods(t testing.TB) map[string]method {
	t.Helper()
	found := map[string]method{}
	for file, source := range sources(t, root, isSource) {
		for _, declaration := range source.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok || function.Recv == nil || !function.Name.IsExported() {
				continue
			}
			if pointer, ok := function.Recv.List[0].Type.(*ast.StarExpr); ok {
				if name, ok := pointer.X.(*ast.Ident); ok && strings.HasSuffix(name.Name, "Service") {
					found[strings.TrimSuffix(name.Name, "Service")+"."+function.Name.Name] = method{file, linesOf(function.Doc)}
				}
			}
		}
	}
	return found
}

// calledInTests returns the methods called by the tests of the root and of
// internal/acceptance, by name.
func calledInTests(t testing.TB) map[string]bool {
	t.Helper()
	called := map[string]bool{}
	tests := sources(t, root, isTest)
	maps.Copy(tests, sources(t, filepath.Join(root, "internal", "acceptance"), isTest))
	for _, source := range tests {
		ast.Inspect(source, func(node ast.Node) bool {
			if function, ok := node.(*ast.SelectorExpr); ok {
				if service, ok := function.X.(*ast.SelectorExpr); ok {
					called[service.Sel.Name+"."+function.Sel.Name] = true
				}
			}
			return true
		})
	}
	return called
}

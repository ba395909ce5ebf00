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

func TestEveryOfferedOperationHasARow(t *testing.T) {
	t.Parallel()
	for as := range described(t).Operations() {
		if _, known := operations.ByID(as.ID); !known {
			t.Errorf("%s: no row for %s.%s (%s): write a good call", registry, as.Area.Name, as.Method, as.ID)
		}
	}
}

func TestEveryRowIsAnOperationOfTheDescriptionAndAMethod(t *testing.T) {
	t.Parallel()
	document := described(t)
	ids := map[string]bool{}
	for _, op := range operations.All() {
		area := areaOf(document, op)
		as := document.Operation(op.ID)
		switch {
		case as == nil:
			t.Errorf("%s: no operation %s, which %s has for %s: describe it", fileOf("api", area, ".yaml"), op.ID, registry, op.Name)
		case op.Name != as.Area.Name+"."+as.Method:
			t.Errorf("%s: %s is %s.%s, which %s calls %s: choose one name", fileOf("api", as.Area, ".yaml"), op.ID, as.Area.Name, as.Method, registry, op.Name)
		}
		if op.Method() == nil {
			t.Errorf("%s: no method %s for %s; a new service is a field of Client in client.go", fileOf("", area, ".go"), op.Name, op.ID)
		}
		if ids[op.ID] {
			t.Errorf("%s: two rows for %s", registry, op.ID)
		}
		ids[op.ID] = true
	}
}

func TestEveryDescriptorHasARowAndEveryRowADescriptor(t *testing.T) {
	t.Parallel()
	offered := map[string]*description.Operation{}
	for as := range described(t).Operations() {
		offered[as.HTTPMethod+" "+as.Path] = as
	}
	all := descriptors(t)
	for name, d := range all {
		as := offered[d.call]
		if as == nil {
			t.Errorf("%s: %s is %s, which no operation of api/ is", d.file, name, d.call)
		} else if _, known := operations.ByID(as.ID); !known {
			t.Errorf("%s: no row for %s (%s), which %s describes: write a good call", registry, name, as.ID, d.file)
		}
	}
	for _, op := range operations.All() {
		if _, found := all[op.Name]; !found {
			t.Errorf("%s: no descriptor of %s was found: write one, or teach this test its form", fileOf("", areaOf(described(t), op), ".go"), op.Name)
		}
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

// descriptor is an operation declared in the sources: its file, and its method
// and path.
type descriptor struct{ file, call string }

// descriptors returns the operations declared as operation{...} or paged(...)
// in the sources, by method name. It omits those that reuse another declaration
// and those without a method.
func descriptors(t testing.TB) map[string]descriptor {
	t.Helper()
	found := map[string]descriptor{}
	for file, source := range sources(t, root, isSource) {
		ast.Inspect(source, func(node ast.Node) bool {
			var name, call string
			switch node := node.(type) {
			case *ast.CompositeLit:
				if isNamed(node.Type, "operation") && len(node.Elts) > 2 {
					if method, ok := node.Elts[1].(*ast.SelectorExpr); ok {
						name, call = constant(node.Elts[0]), strings.ToUpper(strings.TrimPrefix(method.Sel.Name, "Method"))+" "+constant(node.Elts[2])
					}
				}
			case *ast.CallExpr:
				if isNamed(node.Fun, "paged") && len(node.Args) > 2 {
					name, call = constant(node.Args[0]), methodOfList(node.Args)+constant(node.Args[2])
				}
			}
			if strings.Contains(call, " /") {
				found[name] = descriptor{file, call}
			}
			return true
		})
	}
	return found
}

// methodOfList returns POST for a list that is requested with a body, otherwise
// GET.
func methodOfList(args []ast.Expr) string {
	for _, arg := range args {
		if call, ok := arg.(*ast.CallExpr); ok && isNamed(call.Fun, "byPost") {
			return "POST "
		}
	}
	return "GET "
}

func isNamed(node ast.Expr, name string) bool {
	identifier, ok := node.(*ast.Ident)
	return ok && identifier.Name == name
}

func constant(node ast.Expr) string {
	literal, ok := node.(*ast.BasicLit)
	if !ok {
		return ""
	}
	return strings.Trim(literal.Value, `"`)
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

package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const module = "github.com/practicesdk/practice-go"

// part is the package below the root of the project, such as "internal/codec";
// it is empty for the root itself.
func part(pass *analysis.Pass) string {
	path, _, _ := strings.Cut(pass.Pkg.Path(), " ")
	path = strings.TrimSuffix(path, "_test")
	return strings.Trim(strings.TrimPrefix(path, module), "/")
}

// isLibrary reports a package that ends up in the programs of others.
func isLibrary(pass *analysis.Pass) bool {
	for _, ours := range []string{"examples", "benchmarks", "conformance", "internal/lint"} {
		if rest, ok := strings.CutPrefix(part(pass), ours); ok && (rest == "" || rest[0] == '/') {
			return false
		}
	}
	return pass.Pkg.Name() != "main"
}

// isService reports the embedded service, which has the other side's view: it
// knows secrets as texts, because it makes them up and writes them on the wire.
func isService(pass *analysis.Pass) bool { return part(pass) == "practicetest" }

// forEach visits the nodes of all files but the tests. The
// nodes above come with each, the outermost first.
func forEach(pass *analysis.Pass, visit func(node ast.Node, above []ast.Node)) {
	for _, file := range pass.Files {
		if isTest(pass, file.Pos()) {
			continue
		}
		ast.PreorderStack(file, nil, func(node ast.Node, above []ast.Node) bool {
			visit(node, slices.Clip(above))
			return true
		})
	}
}

func isTest(pass *analysis.Pass, pos token.Pos) bool {
	return strings.HasSuffix(pass.Fset.Position(pos).Filename, "_test.go")
}

// usedFrom gives the package and the name of what an identifier of another
// package stands for; both are empty for methods, fields and local names.
func usedFrom(pass *analysis.Pass, id *ast.Ident) (pkg, name string) {
	object := pass.TypesInfo.Uses[id]
	if object == nil || object.Pkg() == nil || object.Pkg() == pass.Pkg || object.Parent() != object.Pkg().Scope() {
		return "", ""
	}
	return object.Pkg().Path(), object.Name()
}

package lint

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
)

const module = "github.com/practicesdk/practice-go"

// part returns the path of the package in the module, such as "internal/codec",
// or "" for the root.
func part(pass *analysis.Pass) string {
	path, _, _ := strings.Cut(pass.Pkg.Path(), " ")
	path = strings.TrimSuffix(path, "_test")
	return strings.Trim(strings.TrimPrefix(path, module), "/")
}

// isLibrary reports whether a package is compiled into users' programs.
func isLibrary(pass *analysis.Pass) bool {
	for _, ours := range []string{"examples", "benchmarks", "cmd", "conformance", "internal/cmd", "internal/sandbox", "internal/description", "internal/lint", "internal/operations", "internal/soak", "internal/testmain"} {
		if rest, ok := strings.CutPrefix(part(pass), ours); ok && (rest == "" || rest[0] == '/') {
			return false
		}
	}
	return pass.Pkg.Name() != "main"
}

// isService reports whether the package is the embedded service. It handles
// secrets as strings, because it creates them and sends them.
func isService(pass *analysis.Pass) bool {
	return part(pass) == "practicetest" || strings.HasPrefix(part(pass), "practicetest/")
}

// forEach visits the nodes of all files except tests, each with its ancestors,
// outermost first.
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

// elementOf returns the element type of a pointer, list, map or channel, or nil
// for other types.
func elementOf(t types.Type) types.Type {
	if t, ok := t.(interface{ Elem() types.Type }); ok {
		return t.Elem()
	}
	return nil
}

// anyIn reports whether is returns true for a type or one of its parts: the
// element of a pointer, list, map or channel, the key of a map, and the types
// allowed for a type parameter.
func anyIn(t types.Type, is func(types.Type) bool) bool {
	seen := map[types.Type]bool{} // types can be recursive
	var look func(types.Type) bool
	look = func(t types.Type) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		if is(t) {
			return true
		}
		switch under := t.Underlying().(type) {
		case *types.Interface:
			return slices.ContainsFunc(allowed(under), look)
		case *types.Map:
			return look(under.Key()) || look(under.Elem())
		default:
			element := elementOf(under)
			return element != nil && look(element)
		}
	}
	return look(t)
}

// allowed returns the types in the constraint of a type parameter.
func allowed(constraint *types.Interface) []types.Type {
	var found []types.Type
	for i := range constraint.NumEmbeddeds() {
		switch embedded := constraint.EmbeddedType(i).(type) {
		case *types.Union:
			for j := range embedded.Len() {
				found = append(found, embedded.Term(j).Type())
			}
		default:
			found = append(found, embedded)
		}
	}
	return found
}

// words returns the words of a Go name in lower case: "AmountDue" is amount,
// due, and "unitPriceEUR" is unit, price, eur.
func words(name string) []string {
	var found []string
	begin, letters := 0, []rune(name)
	for i := 1; i <= len(letters); i++ {
		if i == len(letters) || endsWord(letters, i) {
			if word := strings.Trim(strings.ToLower(string(letters[begin:i])), "_0123456789"); word != "" {
				found = append(found, word)
			}
			begin = i
		}
	}
	return found
}

// endsWord reports whether a new word begins at i: at an underscore, and at a
// capital letter not followed by capitals.
func endsWord(letters []rune, i int) bool {
	if letters[i] == '_' || letters[i-1] == '_' {
		return true
	}
	next := i+1 < len(letters) && unicode.IsLower(letters[i+1])
	return unicode.IsUpper(letters[i]) && (!unicode.IsUpper(letters[i-1]) || next)
}

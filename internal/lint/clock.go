package lint

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// clockAnalyzer reports code that reads the time in a function that has a
// clock, because the two times could differ. A function has a clock if its
// receiver or an argument contains a field of type func() time.Time or Clock,
// at any depth. Other functions use time.Now, which is virtual in a synctest
// bubble.
func clockAnalyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "clock",
		Doc:  "what has been given a clock reads no other",
		Run: func(pass *analysis.Pass) (any, error) {
			if !isLibrary(pass) {
				return nil, nil
			}
			wrappers := timeWrappers(pass)
			forEach(pass, func(node ast.Node, above []ast.Node) {
				id, ok := node.(*ast.Ident)
				if !ok || !readsTime(pass, id) && !wrappers[pass.TypesInfo.Uses[id]] || isDefault(id, above) {
					return
				}
				if function := functionOf(pass, above); function != nil && bringsClock(pass.Pkg, function) {
					pass.Reportf(id.Pos(), "the code reads the time without the clock that was passed to %s", function.Name())
				}
			})
			return nil, nil
		},
	}
}

// readsTime reports whether an identifier refers to a function of package time
// that reads the time, called or not, under any import name.
func readsTime(pass *analysis.Pass, id *ast.Ident) bool {
	pkg, name := usedFrom(pass, id)
	return pkg == "time" && (name == "Now" || name == "Since" || name == "Until")
}

// isDefault reports whether a function is stored in a field instead of being
// called, as for the default of a clock.
func isDefault(id *ast.Ident, above []ast.Node) bool {
	var value ast.Expr = id
	parent := above[len(above)-1]
	if selector, ok := parent.(*ast.SelectorExpr); ok && selector.Sel == id {
		value, parent = selector, above[len(above)-2]
	}
	switch parent := parent.(type) {
	case *ast.KeyValueExpr:
		return parent.Value == value
	case *ast.AssignStmt:
		for i, right := range parent.Rhs {
			if right == value && parent.Tok == token.ASSIGN && i < len(parent.Lhs) {
				_, field := parent.Lhs[i].(*ast.SelectorExpr)
				return field
			}
		}
	}
	return false
}

// timeWrappers returns the functions and variables of the package that return
// the current time. Calling one counts as calling time.Now.
func timeWrappers(pass *analysis.Pass) map[types.Object]bool {
	wrappers := map[types.Object]bool{}
	for found := -1; found < len(wrappers); {
		found = len(wrappers)
		forEach(pass, func(node ast.Node, above []ast.Node) {
			id, ok := node.(*ast.Ident)
			if !ok || !readsTime(pass, id) && !wrappers[pass.TypesInfo.Uses[id]] {
				return
			}
			if function := functionOf(pass, above); function != nil {
				if returnsTime(function) && !bringsClock(pass.Pkg, function) && !isMethodOfClock(function) {
					wrappers[function] = true
				}
			} else if variable := variableOf(pass, above); variable != nil {
				wrappers[variable] = true
			}
		})
	}
	return wrappers
}

// returnsTime reports a function whose only result is a time or a duration.
func returnsTime(function *types.Func) bool {
	results := function.Signature().Results()
	if results.Len() != 1 {
		return false
	}
	name := results.At(0).Type().String()
	return name == "time.Time" || name == "time.Duration"
}

// functionOf returns the declared function that encloses a node.
func functionOf(pass *analysis.Pass, above []ast.Node) *types.Func {
	for _, node := range above {
		if declared, ok := node.(*ast.FuncDecl); ok {
			function, _ := pass.TypesInfo.Defs[declared.Name].(*types.Func)
			return function
		}
	}
	return nil
}

// variableOf returns the variable of the package whose initial value contains
// the node, if it is a function that returns the time.
func variableOf(pass *analysis.Pass, above []ast.Node) types.Object {
	for _, node := range above {
		if spec, ok := node.(*ast.ValueSpec); ok {
			if object := pass.TypesInfo.Defs[spec.Names[0]]; isClock(object.Type()) {
				return object
			}
		}
	}
	return nil
}

// bringsClock reports whether a function receives a clock and is not a clock
// itself.
func bringsClock(pkg *types.Package, function *types.Func) bool {
	if isMethodOfClock(function) {
		return false
	}
	signature := function.Signature()
	seen := map[types.Type]bool{}
	if receiver := signature.Recv(); receiver != nil && holdsClock(pkg, receiver.Type(), seen) {
		return true
	}
	for i := range signature.Params().Len() {
		if holdsClock(pkg, signature.Params().At(i).Type(), seen) {
			return true
		}
	}
	return false
}

func isMethodOfClock(function *types.Func) bool {
	receiver := function.Signature().Recv()
	return receiver != nil && isClock(receiver.Type())
}

// holdsClock reports whether a type is a clock or contains one in its fields,
// lists, maps or channels.
func holdsClock(pkg *types.Package, t types.Type, seen map[types.Type]bool) bool {
	if isClock(t) {
		return true
	}
	if element := elementOf(types.Unalias(t)); element != nil {
		return holdsClock(pkg, element, seen)
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() != pkg || seen[named] {
		return false
	}
	seen[named] = true
	if element := elementOf(named.Underlying()); element != nil {
		return holdsClock(pkg, element, seen)
	}
	structure, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range structure.NumFields() {
		if holdsClock(pkg, structure.Field(i).Type(), seen) {
			return true
		}
	}
	return false
}

// isClock reports whether a type is Clock, a pointer to it, or func()
// time.Time.
func isClock(t types.Type) bool {
	t = types.Unalias(t)
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	if named, ok := t.(*types.Named); ok && named.Obj().Name() == "Clock" {
		return true
	}
	signature, ok := t.Underlying().(*types.Signature)
	return ok && signature.Params().Len() == 0 && signature.Results().Len() == 1 &&
		signature.Results().At(0).Type().String() == "time.Time"
}

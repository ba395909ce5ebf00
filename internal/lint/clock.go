package lint

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// clockAnalyzer keeps a function that has been given a clock from reading any
// other: its times would disagree. A receiver or an argument brings a clock when
// a field of type func() time.Time or of a type Clock is in it, however deep.
// Elsewhere the time is that of the process, and in tests that of the bubble.
func clockAnalyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "clock",
		Doc:  "what has been given a clock reads no other",
		Run: func(pass *analysis.Pass) (any, error) {
			if !isLibrary(pass) {
				return nil, nil
			}
			forEach(pass, func(node ast.Node, above []ast.Node) {
				call, ok := node.(*ast.CallExpr)
				if !ok || !readsTime(pass, call) {
					return
				}
				if function := functionOf(pass, above); function != nil && bringsClock(pass.Pkg, function) {
					pass.Reportf(call.Pos(), "the time is read beside the clock that %s was given", function.Name())
				}
			})
			return nil, nil
		},
	}
}

func readsTime(pass *analysis.Pass, call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, name := usedFrom(pass, selector.Sel)
	return pkg == "time" && (name == "Now" || name == "Since" || name == "Until")
}

// functionOf gives the declared function that a place is in.
func functionOf(pass *analysis.Pass, above []ast.Node) *types.Func {
	for _, node := range above {
		if declared, ok := node.(*ast.FuncDecl); ok {
			function, _ := pass.TypesInfo.Defs[declared.Name].(*types.Func)
			return function
		}
	}
	return nil
}

// bringsClock reports a function that gets a clock, other than a clock itself.
func bringsClock(pkg *types.Package, function *types.Func) bool {
	signature := function.Signature()
	seen := map[types.Type]bool{}
	if receiver := signature.Recv(); receiver != nil {
		if isClock(receiver.Type()) {
			return false
		}
		if holdsClock(pkg, receiver.Type(), seen) {
			return true
		}
	}
	for i := range signature.Params().Len() {
		if holdsClock(pkg, signature.Params().At(i).Type(), seen) {
			return true
		}
	}
	return false
}

// holdsClock looks for a clock in the structures of the package.
func holdsClock(pkg *types.Package, t types.Type, seen map[types.Type]bool) bool {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if isClock(t) {
		return true
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() != pkg || seen[named] {
		return false
	}
	seen[named] = true
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

// isClock reports a type Clock, a pointer to one, or func() time.Time.
func isClock(t types.Type) bool {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := t.(*types.Named); ok && named.Obj().Name() == "Clock" {
		return true
	}
	signature, ok := t.Underlying().(*types.Signature)
	return ok && signature.Params().Len() == 0 && signature.Results().Len() == 1 &&
		signature.Results().At(0).Type().String() == "time.Time"
}

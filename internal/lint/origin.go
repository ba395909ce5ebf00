package lint

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// origins records all assignments to the names of a package, to find the origin
// of a path. A path is temporary only if all its assignments are.
type origins struct {
	pass    *analysis.Pass
	given   map[types.Object][]ast.Expr
	results map[types.Object][]*ast.ReturnStmt
	asked   map[types.Object]bool // names being resolved
}

func originsIn(pass *analysis.Pass) *origins {
	o := &origins{pass, map[types.Object][]ast.Expr{}, map[types.Object][]*ast.ReturnStmt{}, map[types.Object]bool{}}
	for _, file := range pass.Files {
		ast.PreorderStack(file, nil, func(node ast.Node, above []ast.Node) bool {
			switch node := node.(type) {
			case *ast.AssignStmt:
				o.assign(node.Lhs, node.Rhs)
			case *ast.ValueSpec:
				names := make([]ast.Expr, len(node.Names))
				for i, name := range node.Names {
					names[i] = name
				}
				o.assign(names, node.Values)
			case *ast.RangeStmt:
				o.assign([]ast.Expr{node.Value}, []ast.Expr{node.X})
			case *ast.CompositeLit:
				o.compose(node)
			case *ast.CallExpr:
				o.arguments(node)
			case *ast.ReturnStmt:
				o.returns(node, above)
			}
			return true
		})
	}
	return o
}

// assign records assignments. Each result of a call with several results counts
// as the path.
func (o *origins) assign(names, values []ast.Expr) {
	for i, name := range names {
		object := o.objectOf(name)
		switch {
		case object == nil:
		case len(values) == len(names):
			o.given[object] = append(o.given[object], values[i])
		case len(values) == 1:
			o.given[object] = append(o.given[object], values[0])
		}
	}
}

func (o *origins) objectOf(e ast.Expr) types.Object {
	switch e := e.(type) {
	case *ast.Ident:
		return o.pass.TypesInfo.ObjectOf(e)
	case *ast.SelectorExpr:
		return o.pass.TypesInfo.Uses[e.Sel]
	}
	return nil
}

// compose records the values of the fields of a composite literal.
func (o *origins) compose(literal *ast.CompositeLit) {
	structure, ok := o.pass.TypesInfo.TypeOf(literal).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			o.assign([]ast.Expr{pair.Key}, []ast.Expr{pair.Value})
		} else {
			o.given[structure.Field(i)] = append(o.given[structure.Field(i)], element)
		}
	}
}

// arguments records the arguments of calls of functions of the package.
func (o *origins) arguments(call *ast.CallExpr) {
	function := typeutil.StaticCallee(o.pass.TypesInfo, call)
	if function == nil || function.Pkg() != o.pass.Pkg {
		return
	}
	parameters := function.Origin().Signature().Params()
	for i, argument := range call.Args {
		parameter := parameters.At(min(i, parameters.Len()-1))
		o.given[parameter] = append(o.given[parameter], argument)
	}
}

func (o *origins) returns(statement *ast.ReturnStmt, above []ast.Node) {
	for i := len(above) - 1; i >= 0; i-- {
		switch node := above[i].(type) {
		case *ast.FuncLit:
			return
		case *ast.FuncDecl:
			function := o.pass.TypesInfo.Defs[node.Name]
			o.results[function] = append(o.results[function], statement)
			return
		}
	}
}

// isTemporary reports whether a path is inside a temporary directory of the
// test.
func (o *origins) isTemporary(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return o.isAlways(o.pass.TypesInfo.ObjectOf(e))
	case *ast.SelectorExpr:
		return o.isAlways(o.pass.TypesInfo.Uses[e.Sel])
	case *ast.StarExpr:
		return o.isFlag(e) || o.isTemporary(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && o.isTemporary(e.X)
	case *ast.CompositeLit:
		return o.areTemporary(e.Elts)
	case *ast.IndexExpr:
		return o.isTemporary(e.X)
	case *ast.CallExpr:
		return o.isMadeTemporary(e)
	}
	return false
}

func (o *origins) areTemporary(all []ast.Expr) bool {
	for _, e := range all {
		if !o.isTemporary(e) {
			return false
		}
	}
	return len(all) > 0
}

// isAlways reports whether a name holds only temporary paths. A parameter of a
// function that the package does not call by name is the caller's
// responsibility.
func (o *origins) isAlways(object types.Object) bool {
	variable, ok := object.(*types.Var)
	if !ok {
		return false
	}
	if o.asked[object] {
		return true
	}
	o.asked[object] = true
	defer delete(o.asked, object)
	if given := o.given[object]; len(given) > 0 {
		return o.areTemporary(given)
	}
	return variable.Kind() == types.ParamVar
}

// isMadeTemporary reports whether a call returns a temporary path.
func (o *origins) isMadeTemporary(call *ast.CallExpr) bool {
	function := typeutil.StaticCallee(o.pass.TypesInfo, call)
	if function == nil {
		return len(call.Args) == 1 && o.pass.TypesInfo.Types[call.Fun].IsType() && o.isTemporary(call.Args[0])
	}
	pkg := ""
	if function.Pkg() != nil {
		pkg = function.Pkg().Path()
	}
	switch {
	case pkg == "testing":
		return function.Name() == "TempDir" || function.Name() == "ArtifactDir"
	case pkg == "os" && (function.Name() == "MkdirTemp" || function.Name() == "CreateTemp"):
		return o.isTemporary(call.Args[0]) || o.isOfExample(call)
	case pkg == "os" && function.Name() == "Name": // the name of an open file, whose path was checked when it was created
		return true
	case pkg == "path/filepath" || pkg == "path" || pkg == "os":
		return len(call.Args) > 0 && o.isTemporary(call.Args[0])
	case pkg == o.pass.Pkg.Path():
		return o.givesTemporary(function.Origin())
	}
	return false
}

// isOfExample reports whether a call is in a file of examples, which have no t.
func (o *origins) isOfExample(call *ast.CallExpr) bool {
	name := o.pass.Fset.Position(call.Pos()).Filename
	return strings.HasPrefix(name[strings.LastIndexAny(name, `/\`)+1:], "example")
}

// givesTemporary reports whether a function of the package returns only
// temporary paths.
func (o *origins) givesTemporary(function *types.Func) bool {
	if o.asked[function] {
		return true
	}
	o.asked[function] = true
	defer delete(o.asked, function)
	paths := 0
	for _, statement := range o.results[function] {
		for _, result := range statement.Results {
			if !isText(o.pass.TypesInfo.TypeOf(result)) {
				continue
			}
			if paths++; !o.isTemporary(result) {
				return false
			}
		}
	}
	return paths > 0
}

// isFlag reports whether an expression is the value of a flag of the test.
func (o *origins) isFlag(e ast.Expr) bool {
	star, ok := ast.Unparen(e).(*ast.StarExpr)
	if !ok {
		return false
	}
	for _, value := range o.given[o.objectOf(star.X)] {
		if call, ok := value.(*ast.CallExpr); ok {
			if pkg, _ := calleeOf(o.pass, call); pkg == "flag" {
				return true
			}
		}
	}
	return false
}

package lint

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// moneyAnalyzer keeps amounts exact: the records know no floating point at all,
// nowhere has a floating point number the name of an amount, and no decimal
// number is turned into one.
func moneyAnalyzer() *analysis.Analyzer {
	amount := regexp.MustCompile(`(?i)(amount|balance|price|money|cents|fee|expense|tax|cost)s?$`)
	return &analysis.Analyzer{
		Name: "money",
		Doc:  "money is never a floating point number",
		Run: func(pass *analysis.Pass) (any, error) {
			if !isLibrary(pass) {
				return nil, nil // other ways to do it may be compared with
			}
			records := part(pass) == "models"
			forEach(pass, func(node ast.Node, _ []ast.Node) {
				id, ok := node.(*ast.Ident)
				if !ok {
					return
				}
				switch object := pass.TypesInfo.ObjectOf(id).(type) {
				case *types.TypeName:
					if records && object.Pkg() == nil && isFloat(object.Type()) {
						pass.Reportf(id.Pos(), "%s: records know no floating point", id.Name)
					}
				case *types.Var:
					if object.Pos() == id.Pos() && isFloat(object.Type()) && amount.MatchString(id.Name) {
						pass.Reportf(id.Pos(), "%s is an amount: use models.Money", id.Name)
					}
				case *types.Func:
					if of := receiverOf(object); strings.HasSuffix(of, "decimal.Decimal") && (object.Name() == "Float64" || object.Name() == "Float32") {
						pass.Reportf(id.Pos(), "%s of a decimal number loses digits", id.Name)
					}
				}
			})
			return nil, nil
		},
	}
}

// isFloat reports a floating point number, or a pointer to or a list of them.
func isFloat(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Pointer:
		return isFloat(t.Elem())
	case *types.Slice:
		return isFloat(t.Elem())
	}
	return false
}

func receiverOf(function *types.Func) string {
	receiver := function.Signature().Recv()
	if receiver == nil {
		return ""
	}
	return receiver.Type().String()
}

package lint

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// moneyAnalyzer keeps amounts exact. It reports floating-point numbers in
// records, floating-point numbers and lists or maps of them whose name suggests
// an amount, and conversions of decimal numbers to floating point.
func moneyAnalyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "money",
		Doc:  "money is never a floating point number",
		Run: func(pass *analysis.Pass) (any, error) {
			if !isLibrary(pass) {
				return nil, nil // benchmarks may compare other approaches
			}
			records := part(pass) == "models"
			forEach(pass, func(node ast.Node, _ []ast.Node) {
				id, ok := node.(*ast.Ident)
				if !ok {
					return
				}
				object := pass.TypesInfo.ObjectOf(id)
				if object == nil {
					return
				}
				if kind, ok := object.(*types.TypeName); ok && records && object.Pkg() != pass.Pkg && isFloat(kind.Type()) {
					pass.Reportf(id.Pos(), "%s: records must not use floating-point numbers", id.Name)
				}
				if function, ok := object.(*types.Func); ok && losesDigits(function) {
					pass.Reportf(id.Pos(), "%s of a decimal number loses precision", id.Name)
				}
				if object.Pos() == id.Pos() && namesAmount(id.Name) && slices.ContainsFunc(valuesOf(object), holdsFloat) {
					pass.Reportf(id.Pos(), "%s is an amount: use models.Decimal", id.Name)
				}
			})
			return nil, nil
		},
	}
}

// namesAmount reports whether a name contains a word for an amount.
func namesAmount(name string) bool {
	amounts := []string{"amount", "balance", "price", "money", "cent", "fee", "expense", "tax", "cost"}
	return slices.ContainsFunc(words(name), func(word string) bool {
		return slices.Contains(amounts, word) || slices.Contains(amounts, strings.TrimSuffix(word, "s")) || word == "taxes"
	})
}

// valuesOf returns the types of the values of a declared name: its type for a
// variable, the type itself, or the result types of a function.
func valuesOf(object types.Object) []types.Type {
	switch object := object.(type) {
	case *types.Var, *types.TypeName, *types.Const:
		return []types.Type{object.Type()}
	case *types.Func:
		var results []types.Type
		for result := range object.Signature().Results().Variables() {
			results = append(results, result.Type())
		}
		return results
	}
	return nil
}

func holdsFloat(t types.Type) bool { return anyIn(t, isFloat) }

// isFloat reports whether a type is a floating-point number, including those of
// math/big.
func isFloat(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.String() == "math/big.Float" {
		return true
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsFloat|types.IsComplex) != 0
}

// losesDigits reports whether a method of a decimal number returns a float.
func losesDigits(function *types.Func) bool {
	receiver := function.Signature().Recv()
	if receiver == nil || !strings.HasSuffix(receiver.Type().String(), "decimal.Decimal") {
		return false
	}
	return function.Name() == "Float64" || function.Name() == "Float32"
}

package lint

import (
	"go/ast"
	"go/constant"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// pathsAnalyzer refuses paths and addresses that are printed together: a value
// with a slash or a question mark in it would change them. Templates are filled
// in one escaped value at a time. A text with a space in it is prose.
func pathsAnalyzer() *analysis.Analyzer {
	segment := regexp.MustCompile(`/%[-+# 0]*[\d.]*[a-zA-Z]|%[-+# 0]*[\d.]*[svdx]/|\?\w+=%|&\w+=%`)
	return &analysis.Analyzer{
		Name: "paths",
		Doc:  "no path is made with fmt: identifiers are escaped one by one",
		Run: func(pass *analysis.Pass) (any, error) {
			if !isLibrary(pass) {
				return nil, nil
			}
			forEach(pass, func(node ast.Node, _ []ast.Node) {
				call, ok := node.(*ast.CallExpr)
				if !ok || !formats(pass, call) {
					return
				}
				for _, argument := range call.Args {
					text := constantText(pass, argument)
					if !strings.Contains(text, " ") && segment.MatchString(text) {
						pass.Reportf(argument.Pos(), "a path is not made with fmt: escape its values one by one")
					}
				}
			})
			return nil, nil
		},
	}
}

// formats reports a call of fmt that makes a text, errors aside.
func formats(pass *analysis.Pass, call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, name := usedFrom(pass, selector.Sel)
	return pkg == "fmt" && (name == "Sprintf" || name == "Appendf" || name == "Fprintf")
}

// constantText gives the text that an argument is known to be, or nothing.
func constantText(pass *analysis.Pass, argument ast.Expr) string {
	value := pass.TypesInfo.Types[argument].Value
	if value == nil || value.Kind() != constant.String {
		return ""
	}
	return constant.StringVal(value)
}

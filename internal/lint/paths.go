package lint

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// pathsAnalyzer reports concatenated paths and URLs, because a value with a
// slash or a question mark would change their meaning. Templates with escaped
// values must be used instead. A text with a space is prose.
func pathsAnalyzer() *analysis.Analyzer {
	rule := pathsRule{
		template: regexp.MustCompile(`/%[-+# 0]*[\d.]*[a-zA-Z]|%[-+# 0]*[\d.]*[svdx]/|\?\w+=%|&\w+=%`),
		before:   regexp.MustCompile(`/[\w-]+/$|[?&]\w+=$`),
	}
	return &analysis.Analyzer{
		Name: "paths",
		Doc:  "no path is made of texts: identifiers are escaped one by one",
		Run: func(pass *analysis.Pass) (any, error) {
			if !isLibrary(pass) {
				return nil, nil
			}
			forEach(pass, func(node ast.Node, above []ast.Node) {
				switch node := node.(type) {
				case *ast.CallExpr:
					rule.call(pass, node)
				case *ast.BinaryExpr:
					rule.sum(pass, node, above)
				case *ast.AssignStmt:
					rule.addition(pass, node)
				}
			})
			return nil, nil
		},
	}
}

// pathsRule matches format strings with a value in a path, and strings that
// precede a value in a path.
type pathsRule struct{ template, before *regexp.Regexp }

// call checks the arguments of a call of any function. Only errors may contain
// a path.
func (r pathsRule) call(pass *analysis.Pass, call *ast.CallExpr) {
	pkg, name := calleeOf(pass, call)
	if pkg == "fmt" && name == "Errorf" {
		return
	}
	for _, argument := range call.Args {
		text, _ := constantText(pass, argument)
		if !strings.Contains(text, " ") && r.template.MatchString(text) {
			pass.Reportf(argument.Pos(), "do not build a path with fmt: escape each value")
		}
	}
	switch {
	case strings.HasPrefix(name, "Join") && (pkg == "path" || pkg == "net/url"):
		if hasLetters(pass, call.Args) && slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return isRaw(pass, e) }) {
			pass.Reportf(call.Pos(), "do not build a path with %s: escape each value", name)
		}
	case pkg == "strings" && name == "Join" && !isService(pass):
		if separator, _ := constantText(pass, call.Args[1]); separator == "/" && hasRaw(pass, call.Args[0]) {
			pass.Reportf(call.Pos(), "do not build a path with Join: escape each value")
		}
	case takesAnything(pass, call):
		if r.hasPath(pass, call.Args) {
			pass.Reportf(call.Pos(), "do not build a path with fmt: escape each value")
		}
	}
}

// sum checks concatenations. The embedded service may concatenate keys and
// URLs, because it creates their parts.
func (r pathsRule) sum(pass *analysis.Pass, sum *ast.BinaryExpr, above []ast.Node) {
	switch outer := above[len(above)-1].(type) {
	case *ast.BinaryExpr:
		if outer.Op == token.ADD {
			return
		}
	case *ast.AssignStmt:
		if outer.Tok == token.ADD_ASSIGN {
			return // the concatenation that contains it is checked as a whole
		}
	}
	if sum.Op != token.ADD || isService(pass) {
		return
	}
	if r.hasPath(pass, summands(sum)) {
		pass.Reportf(sum.Pos(), "do not build a path with +: escape each value")
	}
}

// addition checks a text that is added to a variable, as a concatenation with
// it.
func (r pathsRule) addition(pass *analysis.Pass, add *ast.AssignStmt) {
	if add.Tok != token.ADD_ASSIGN || isService(pass) || isDecodedPath(pass, add.Lhs[0]) {
		return
	}
	if r.hasPath(pass, append(add.Lhs[:1:1], summands(add.Rhs[0])...)) {
		pass.Reportf(add.Pos(), "do not build a path with +: escape each value")
	}
}

// isDecodedPath reports whether an expression is the Path of a URL, which is
// escaped when the URL is written; RawPath is not.
func isDecodedPath(pass *analysis.Pass, e ast.Expr) bool {
	selector, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != "Path" {
		return false
	}
	field := pass.TypesInfo.Uses[selector.Sel]
	return field != nil && field.Pkg() != nil && field.Pkg().Path() == "net/url"
}

// hasPath reports whether an unescaped value follows a constant part of a path.
// A string other than the first starts after a slash, or ends a segment. A lone
// slash between two values is part of a path, unless one of the strings is
// prose.
func (r pathsRule) hasPath(pass *analysis.Pass, pieces []ast.Expr) bool {
	for i := 1; i < len(pieces); i++ {
		text, _ := constantText(pass, pieces[i-1])
		between := i > 1 && text == "/" && !isMirror(pass) && !slices.ContainsFunc(pieces, func(e ast.Expr) bool { return isProse(pass, e) })
		if i > 1 {
			text = "/" + text
		}
		if isRaw(pass, pieces[i]) && !strings.Contains(text, " ") && (between || r.before.MatchString(text)) {
			return true
		}
	}
	return false
}

// isMirror reports whether the package handles file paths, which may contain
// any names.
func isMirror(pass *analysis.Pass) bool { return strings.HasPrefix(part(pass)+"/", "mirror/") }

func isProse(pass *analysis.Pass, e ast.Expr) bool {
	text, _ := constantText(pass, e)
	return strings.Contains(text, " ")
}

// hasRaw reports whether a literal list contains an arbitrary string. It
// returns false for lists that are built elsewhere.
func hasRaw(pass *analysis.Pass, list ast.Expr) bool {
	listed, ok := ast.Unparen(list).(*ast.CompositeLit)
	return !ok || slices.ContainsFunc(listed.Elts, func(e ast.Expr) bool { return isRaw(pass, e) })
}

func summands(e ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if sum, ok := e.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		return append(summands(sum.X), summands(sum.Y)...)
	}
	return []ast.Expr{e}
}

// isRaw reports whether a string is arbitrary: neither constant, nor escaped,
// nor formatted from a number.
func isRaw(pass *analysis.Pass, e ast.Expr) bool {
	e = ast.Unparen(e)
	if pass.TypesInfo.Types[e].Value != nil || !isText(pass.TypesInfo.TypeOf(e)) {
		return false
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return true
	}
	pkg, name := calleeOf(pass, call)
	return pkg != "strconv" && !strings.Contains(strings.ToLower(name), "escape") && name != "Encode"
}

// takesAnything reports whether a call is of a function such as fmt.Sprint,
// under any name.
func takesAnything(pass *analysis.Pass, call *ast.CallExpr) bool {
	signature, ok := pass.TypesInfo.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || !signature.Variadic() {
		return false
	}
	last, ok := signature.Params().At(signature.Params().Len() - 1).Type().(*types.Slice)
	if !ok {
		return false // append(bytes, text...)
	}
	anything, ok := last.Elem().Underlying().(*types.Interface)
	return ok && anything.Empty()
}

// hasLetters reports whether there is a constant segment, which distinguishes a
// path of the service from a file path.
func hasLetters(pass *analysis.Pass, arguments []ast.Expr) bool {
	return slices.ContainsFunc(arguments, func(e ast.Expr) bool {
		text, known := constantText(pass, e)
		return known && strings.ContainsFunc(text, unicode.IsLetter)
	})
}

// calleeOf returns the package and the name of the called function or method.
// Both are empty if a value is called.
func calleeOf(pass *analysis.Pass, call *ast.CallExpr) (pkg, name string) {
	function := typeutil.StaticCallee(pass.TypesInfo, call)
	if function == nil || function.Pkg() == nil {
		return "", ""
	}
	return function.Pkg().Path(), function.Name()
}

// constantText returns the value of a constant string expression, and reports
// whether e is one.
func constantText(pass *analysis.Pass, e ast.Expr) (text string, known bool) {
	value := pass.TypesInfo.Types[e].Value
	if value == nil || value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(value), true
}

package lint

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// gobuildAnalyzer requires that tests build programs without VCS stamping: Git
// refuses to read a checkout of another owner, and the build fails.
func gobuildAnalyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "gobuild",
		Doc:  "a test builds programs with -buildvcs=false",
		Run: func(pass *analysis.Pass) (any, error) {
			for _, file := range pass.Files {
				if !isTest(pass, file.Pos()) && !imports(file, "testing") {
					continue
				}
				ast.Inspect(file, func(node ast.Node) bool {
					if call, ok := node.(*ast.CallExpr); ok && stamps(pass, call) {
						pass.Reportf(call.Pos(), "a program is built in a test: use -buildvcs=false")
					}
					return true
				})
			}
			return nil, nil
		},
	}
}

// stamps reports whether a call contains the arguments of a go command that
// reads the checkout, without the flag that prevents it.
func stamps(pass *analysis.Pass, call *ast.CallExpr) bool {
	var texts []string
	for _, argument := range call.Args {
		texts = append(texts, constantTexts(pass, argument)...)
	}
	found := false
	for i, text := range texts {
		if text == "-buildvcs=false" {
			return false
		}
		command := i > 0 && (texts[i-1] == "go" || strings.HasSuffix(texts[i-1], "/go"))
		found = found || command && (text == "build" || text == "install" || text == "list")
	}
	return found
}

// constantTexts returns the constant strings of an argument, which is a string
// or a literal list.
func constantTexts(pass *analysis.Pass, e ast.Expr) []string {
	if list, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		var texts []string
		for _, element := range list.Elts {
			texts = append(texts, constantTexts(pass, element)...)
		}
		return texts
	}
	if text, known := constantText(pass, e); known {
		return []string{text}
	}
	return nil
}

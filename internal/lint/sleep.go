package lint

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// sleepAnalyzer reports time.Sleep everywhere, including tests: it cannot be
// interrupted, and a test that sleeps is slow, or unreliable on a busy machine.
// Outside of tests it also reports a receive from a timer alone, which is a
// sleep, too. In a synctest bubble such a receive is the way to advance time.
func sleepAnalyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "sleep",
		Doc:  "nothing sleeps: wait for a timer and the context, and in tests for the bubble",
		Run: func(pass *analysis.Pass) (any, error) {
			for _, file := range pass.Files {
				tests := isTest(pass, file.Pos()) || imports(file, "testing")
				ast.PreorderStack(file, nil, func(node ast.Node, above []ast.Node) bool {
					switch node := node.(type) {
					case *ast.Ident:
						if pkg, name := usedFrom(pass, node); pkg == "time" && name == "Sleep" {
							pass.Reportf(node.Pos(), "time.Sleep: wait for a timer and the context")
						}
					case *ast.UnaryExpr:
						if name := timerOf(pass, node); name != "" && !tests && !isOneOfSeveral(above) {
							pass.Reportf(node.Pos(), "time.%s is waited for alone: wait for a timer and the context", name)
						}
					}
					return true
				})
			}
			return nil, nil
		},
	}
}

// timerOf returns the timer of a receive: time.After, time.Tick, or the channel
// of a Timer or a Ticker.
func timerOf(pass *analysis.Pass, receive *ast.UnaryExpr) string {
	if receive.Op != token.ARROW {
		return ""
	}
	switch from := ast.Unparen(receive.X).(type) {
	case *ast.CallExpr:
		if pkg, name := calleeOf(pass, from); pkg == "time" {
			return name
		}
	case *ast.SelectorExpr:
		timer := strings.TrimPrefix(pass.TypesInfo.TypeOf(from.X).String(), "*")
		if name, ok := strings.CutPrefix(timer, "time."); ok && from.Sel.Name == "C" {
			return name
		}
	}
	return ""
}

// isOneOfSeveral reports whether a receive is one of several cases of a select.
func isOneOfSeveral(above []ast.Node) bool {
	for i := len(above) - 2; i > 1; i-- {
		clause, ok := above[i].(*ast.CommClause)
		if ok && above[i+1] == clause.Comm {
			return len(above[i-1].(*ast.BlockStmt).List) > 1
		}
	}
	return false
}

func imports(file *ast.File, pkg string) bool {
	for _, spec := range file.Imports {
		if spec.Path.Value == `"`+pkg+`"` {
			return true
		}
	}
	return false
}

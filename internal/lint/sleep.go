package lint

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

// sleepAnalyzer refuses time.Sleep everywhere, tests included: nothing can end
// it, and a test that sleeps is slow or lies on a busy machine.
func sleepAnalyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "sleep",
		Doc:  "nothing sleeps: wait for a timer and the context, and in tests for the bubble",
		Run: func(pass *analysis.Pass) (any, error) {
			for _, file := range pass.Files {
				ast.Inspect(file, func(node ast.Node) bool {
					if id, ok := node.(*ast.Ident); ok {
						if pkg, name := usedFrom(pass, id); pkg == "time" && name == "Sleep" {
							pass.Reportf(id.Pos(), "time.Sleep: wait for a timer and the context")
						}
					}
					return true
				})
			}
			return nil, nil
		},
	}
}

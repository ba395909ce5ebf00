package lint

import "golang.org/x/tools/go/analysis"

// Analyzers returns all rules.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{moneyAnalyzer(), pathsAnalyzer(), secretsAnalyzer()}
}

package lint

import "golang.org/x/tools/go/analysis"

// Analyzers returns all rules.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{clockAnalyzer(), gobuildAnalyzer(), mannersAnalyzer(), moneyAnalyzer(), pathsAnalyzer(), secretsAnalyzer(), sleepAnalyzer(), tempdirAnalyzer()}
}

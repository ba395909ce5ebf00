package lint

import "golang.org/x/tools/go/analysis"

// Analyzers gives all rules.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{clockAnalyzer(), gobuildAnalyzer(), mannersAnalyzer(), moneyAnalyzer(), pathsAnalyzer(), secretsAnalyzer(), sleepAnalyzer(), tempdirAnalyzer()}
}

package lint

import (
	"path"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// TestTheRules runs every rule over sources in which each line that breaks it
// says so, and no other may.
func TestTheRules(t *testing.T) {
	t.Parallel()
	for name, packages := range map[string][]string{
		"clock":   {"", "webhook", "practicetest", "cmd/tool"},
		"manners": {"", "practicetest", "internal/partfile", "cmd/tool"},
		"money":   {"", "models"},
		"paths":   {"", "cmd/tool"},
		"secrets": {"", "practicetest"},
		"sleep":   {"", "cmd/tool"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, rule := range Analyzers() {
				if rule.Name != name {
					continue
				}
				for i, below := range packages {
					packages[i] = path.Join(module, below)
				}
				analysistest.Run(t, filepath.Join(analysistest.TestData(), name), rule, packages...)
				return
			}
			t.Errorf("there is no rule %s", name)
		})
	}
}

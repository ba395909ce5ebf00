package lint

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// TestTheRulesNameTypesThatExist checks that the replacements recommended by
// the rules exist.
func TestTheRulesNameTypesThatExist(t *testing.T) {
	t.Parallel()
	rules, models := sources(t, "."), sources(t, filepath.Join("..", "..", "models"))
	named := regexp.MustCompile(`use models\.(\w+)`).FindAllStringSubmatch(rules, -1)
	if len(named) == 0 {
		t.Error("no rule names a type")
	}
	for _, name := range named {
		if !regexp.MustCompile(`(?m)^type ` + name[1] + ` `).MatchString(models) {
			t.Errorf("there is no models.%s", name[1])
		}
	}
}

// sources returns the text of the sources in a folder, without tests.
func sources(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// TestTheRules runs every rule on sources in which each violation is marked. No
// other line may be reported.
func TestTheRules(t *testing.T) {
	t.Parallel()
	for name, packages := range map[string][]string{
		"money":   {"", "models"},
		"paths":   {"", "practicetest", "internal/description", "mirror", "cmd/tool"},
		"secrets": {"", "practicetest"},
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

package house_test

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/testkit"
)

// TestEachAssumptionIsAnOpenPoint compares the comments "Assumed:" of the code
// with the first table of docs/open-points.md. If client and embedded service
// make the same wrong assumption, a program passes its tests and fails in use.
func TestEachAssumptionIsAnOpenPoint(t *testing.T) {
	t.Parallel()
	made, listed := map[string]bool{}, map[string]bool{}
	require.NoError(t, fs.WalkDir(testkit.Project(t), ".", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			for _, match := range regexp.MustCompile(`(?m)// Assumed: (.+)$`).FindAllStringSubmatch(readText(t, name), -1) {
				made[match[1]] = true
			}
		}
		return err
	}))
	_, table, _ := strings.Cut(readText(t, "docs/open-points.md"), "\n## Assumptions\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, row := range regexp.MustCompile(`(?m)^\| (\w.+?) \|`).FindAllStringSubmatch(table, -1)[1:] {
		listed[row[1]] = true
	}
	sameNames(t, "docs/open-points.md, Assumptions", slices.Collect(maps.Keys(made)), slices.Collect(maps.Keys(listed)))
}

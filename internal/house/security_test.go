package house_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryPromiseOfSECURITYNamesATestThatExists prevents a promise about secrets
// whose test was renamed or removed, so that nothing holds it.
func TestEveryPromiseOfSECURITYNamesATestThatExists(t *testing.T) {
	t.Parallel()
	written, named := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`), regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	tests := map[string]bool{}
	require.NoError(t, fs.WalkDir(testkit.Project(t), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		for _, found := range written.FindAllStringSubmatch(readText(t, name), -1) {
			tests[found[1]] = true
		}
		return nil
	}))
	_, promises, _ := strings.Cut(readText(t, "SECURITY.md"), "## What the library promises\n")
	promises, _, _ = strings.Cut(promises, "\n## ")
	for _, promise := range strings.Split(promises, "\n- ")[1:] {
		names := named.FindAllStringSubmatch(promise, -1)
		assert.NotEmpty(t, names, promise)
		for _, name := range names {
			assert.True(t, tests[name[1]], name[1])
		}
	}
}

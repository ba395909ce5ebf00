package house_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/testkit"
)

// TestEveryPromiseOfSECURITYNamesATestThatExists checks that a test keeps each
// promise about secrets.
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
		first, _, _ := strings.Cut(promise, "\n")
		names := named.FindAllStringSubmatch(promise, -1)
		if len(names) == 0 {
			t.Errorf("SECURITY.md: %q names no test\nname the test that holds it", first)
		}
		for _, name := range names {
			if !tests[name[1]] {
				t.Errorf("SECURITY.md: there is no %s, which holds %q\nname the test that does", name[1], first)
			}
		}
	}
}

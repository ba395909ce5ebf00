package house_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCONTRIBUTINGNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	prose := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(readText(t, "CONTRIBUTING.md"), "")
	named := regexp.MustCompile("`([a-z.][\\w./-]*/[\\w./-]*|[\\w-]+_test\\.go)`").FindAllStringSubmatch(prose, -1)
	require.NotEmpty(t, named)
	for _, name := range named {
		if strings.HasPrefix(name[1], "net/") || strings.HasPrefix(name[1], "testing/") {
			continue // a package of the standard library
		}
		filesLike(t, name[1])
	}
}

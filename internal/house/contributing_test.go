package house_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheHouseOfCONTRIBUTINGStands(t *testing.T) {
	t.Parallel()
	house := regexp.MustCompile("(?s)```\n(client\\.go.*?)```").FindStringSubmatch(readText(t, "CONTRIBUTING.md"))
	require.NotNil(t, house)
	rooms := 0
	for line := range strings.Lines(house[1]) {
		names, what, ok := strings.Cut(line, "  ")
		require.True(t, ok && strings.TrimSpace(what) != "", "%q says nothing", line)
		for name := range strings.FieldsSeq(names) {
			if name == "…" {
				continue // stands for the files in between
			}
			filesLike(t, strings.ReplaceAll(name, "…", "*"))
			rooms++
		}
	}
	assert.Greater(t, rooms, 30)
}

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

package testkit

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// AssertLines checks that a file consists of the expected lines, in any order. A
// failure names one line and says what to do.
func AssertLines(t *testing.T, file, remedy string, made []string) {
	t.Helper()
	text, err := os.ReadFile(file) //nolint:gosec // a test names it
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range made {
		if !slices.Contains(lines, line) {
			t.Errorf("%s: has no line\n%s\n%s", file, line, remedy)
		}
	}
	for i, line := range lines {
		if !slices.Contains(made, line) || slices.Contains(lines[:i], line) {
			t.Errorf("%s:%d: is obsolete or a duplicate\n%s\nremove it if that is intended", file, i+1, line)
		}
	}
}

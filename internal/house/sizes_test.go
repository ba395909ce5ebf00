package house_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestThePagesAreShort limits the words of the pages that people read. Guides
// have at most 17,000 words, without the pages of the copy, of rows, of
// files and webhooks at the desk, of assistants and of licences.
func TestThePagesAreShort(t *testing.T) {
	t.Parallel()
	words := func(pattern string, each int) (all int) {
		for _, page := range filesLike(t, pattern) {
			n := len(strings.Fields(readText(t, page)))
			assert.LessOrEqual(t, n, each, page)
			if !strings.Contains("docs/keeping-a-copy.md docs/replica.md docs/rows.md docs/files-at-the-desk.md docs/webhooks-at-your-desk.md docs/assistants.md docs/licences.md", page) {
				all += n
			}
		}
		return all
	}
	words("README.md", 700)
	assert.LessOrEqual(t, words("docs/*.md", 1200), 17_000)
	assert.LessOrEqual(t, words("docs/design/*.md", 1200), 3_000)
}

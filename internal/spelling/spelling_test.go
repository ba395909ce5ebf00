package spelling_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/spelling"
)

func TestTheNameThatWasMeantIsTheMostSimilar(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"titel": "title", "TITLE": "title", "tite": "title", "txt": "text", "colour": "", "": ""} {
		assert.Equal(t, want, spelling.Nearest(name, []string{"id", "title", "text"}), name)
	}
	assert.Equal(t, "ab", spelling.Nearest("aa", []string{"ab", "ac"}), "the first of equals")
}

package transfer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/spans"

	"github.com/practicesdk/practice-go/internal/storage"
)

func intoFile(t *testing.T, o *Object) (content string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.bin")
	file, err := os.Create(path)
	require.NoError(t, err)
	n, err := o.CopyTo(t.Context(), file)
	require.NoError(t, file.Close())
	content = contentOf(t, path)
	assert.Len(t, content, int(n), "it tells what it wrote")
	return content, err
}

func TestAFileIsReadInRangesOfOneVersion(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 100)
	s := given(version{text, "v1"})
	got, err := intoFile(t, s.ranged(4, 100))
	require.NoError(t, err)
	assert.Equal(t, text, got)
	asked := s.asked()
	assert.Greater(t, len(asked), 3)
	for _, part := range asked[1:] {
		assert.Equal(t, "v1", part.ETag)
		assert.Positive(t, part.From)
	}
}

func TestOneRangeThatBreaksIsContinued(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 100)
	s := given(version{text, "v1"}, fault{after: 10}, fault{err: busy}, fault{after: 1})
	got, err := intoFile(t, s.ranged(4, 100))
	require.NoError(t, err)
	assert.Equal(t, text, got)
}

func TestAFileIsReadInOneStream(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 10)
	for name, change := range map[string]func(*setting){
		"the storage names no version":    func(s *setting) { s.now.etag = "" },
		"nobody knows its size":           func(s *setting) { s.service.size, s.noSize = -1, true },
		"the file is shorter than a part": func(s *setting) { s.now.content, s.service.size = "short", 5 },
		"the file is empty":               func(s *setting) { s.now.content, s.service.size = "", 0 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := given(version{text, "v1"})
			change(s)
			got, err := intoFile(t, s.ranged(4, 20))
			require.NoError(t, err)
			assert.Equal(t, s.now.content, got)
			assert.False(t, slices.ContainsFunc(s.asked(), func(p storage.Part) bool { return p.From > 0 }))
		})
	}
}

func TestADownloadIsNotedByBytesAsWellAsByTime(t *testing.T) {
	t.Parallel()
	const size, had = 4 * saveBytes, saveBytes / 2
	for _, test := range []struct {
		rule  string
		came  int64         // bytes since it was noted
		since time.Duration // it was noted
		noted int
	}{
		{"neither", saveBytes - 1, 0, 0},
		{"many bytes, on a fast line", saveBytes, 0, 1},
		{"much time, on a slow one", 1, saveInterval, 1},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			noted := 0
			f := &parallel{of: generation{size, "v1"}, savedAt: time.Now().Add(-test.since), saved: had, save: func(missing []spans.Span) error {
				assert.Equal(t, size-had-test.came, spans.Total(missing))
				noted++
				return nil
			}}
			f.queue = spans.NewQueue([]spans.Span{{From: had + test.came, To: size}}, size)
			require.NoError(t, f.saveNow())
			require.NoError(t, f.saveNow(), "and once only")
			assert.Equal(t, test.noted, noted)
		})
	}
}

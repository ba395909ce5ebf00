package transfer

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/intervals"

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
		came  int64         // bytes since the last save
		since time.Duration // time since the last save
		noted int
	}{
		{"neither", saveBytes - 1, 0, 0},
		{"many bytes, on a fast line", saveBytes, 0, 1},
		{"much time, on a slow one", 1, saveInterval, 1},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			noted := 0
			f := &parallel{of: generation{size, "v1"}, savedAt: time.Now().Add(-test.since), saved: had}
			f.save = func() error {
				assert.Equal(t, had+test.came, f.arrived())
				noted++
				return nil
			}
			f.queue = intervals.NewQueue([]intervals.Interval{{From: had + test.came, To: size}}, size)
			require.NoError(t, f.saveNow())
			require.NoError(t, f.saveNow(), "and once only")
			assert.Equal(t, test.noted, noted)
		})
	}
}

func TestAStorageThatKnowsNoRangesIsReadInOneStream(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 10)
	for rule, test := range map[string]struct {
		faults []fault
		asked  int
	}{
		"the content comes at once":              {nil, 1},
		"the connection breaks":                  {[]fault{{after: 40}, {after: 70}}, 3},
		"and again before it is where it was":    {[]fault{{after: 40}, {after: 20}, {after: 41}}, 4},
		"and ends before it is where it was":     {[]fault{{after: 40}, {after: 20, hangsUp: true}}, 3},
		"it breaks behind the last byte of them": {[]fault{{after: 40}, {after: 40}}, 3},
	} {
		for way, read := range ways() {
			t.Run(rule+"/"+way, func(t *testing.T) {
				t.Parallel()
				s := given(version{text, "v1"}, test.faults...)
				s.wholes = true
				got, err := read(t, s.ranged(4, 10))
				require.NoError(t, err)
				assert.Equal(t, text, got)
				assert.LessOrEqual(t, len(s.asked()), test.asked+1, "and once more to see that it knows none")
			})
		}
	}
}

// failingFile simulates a full disk.
type failingFile struct{ err error }

func (f failingFile) WriteAt([]byte, int64) (int, error) { return 0, f.err }

func TestARangeThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	for _, ranges := range []int{1, 4} {
		s := given(version{strings.Repeat("0123456789", 10), "v1"})
		f := &parallel{object: s.ranged(ranges, 10), to: failingFile{full}, progress: newProgress(nil, -1)}
		require.ErrorIs(t, f.whole(t.Context()), full)
	}
}

// slowStorage sends a byte every few seconds.
type slowStorage struct{ *fakeStorage }

func (s slowStorage) Get(ctx context.Context, from storage.Target, part storage.Part) (*storage.Object, error) {
	o, err := s.fakeStorage.Get(ctx, from, part)
	if err == nil {
		o.Body = &slowBody{o.Body}
	}
	return o, err
}

type slowBody struct{ io.ReadCloser }

func (b *slowBody) Read(p []byte) (int, error) {
	<-time.After(3 * time.Second)
	return b.ReadCloser.Read(p[:1])
}

func TestWhatIsMissingIsNotedWhileADownloadIsUnderWay(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	for name, fails := range map[string]error{"it can be noted": nil, "it cannot": full} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := given(version{"0123456789", "v1"})
				s.transfer.Storage = slowStorage{s.fakeStorage}
				root, _ := folder(t)
				to, err := root.Create("a.txt")
				require.NoError(t, err)
				defer to.Close()
				var noted []int64
				f := &parallel{object: s.object(), to: to, progress: newProgress(nil, -1)}
				f.save = func() error {
					noted = append(noted, f.of.size-f.arrived())
					return fails
				}
				require.ErrorIs(t, f.whole(t.Context()), fails)
				if fails == nil {
					assert.Equal(t, []int64{9, 8, 7, 6, 5, 4, 3, 2, 1}, noted)
				}
			})
		})
	}
}

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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

func TestADownloadContinuesAfterTheLastByteReceived(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"}, fault{after: 4}, fault{err: busy}, fault{after: 3})
	var got strings.Builder
	n, err := s.object().CopyTo(t.Context(), &got)
	require.NoError(t, err)
	assert.EqualValues(t, 10, n)
	assert.Equal(t, "0123456789", got.String())
	assert.Equal(t, []storage.Part{
		{}, {From: 4, ETag: "v1"}, {From: 4, ETag: "v1"}, {From: 7, ETag: "v1"},
	}, s.asked(), "from the last byte on, and of the same version")
}

func TestADownloadOverALineThatAlwaysBreaksIsFinished(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcdef", 10<<20/16)
	for way, read := range ways() {
		for rule, ranges := range map[string]int{"one stream": 1, "each of four ranges": 4} {
			t.Run(way+"/"+rule, func(t *testing.T) {
				t.Parallel()
				s := given(version{text, "v1"}, slices.Repeat([]fault{{after: 200 << 10}}, 100)...)
				got, err := read(t, s.ranged(ranges, 1<<20))
				require.NoError(t, err)
				assert.Zero(t, strings.Compare(text, got), "the whole content")
			})
		}
	}
}

func TestAStorageThatHardlySendsAnythingIsNotAskedWithoutEnd(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcdef", 10<<20/16)
	for way, read := range ways() {
		for rule, ranges := range map[string]int{"one stream": 1, "each of four ranges": 4} {
			t.Run(way+"/"+rule, func(t *testing.T) {
				t.Parallel()
				s := given(version{text, "v1"}, slices.Repeat([]fault{{after: 1}}, 10_000)...)
				_, err := read(t, s.ranged(ranges, 1<<20))
				require.ErrorIs(t, err, errReset)
				const readers = 2 // one way reads twice
				assert.LessOrEqual(t, len(s.asked()), max(ranges, readers)*(1+s.transfer.Retries.Max))
			})
		}
	}
}

func TestADownloadEndsWhenItCannotGoOn(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	for _, test := range []struct {
		name   string
		faults []fault
		stored version
		to     io.Writer
		is     error
	}{
		{"the retries are used up", []fault{{err: busy}, {err: busy}, {err: busy}, {err: busy}}, version{"content", "v1"}, nil, busy},
		{"the object is not there", []fault{{err: missing}}, version{"content", "v1"}, nil, missing},
		{"the version has no name", []fault{{after: 4}}, version{"content", ""}, nil, ErrNotResumable},
		{"the writer fails", nil, version{"content", "v1"}, failingWriter{full}, full},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := given(test.stored, test.faults...)
			if test.to == nil {
				test.to = new(discard)
			}
			_, err := s.object().CopyTo(t.Context(), test.to)
			require.ErrorIs(t, err, test.is)
			_, ok := errors.AsType[*Error](err)
			assert.True(t, ok)
			assert.Zero(t, s.stillOpen(), "answers")
		})
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestVersionsAreNotMixed(t *testing.T) {
	t.Parallel()
	s := given(version{"old content", "v1"}, fault{after: 4})
	w := &publishing{s: s, then: version{"new content", "v2"}}
	n, err := s.object().CopyTo(t.Context(), w)
	require.ErrorIs(t, err, ErrVersionChanged)
	assert.EqualValues(t, 4, n)
	assert.Equal(t, "old ", w.got.String())
}

func TestAFileIsBegunAgainForAnotherVersion(t *testing.T) {
	t.Parallel()
	s := given(version{"old content", "v1"}, fault{after: 4})
	path := filepath.Join(t.TempDir(), "a.txt")
	file, err := os.Create(path)
	require.NoError(t, err)
	_, err = file.WriteString("head ")
	require.NoError(t, err)
	s.transfer.Watch = func(ctx context.Context, begun Exchange) (context.Context, func(int, transport.Attempt)) {
		if begun.Number == 2 { // the one that goes on
			s.service.size = int64(len("newer content"))
			s.publish(version{"newer content", "v2"})
		}
		return ctx, nil
	}
	n, err := s.object().CopyTo(t.Context(), file)
	require.NoError(t, err)
	assert.EqualValues(t, 13, n)
	require.NoError(t, file.Close())
	assert.Equal(t, "head newer content", contentOf(t, path), "the bytes before stay")
}

func TestAFileKeepsThePartWithoutAGap(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"}, fault{after: 4}, fault{err: missing})
	path := filepath.Join(t.TempDir(), "a.txt")
	file, err := os.Create(path)
	require.NoError(t, err)
	n, err := s.object().CopyTo(t.Context(), file)
	require.ErrorIs(t, err, missing)
	assert.EqualValues(t, 4, n)
	at, err := file.Seek(0, io.SeekCurrent)
	require.NoError(t, err)
	assert.EqualValues(t, 4, at, "another download can go on there")
	require.NoError(t, file.Close())
	assert.Equal(t, "0123", contentOf(t, path))
}

func TestADownloadDoesNotStartOverForEver(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", ""}, slices.Repeat([]fault{{after: 4}}, 20)...)
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer file.Close()
	_, err = s.object().CopyTo(t.Context(), file)
	require.ErrorIs(t, err, ErrNotResumable, "the version has no name")
	assert.Len(t, s.asked(), 1+s.transfer.Retries.Max)
}

func TestOnlyAWholeDownloadTellsThatAllHasMoved(t *testing.T) {
	t.Parallel()
	for content, fails := range map[string][]fault{"": nil, "0123456789": {{after: 4}, {err: missing}}} {
		s := given(version{content, "v1"}, fails...)
		var told [][2]int64
		o := s.transfer.Object(s.service.place(), Options{Ranges: 1, RangeSize: 1, Progress: func(done, total int64) { told = append(told, [2]int64{done, total}) }})
		_, err := o.CopyTo(t.Context(), new(discard))
		if content == "" {
			require.NoError(t, err)
			assert.Equal(t, [][2]int64{{0, 0}}, told, "an empty content is told once")
			continue
		}
		require.ErrorIs(t, err, missing)
		assert.Equal(t, [][2]int64{{4, 10}}, told)
	}
}

// publishing stores another version when it has got something.
type publishing struct {
	s    *setting
	then version
	got  strings.Builder
}

func (p *publishing) Write(b []byte) (int, error) {
	p.s.publish(p.then)
	return p.got.Write(b)
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

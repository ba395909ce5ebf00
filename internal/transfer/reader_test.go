package transfer

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func reader(t *testing.T, s *setting) *Reader {
	t.Helper()
	r, err := s.object().Reader(t.Context())
	require.NoError(t, err)
	return r
}

func TestAReaderReadsFromAnywhere(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]fault{
		"over connections that hold":  nil,
		"over connections that break": {{after: 1}, {err: busy}, {after: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := given(version{"0123456789", "v1"}, faults...)
			r := reader(t, s)
			require.NoError(t, iotest.TestReader(r, []byte("0123456789")))
			require.NoError(t, r.Close())
		})
	}
}

func TestAReaderRefusesPositionsThatAreNone(t *testing.T) {
	t.Parallel()
	r := reader(t, given(version{"0123456789", "v1"}))
	_, err := r.Seek(0, 9)
	argumentError(t, err, "whence")
	_, err = r.Seek(-1, io.SeekStart)
	argumentError(t, err, "offset")
	_, err = r.ReadAt(make([]byte, 1), -1)
	argumentError(t, err, "off")
	require.NoError(t, r.Close())
}

func argumentError(t *testing.T, err error, argument string) {
	t.Helper()
	refusal, ok := errors.AsType[*ArgumentError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, argument, refusal.Argument)
}

func TestNothingIsReadAfterClose(t *testing.T) {
	t.Parallel()
	r := reader(t, given(version{"0123456789", "v1"}))
	require.NoError(t, r.Close())
	p := make([]byte, 1)
	_, err := r.Read(p)
	require.ErrorIs(t, err, fs.ErrClosed)
	_, err = r.ReadAt(p, 0)
	require.ErrorIs(t, err, fs.ErrClosed)
	_, err = r.Seek(0, io.SeekStart)
	require.ErrorIs(t, err, fs.ErrClosed)
	require.ErrorIs(t, r.Close(), fs.ErrClosed)
}

func TestAReaderStaysWithItsVersion(t *testing.T) {
	t.Parallel()
	s := given(version{strings.Repeat("0123456789", 10_000), "v1"})
	r := reader(t, s)
	_, err := r.ReadAt(make([]byte, 2), 0)
	require.NoError(t, err)
	s.publish(version{strings.Repeat("abcdefghij", 10_000), "v2"})
	_, err = r.ReadAt(make([]byte, 2), 70_000)
	require.ErrorIs(t, err, ErrVersionChanged)
	require.NoError(t, r.Close())
}

func TestAReaderNeedsASize(t *testing.T) {
	t.Parallel()
	s := given(version{"content", "v1"})
	s.service.size, s.noSize = -1, true
	_, err := s.object().Reader(t.Context())
	require.ErrorIs(t, err, ErrSizeUnknown)
}

// TestAReaderNoticesAtTheEndThatThereIsMore checks that a reader finds at its
// end that the content is longer, although neither the storage nor the lengths
// of its responses show it.
func TestAReaderNoticesAtTheEndThatThereIsMore(t *testing.T) {
	t.Parallel()
	for name, announced := range map[string]int{"short": 100, "long": 2 * smallWindow} {
		for way, read := range map[string]func(*Reader, []byte) (int, error){
			"all at once":           func(r *Reader, p []byte) (int, error) { return r.ReadAt(p, 0) },
			"the end, at its place": func(r *Reader, p []byte) (int, error) { return r.ReadAt(p[:10], int64(len(p)-10)) },
			"one after the other":   func(r *Reader, p []byte) (int, error) { return io.ReadFull(r, append(p, 0)) },
			"from a position sought": func(r *Reader, _ []byte) (int, error) {
				if _, err := r.Seek(-20, io.SeekEnd); err != nil {
					return 0, err
				}
				return io.ReadFull(r, make([]byte, 21))
			},
			"what was fetched before": func(r *Reader, p []byte) (int, error) {
				if _, err := r.ReadAt(p[:1], int64(len(p)-10)); err != nil {
					return 0, err // a caller that wants no more is satisfied
				}
				return r.ReadAt(p[:10], int64(len(p)-10))
			},
		} {
			t.Run(name+"/"+way, func(t *testing.T) {
				t.Parallel()
				s := given(version{someContent(announced + 1), "v1"})
				s.service.size, s.noSize = int64(announced), true
				r := reader(t, s)
				for range 2 {
					_, err := r.Seek(0, io.SeekStart)
					require.NoError(t, err)
					_, err = read(r, make([]byte, announced))
					require.ErrorIs(t, err, ErrSizeMismatch, "each time")
				}
				require.NoError(t, r.Close())
				assert.Zero(t, s.stillOpen())
			})
		}
	}
}

func TestLargeReadsGoToTheirPlaces(t *testing.T) {
	t.Parallel()
	content := someContent(10 * smallWindow)
	s := given(version{content, "v1"})
	r := reader(t, s)
	p := make([]byte, smallWindow)
	for _, at := range []int64{0, 5 * smallWindow, 2*smallWindow + 1, 3*smallWindow + 1, 0} {
		_, err := r.Seek(at, io.SeekStart)
		require.NoError(t, err)
		_, err = io.ReadFull(r, p)
		require.NoError(t, err)
		assert.Equal(t, contentHash(content[at:at+smallWindow]), contentHash(string(p)), "at %d", at)
		assert.Equal(t, 1, s.stillOpen(), "the connections of places that were left are closed")
	}
	require.NoError(t, r.Close())
	assert.Zero(t, s.stillOpen())
}

func TestAReadThatFailsGivesWhatCameBefore(t *testing.T) {
	t.Parallel()
	content := someContent(3 * smallWindow)
	s := given(version{content, "v1"}, fault{after: 10}, fault{err: missing})
	r := reader(t, s)
	p := make([]byte, 2*smallWindow)
	n, err := r.ReadAt(p, 5)
	require.ErrorIs(t, err, missing)
	assert.Equal(t, content[5:15], string(p[:n]))
	require.NoError(t, r.Close())
}

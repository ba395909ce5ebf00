package transfer

import (
	"errors"
	"io"
	"io/fs"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
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

func TestReadAtAsksForItsRangeOnly(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"})
	r := reader(t, s)
	p := make([]byte, 3)
	n, err := r.ReadAt(p, 4)
	require.NoError(t, err)
	assert.Equal(t, "456", string(p[:n]))
	n, err = r.ReadAt(p, 8)
	require.ErrorIs(t, err, io.EOF)
	assert.Equal(t, "89", string(p[:n]))
	_, err = r.ReadAt(p, 10)
	require.ErrorIs(t, err, io.EOF)
	assert.Equal(t, []storage.Part{{From: 4, To: 7}, {From: 8, ETag: "v1"}}, s.asked())
	require.NoError(t, r.Close())
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
	s := given(version{"0123456789", "v1"})
	r := reader(t, s)
	_, err := r.ReadAt(make([]byte, 2), 0)
	require.NoError(t, err)
	s.publish(version{"abcdefghij", "v2"})
	_, err = r.ReadAt(make([]byte, 2), 0)
	require.ErrorIs(t, err, ErrVersionChanged)
	require.NoError(t, r.Close())
}

func TestAReaderNeedsASize(t *testing.T) {
	t.Parallel()
	s := given(version{"content", "v1"})
	s.service.size, s.noSize = -1, true
	_, err := s.object().Reader(t.Context())
	require.ErrorIs(t, err, errNoLength)
}

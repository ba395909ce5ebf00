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

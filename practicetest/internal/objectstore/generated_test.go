package objectstore

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNewContentIsTheSameHoweverItIsRead(t *testing.T) {
	t.Parallel()
	whole, err := io.ReadAll(NewContent(7, 1000))
	require.NoError(t, err)
	require.Len(t, whole, 1000)
	require.NoError(t, iotest.TestReader(NewContent(7, 1000), whole))
	other, err := io.ReadAll(NewContent(8, 1000))
	require.NoError(t, err)
	assert.NotEqual(t, whole, other)
	for off := range 40 {
		part := make([]byte, 33)
		_, err := NewContent(7, 1000).ReadAt(part, int64(off))
		require.NoError(t, err)
		require.Equal(t, whole[off:off+33], part)
	}
}

func TestContentThatOnlyBeginsLikeGeneratedIsKeptAsItIs(t *testing.T) {
	t.Parallel()
	const size = 3*partSize + 100
	for _, at := range []int{16, partSize - 1, partSize, 2*partSize + 7, size - 1} {
		sent, err := io.ReadAll(NewContent(1, size))
		require.NoError(t, err)
		sent[at] ^= 1
		c, err := receive(bytes.NewReader(sent), size)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(sent, readAll(c)), "changed at %d", at)
	}
}

func TestContentIsSentFromAnyOffset(t *testing.T) {
	t.Parallel()
	const size = 2*partSize + 10
	plain := bytes.Repeat([]byte("abcdefg"), size/7+1)[:size]
	c, err := receive(bytes.NewReader(plain), size)
	require.NoError(t, err)
	for _, from := range []int64{0, 1, partSize - 1, partSize, partSize + 1, size - 1} {
		for _, n := range []int64{1, partSize, size} {
			n = min(n, size-from)
			var got bytes.Buffer
			require.NoError(t, c.send(&got, from, n))
			require.True(t, bytes.Equal(plain[from:from+n], got.Bytes()), "%d bytes from %d", n, from)
		}
	}
	require.ErrorIs(t, c.send(failingWriter{}, 0, size), io.ErrClosedPipe)
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAGeneratedFilePassesThroughTheStore(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	const size = 64 << 20
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, f.address("PUT", "big"), NewContent(3, size))
	require.NoError(t, err)
	req.ContentLength = size
	resp, err := f.client.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	kept, ok := f.lookup("big")
	require.True(t, ok)
	assert.IsType(t, generated{}, kept.content)

	resp, body := f.do(t, "GET", f.address("GET", "big"), nil, "Range: bytes=67108000-")
	assert.Equal(t, http.StatusPartialContent, resp.StatusCode)
	want := make([]byte, size-67108000)
	_, err = NewContent(3, size).ReadAt(want, 67108000)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, []byte(body)))
}

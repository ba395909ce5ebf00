package storage

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scan is a body in a file, after a few other bytes.
type scan struct {
	*io.SectionReader
	file   *os.File
	offset int64 // offset of the body in the file
	tail   int64 // number of bytes at the end that must be read
	unread int64 // number of bytes sent without being read
}

const before = 100

func newScan(t *testing.T, size int) (*scan, []byte) {
	t.Helper()
	content := make([]byte, before+size)
	_, _ = rand.Read(content)
	path := filepath.Join(t.TempDir(), "a.bin")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	file, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	return &scan{io.NewSectionReader(file, before, int64(size)), file, before, 10, 0}, content[before:]
}

func (s *scan) Ahead() (file *os.File, offset, n int64) {
	at, _ := s.Seek(0, io.SeekCurrent)
	return s.file, s.offset + at, s.Size() - at - s.tail
}

func (s *scan) Sent(n int64) {
	_, _ = s.Seek(n, io.SeekCurrent)
	s.unread += n
}

func TestAFileIsSentWithoutBeingRead(t *testing.T) {
	t.Parallel()
	const size = 5<<20 + 3
	for name, test := range map[string]struct {
		start  func(*httptest.Server)
		unread bool
	}{
		"http":                           {(*httptest.Server).Start, canSendFiles},
		"https, where it has to be read": {(*httptest.Server).StartTLS, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []byte
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got, _ = io.ReadAll(r.Body)
			}))
			test.start(server)
			client := New(Config{Transport: server.Client().Transport, Allowed: anywhere})
			t.Cleanup(func() {
				client.CloseIdleConnections()
				server.Close()
			})
			for range 2 { // twice over the same connection
				body, content := newScan(t, size)
				require.NoError(t, putting(client.Put(t.Context(), Target{Address: server.URL + signed, Idle: time.Minute}, body, size)))
				assert.True(t, bytes.Equal(content, got))
				assert.Equal(t, test.unread, body.unread > size/2)
				at, err := body.file.Seek(0, io.SeekCurrent)
				require.NoError(t, err)
				assert.Zero(t, at, "the file stands where it stood")
			}
		})
	}
}

// TestAFileThatNobodyTakesStalls checks that an upload to a peer that reads
// nothing ends at the limit, and that the file is not used afterwards.
func TestAFileThatNobodyTakesStalls(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	client, address := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-gone:
		}
	})
	body, _ := newScan(t, 64<<20)
	_, err := client.Put(t.Context(), Target{Address: address + signed, Idle: 200 * time.Millisecond}, body, 64<<20)
	require.ErrorIs(t, err, ErrStalled)
	at, _ := body.Seek(0, io.SeekCurrent)
	close(gone)
	client.CloseIdleConnections()
	now, _ := body.Seek(0, io.SeekCurrent)
	assert.Equal(t, at, now)
	assert.Less(t, at, int64(64<<20))
}

func TestAnAnswerBeforeTheEndOfAFile(t *testing.T) {
	t.Parallel()
	client, address := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	body, _ := newScan(t, 64<<20)
	_, err := client.Put(t.Context(), Target{Address: address + signed, Idle: time.Minute}, body, 64<<20)
	if refused, ok := errors.AsType[*StatusError](err); ok { // otherwise the connection broke first
		assert.True(t, refused.Refused())
	}
	require.Error(t, err)
}

// TestAFileThatCannotBeSentIsRead checks sources that the operating system
// cannot send itself.
func TestAFileThatCannotBeSentIsRead(t *testing.T) {
	t.Parallel()
	var got []byte
	client, address := serve(t, func(_ http.ResponseWriter, r *http.Request) { got, _ = io.ReadAll(r.Body) })
	body, content := newScan(t, 1<<20)
	closed, err := os.Open(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	body.file = closed
	require.NoError(t, putting(client.Put(t.Context(), Target{Address: address + signed}, body, 1<<20)))
	assert.True(t, bytes.Equal(content, got))
	assert.Zero(t, body.unread)
}

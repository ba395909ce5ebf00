package objectstore_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// world is a service whose content is in a real store, behind a proxy that can
// break connections.
type world struct {
	t      *testing.T
	store  *store
	line   *line
	signer *signer
	server *practicetest.Server
	client *practice.Client
	matter string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, store: startStore(t)}
	w.line = newLine(t, w.store.addr)
	w.signer = newSigner(w.line.addr(), w.store.secret)
	w.server = practicetest.New(t, practicetest.WithObjectStore(w.signer.sign),
		practicetest.WithMatters(1), practicetest.WithEvents(0), practicetest.WithWriteDelay(0))
	w.client = w.server.Client(t, practice.WithMaxRetryWait(20*time.Millisecond))
	w.matter = w.server.Firm().MatterID
	w.forget()
	return w
}

// clientThroughMiddleware returns a client with a wrapped transport, which the
// storage client cannot configure.
func (w *world) clientThroughMiddleware() *practice.Client {
	w.t.Helper()
	return w.server.Client(w.t, practice.WithHTTPClient(&http.Client{Transport: wrapped{w.server.HTTPClient().Transport}}))
}

type wrapped struct{ http.RoundTripper }

// forget resets the counters.
func (w *world) forget() {
	w.server.ResetRequests()
	w.line.mu.Lock()
	w.line.requests = nil
	w.line.mu.Unlock()
	w.signer.mu.Lock()
	w.signer.signed = nil
	w.signer.mu.Unlock()
}

// content returns pseudo-random bytes derived from a seed.
func content(t *testing.T, seed uint64, size int64) []byte {
	t.Helper()
	data, err := io.ReadAll(practicetest.NewContent(seed, size))
	require.NoError(t, err)
	return data
}

// stored creates a file with the content and returns its id.
func (w *world) stored(data []byte) (fileID string) {
	w.t.Helper()
	file, err := w.client.Documents.Upload(w.t.Context(), w.matter, practice.Upload{Name: "stored.bin", Body: bytes.NewReader(data)})
	require.NoError(w.t, err)
	w.forget()
	return file.ID
}

// holds checks the content of a file in the store itself.
func (w *world) holds(fileID string, data []byte) {
	w.t.Helper()
	got, ok := w.server.FileContent(fileID)
	require.True(w.t, ok)
	assert.True(w.t, bytes.Equal(data, got), "the right content: %d bytes instead of %d, alike in the first %d", len(got), len(data), alike(got, data))
}

// alike returns the length of the common prefix.
func alike(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// replace overwrites the object whose URL was last issued for reading.
func (w *world) replace(data []byte) {
	w.t.Helper()
	given := w.signer.addresses(http.MethodGet)
	require.NotEmpty(w.t, given)
	now := time.Now().UTC().Truncate(time.Second)
	address, err := w.signer.address(practicetest.PresignRequest{
		Method: http.MethodPut, Key: given[len(given)-1].Key, Issued: now, Expiry: now.Add(time.Minute),
	})
	require.NoError(w.t, err)
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPut, address, bytes.NewReader(data))
	require.NoError(w.t, err)
	answer, err := w.server.HTTPClient().Do(request)
	require.NoError(w.t, err)
	require.NoError(w.t, answer.Body.Close())
	require.Equal(w.t, http.StatusOK, answer.StatusCode)
}

// calls counts the requests of an operation of the service.
func (w *world) calls(operation string) (n int) {
	for _, r := range w.server.Requests() {
		if r.Operation == operation {
			n++
		}
	}
	return n
}

// onlyFile checks that a folder contains exactly one file with the content.
func (w *world) onlyFile(path string, data []byte) {
	w.t.Helper()
	got, err := os.ReadFile(path)
	require.NoError(w.t, err)
	assert.True(w.t, bytes.Equal(data, got), "the right content: %d bytes instead of %d, alike in the first %d", len(got), len(data), alike(got, data))
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(w.t, err)
	assert.Len(w.t, left, 1, "nothing else is left")
}

// failed checks that a transfer failed with an error of the store.
func failed(t *testing.T, err error, status int, code string) *practice.TransferError {
	t.Helper()
	e, ok := errors.AsType[*practice.TransferError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, status, e.StatusCode)
	assert.Equal(t, code, e.Code)
	assert.NotEmpty(t, e.FileID)
	assert.NotContains(t, err.Error(), "X-Amz-Signature")
	return e
}

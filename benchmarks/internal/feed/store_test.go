package feed_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
)

const objectSize = 3<<20 + 5

func TestAStoreTakesContentOfKnownLengthAndGivesItsOwn(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]feed.StoreConfig{
		"http":           {Size: objectSize},
		"https":          {Size: objectSize, TLS: true},
		"a single byte":  {Size: 1},
		"its block size": {Size: 1<<20 - 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := feed.OpenStore(cfg)
			t.Cleanup(store.Close)
			client := clientOf(t, store.StoreAddress)
			assert.Equal(t, http.StatusOK, put(t, client, store.ObjectURL(), strings.NewReader("content")))
			assert.Equal(t, http.StatusNotImplemented, put(t, client, store.ObjectURL(), io.MultiReader(strings.NewReader("content"))))
			resp, err := client.Get(store.ObjectURL())
			require.NoError(t, err)
			assert.Equal(t, cfg.Size, resp.ContentLength)
			require.NoError(t, feed.CheckContent(resp.Body, cfg.Size))
			require.NoError(t, resp.Body.Close())
			assert.Equal(t, 1, resp.ProtoMajor)
		})
	}
}

func TestAStoreGivesRanges(t *testing.T) {
	t.Parallel()
	store := feed.OpenStore(feed.StoreConfig{Size: objectSize})
	t.Cleanup(store.Close)
	client := clientOf(t, store.StoreAddress)
	var whole bytes.Buffer
	require.NoError(t, feed.WriteContent(&whole, 0, objectSize))
	for wanted, stated := range map[string]struct {
		from, to int
		header   string
	}{
		"bytes=0-0":        {0, 1, "bytes 0-0/3145733"},
		"bytes=5-1048580":  {5, 1048581, "bytes 5-1048580/3145733"},
		"bytes=3145728-":   {3145728, objectSize, "bytes 3145728-3145732/3145733"},
		"bytes=100000-":    {100000, objectSize, "bytes 100000-3145732/3145733"},
		"bytes=700-700000": {700, 700001, "bytes 700-700000/3145733"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, store.ObjectURL(), http.NoBody)
		require.NoError(t, err)
		req.Header.Set("Range", wanted)
		resp, err := client.Do(req)
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, http.StatusPartialContent, resp.StatusCode)
		assert.Equal(t, stated.header, resp.Header.Get("Content-Range"))
		assert.True(t, bytes.Equal(whole.Bytes()[stated.from:stated.to], got), wanted)
	}
}

func TestContentIsCompared(t *testing.T) {
	t.Parallel()
	var whole bytes.Buffer
	require.NoError(t, feed.WriteContent(&whole, 0, objectSize))
	require.NoError(t, feed.CheckContent(bytes.NewReader(whole.Bytes()), objectSize))
	require.Error(t, feed.CheckContent(bytes.NewReader(whole.Bytes()), objectSize-1))
	require.Error(t, feed.CheckContent(bytes.NewReader(whole.Bytes()), objectSize+1))
	shifted := append(bytes.Clone(whole.Bytes()[1<<20:]), whole.Bytes()[:1<<20]...)
	require.Error(t, feed.CheckContent(bytes.NewReader(shifted), objectSize))
}

// TestAStoreForAnotherProcess checks that ServeStore writes its address and
// stops at the end of its input.
func TestAStoreForAnotherProcess(t *testing.T) {
	t.Parallel()
	in, end := io.Pipe()
	told, out := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- feed.ServeStore(feed.StoreConfig{TLS: true, Size: 7}, in, out) }()
	var address feed.StoreAddress
	require.NoError(t, json.NewDecoder(told).Decode(&address))
	client := clientOf(t, address)
	resp, err := client.Get(address.ObjectURL())
	require.NoError(t, err)
	require.NoError(t, feed.CheckContent(resp.Body, 7))
	require.NoError(t, resp.Body.Close())
	client.CloseIdleConnections()
	require.NoError(t, end.Close())
	require.NoError(t, <-served)
}

func clientOf(t *testing.T, store feed.StoreAddress) *http.Client {
	t.Helper()
	wire, err := store.Transport()
	require.NoError(t, err)
	t.Cleanup(wire.CloseIdleConnections)
	return &http.Client{Transport: wire}
}

func put(t *testing.T, client *http.Client, address string, content io.Reader) (status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, content)
	require.NoError(t, err)
	resp, err := client.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

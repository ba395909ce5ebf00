package practicetest

import (
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestARequestWaitsUntilTheServiceIsReady(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newMemoryHost()
		ready := false
		require.NoError(t, h.serve(PartAPI, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			assert.True(t, ready)
			w.WriteHeader(http.StatusNoContent)
		})))
		answered := make(chan int, 1)
		go func() {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.origin(PartAPI), http.NoBody)
			assert.NoError(t, err)
			res, err := h.transport.RoundTrip(req)
			if assert.NoError(t, err) {
				assert.NoError(t, res.Body.Close())
				answered <- res.StatusCode
			}
		}()
		synctest.Wait()
		assert.Empty(t, answered)
		ready = true
		close(h.ready)
		assert.Equal(t, http.StatusNoContent, <-answered)
		h.transport.CloseIdleConnections()
		require.NoError(t, h.close())
	})
}

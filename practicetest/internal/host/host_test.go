package host

import (
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestARequestWaitsUntilTheServiceIsReady(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := Memory("api")
		ready := false
		require.NoError(t, h.Serve("api", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			assert.True(t, ready)
			w.WriteHeader(http.StatusNoContent)
		})))
		answered := make(chan int, 1)
		go func() {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.Origin("api"), http.NoBody)
			assert.NoError(t, err)
			res, err := h.Transport.RoundTrip(req)
			if assert.NoError(t, err) {
				assert.NoError(t, res.Body.Close())
				answered <- res.StatusCode
			}
		}()
		synctest.Wait()
		assert.Empty(t, answered)
		ready = true
		h.Ready()
		assert.Equal(t, http.StatusNoContent, <-answered)
		h.Transport.CloseIdleConnections()
		require.NoError(t, h.Close())
	})
}

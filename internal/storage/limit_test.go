package storage

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// limited returns a client whose storage responds immediately, so that only the
// limit takes time.
func limited(bytesPerSecond int64, content string) *Client {
	return New(Config{Allowed: anywhere, BytesPerSecond: bytesPerSecond, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody}
		if r.Method == http.MethodGet {
			answer.Body, answer.ContentLength = io.NopCloser(strings.NewReader(content)), int64(len(content))
			return answer, nil
		}
		_, err := io.Copy(io.Discard, r.Body)
		return answer, err
	})})
}

func TestAllExchangesTogetherKeepToTheBandwidth(t *testing.T) {
	t.Parallel()
	const perSecond, size = 100 << 10, 500 << 10
	content := strings.Repeat("x", size)
	for name, test := range map[string]struct {
		limit int64
		want  time.Duration
	}{
		"with a limit": {perSecond, 3 * size / perSecond * time.Second},
		"without":      {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, to := limited(test.limit, content), Target{Address: "https://storage.example.test/a", Idle: time.Second}
				began := time.Now()
				var together sync.WaitGroup
				for range 2 {
					together.Go(func() {
						object, err := client.Get(t.Context(), to, Part{})
						if !assert.NoError(t, err) {
							return
						}
						n, err := io.Copy(io.Discard, object.Body)
						assert.NoError(t, err, "the limit is no stall")
						assert.EqualValues(t, size, n)
						assert.NoError(t, object.Body.Close())
					})
				}
				together.Go(func() {
					assert.NoError(t, putting(client.Put(t.Context(), to, bytes.NewReader([]byte(content)), size)))
				})
				together.Wait()
				assert.InDelta(t, test.want.Seconds(), time.Since(began).Seconds(), 0.2)
			})
		})
	}
}

func TestWaitingForBandwidthEndsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		client := limited(1, strings.Repeat("x", 100_000))
		object, err := client.Get(ctx, Target{Address: "https://storage.example.test/a"}, Part{})
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, object.Body)
		require.Error(t, err)
		require.NoError(t, object.Body.Close())
	})
}

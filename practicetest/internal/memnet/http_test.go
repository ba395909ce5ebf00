package memnet_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/memnet"
	"github.com/practicesdk/practice-go/practicetest/internal/sandboxtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHTTPWorksInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := sandboxtest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			assert.NoError(t, err)
			<-time.After(time.Hour) // fake time
			_, _ = fmt.Fprintf(w, "%s %d", r.Method, len(body))
		}))
		for _, size := range []int{0, 10, 1 << 20} {
			resp, err := client.Post("http://"+sandboxtest.Host+"/", "text/plain", strings.NewReader(strings.Repeat("x", size)))
			require.NoError(t, err)
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			assert.Equal(t, fmt.Sprintf("POST %d", size), string(body))
		}
	})
}

func TestATimeoutOfTheClientEndsTheRequestOfTheServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		left := make(chan struct{}, 1)
		client := sandboxtest.InMemory(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			left <- struct{}{}
		}))
		client.Timeout = 30 * time.Second
		start := time.Now()
		err := sandboxtest.GetError(t, client, "http://"+sandboxtest.Host+"/")
		var netErr net.Error
		require.ErrorAs(t, err, &netErr)
		require.True(t, netErr.Timeout())
		assert.Equal(t, 30*time.Second, time.Since(start))
		<-left
	})
}

func TestTimeoutsOfTheServerWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		l, err := n.Listen(sandboxtest.Host)
		require.NoError(t, err)
		server := &http.Server{ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
		go func() { _ = server.Serve(l) }()
		defer server.Close()
		c, err := n.Dial(t.Context(), "tcp", sandboxtest.Host)
		require.NoError(t, err)
		defer c.Close()
		start := time.Now()
		_, err = c.Write([]byte("GET / HTTP/1.1\r\nHost: slow"))
		require.NoError(t, err)
		_, err = io.ReadAll(c)
		require.NoError(t, err)
		assert.Equal(t, 5*time.Second, time.Since(start), "a header that never ends")
	})
}

func TestConnectionsAreReusedAndManyWorkAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // net/http reuses no connection that needs 50 ms to report the request as written
		var mu sync.Mutex
		conns := map[string]bool{}
		client := sandboxtest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			conns[r.RemoteAddr] = true
			mu.Unlock()
			body, err := io.ReadAll(r.Body)
			assert.NoError(t, err)
			_, _ = w.Write(body)
		}))
		transport := client.Transport.(*http.Transport)
		transport.MaxConnsPerHost, transport.MaxIdleConnsPerHost = 8, 8
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for i := range 50 {
					want := strings.Repeat("y", i*997)
					resp, err := client.Post("http://"+sandboxtest.Host+"/", "text/plain", strings.NewReader(want))
					if !assert.NoError(t, err) {
						return
					}
					got, err := io.ReadAll(resp.Body)
					assert.NoError(t, err)
					assert.NoError(t, resp.Body.Close())
					assert.True(t, bytes.Equal([]byte(want), got), "the body came back changed")
				}
			})
		}
		wg.Wait()
		mu.Lock()
		defer mu.Unlock()
		assert.LessOrEqual(t, len(conns), 8)
	})
}

func TestARequestToAnAddressNobodyListensAtIsRefused(t *testing.T) {
	t.Parallel()
	client := sandboxtest.InMemory(t, http.NotFoundHandler())
	err := sandboxtest.GetError(t, client, "http://127.0.0.1:9999/")
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	var op *net.OpError
	require.ErrorAs(t, err, &op)
	assert.Equal(t, "dial", op.Op)
}

package practicetest

import (
	"bytes"
	"context"
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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDialReachesTheListenerOfTheAddress(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"127.0.0.1:8001", "hooks.example.test:80", "[::1]:443"} {
		t.Run(addr, func(t *testing.T) {
			t.Parallel()
			n := newNetwork()
			l, err := n.Listen(addr)
			require.NoError(t, err)
			defer l.Close()
			assert.Equal(t, addr, l.Addr().String())
			client, err := n.Dial(t.Context(), "tcp", addr)
			require.NoError(t, err)
			defer client.Close()
			server, err := l.Accept()
			require.NoError(t, err)
			defer server.Close()
			assert.Equal(t, addr, client.RemoteAddr().String())
			assert.Equal(t, client.LocalAddr(), server.RemoteAddr())
			assert.Equal(t, "tcp", client.LocalAddr().Network())
		})
	}
}

func TestAFailedDialSaysWhy(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	late, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	tests := map[string]struct {
		ctx           context.Context
		network, addr string
		want          error
		timeout       bool
	}{
		"nobody listens":      {t.Context(), "tcp", "127.0.0.1:9", syscall.ECONNREFUSED, false},
		"the listener closed": {t.Context(), "tcp", "127.0.0.1:8002", syscall.ECONNREFUSED, false},
		"another network":     {t.Context(), "udp", "127.0.0.1:8001", net.UnknownNetworkError("udp"), false},
		"cancelled":           {gone, "tcp", "127.0.0.1:8001", context.Canceled, false},
		"too late":            {late, "tcp", "127.0.0.1:8001", context.DeadlineExceeded, true},
	}
	n := newNetwork()
	open, err := n.Listen("127.0.0.1:8001")
	require.NoError(t, err)
	closed, err := n.Listen("127.0.0.1:8002")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	t.Cleanup(func() { _ = open.Close() })
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := n.Dial(tt.ctx, tt.network, tt.addr)
			var op *net.OpError
			require.ErrorAs(t, err, &op)
			assert.Equal(t, "dial", op.Op)
			assert.Equal(t, tt.addr, op.Addr.String())
			require.ErrorIs(t, err, tt.want)
			assert.Equal(t, tt.timeout, op.Timeout())
		})
	}
}

func TestAnAddressIsTakenUntilItsListenerCloses(t *testing.T) {
	t.Parallel()
	n := newNetwork()
	first, err := n.Listen("127.0.0.1:8001")
	require.NoError(t, err)
	_, err = n.Listen("127.0.0.1:8001")
	require.ErrorIs(t, err, syscall.EADDRINUSE)
	require.NoError(t, first.Close())
	require.ErrorIs(t, first.Close(), net.ErrClosed)
	second, err := n.Listen("127.0.0.1:8001")
	require.NoError(t, err)
	require.NoError(t, second.Close())
	_, err = n.Listen("no port")
	require.Error(t, err)
}

func TestPortZeroTakesAFreePort(t *testing.T) {
	t.Parallel()
	n := newNetwork()
	defer n.close()
	seen := map[string]bool{}
	for range 3 {
		l, err := n.Listen("127.0.0.1:0")
		require.NoError(t, err)
		host, _, err := net.SplitHostPort(l.Addr().String())
		require.NoError(t, err)
		assert.Equal(t, "127.0.0.1", host)
		assert.False(t, seen[l.Addr().String()])
		seen[l.Addr().String()] = true
	}
}

func TestClosingAListenerEndsAcceptAndResetsWhoWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		l, err := n.Listen("127.0.0.1:8001")
		require.NoError(t, err)
		waiting, err := n.Dial(t.Context(), "tcp", "127.0.0.1:8001")
		require.NoError(t, err, "a connection that nobody has accepted yet")
		n.close()
		_, err = waiting.Read(make([]byte, 1))
		require.ErrorIs(t, err, syscall.ECONNRESET)
		require.NoError(t, waiting.Close())
		_, err = l.Accept()
		require.ErrorIs(t, err, net.ErrClosed)
		var op *net.OpError
		require.ErrorAs(t, err, &op)
		assert.Equal(t, "accept", op.Op)

		again, err := n.Listen("127.0.0.1:8001")
		require.NoError(t, err)
		ended := make(chan error, 1)
		go func() {
			_, err := again.Accept()
			ended <- err
		}()
		synctest.Wait()
		require.NoError(t, again.Close())
		require.ErrorIs(t, <-ended, net.ErrClosed)
	})
}

func TestADialThatMeetsAClosingListenerIsRefused(t *testing.T) {
	t.Parallel()
	n := newNetwork()
	l, err := n.Listen("127.0.0.1:8001")
	require.NoError(t, err)
	l.(*listener).closed = true // its address is not free yet
	_, err = n.Dial(t.Context(), "tcp", "127.0.0.1:8001")
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

const hostA = "127.0.0.1:8001"

// serveInMemory serves h on the in-memory network and returns a client that reaches it.
func serveInMemory(t *testing.T, h http.Handler) *http.Client {
	t.Helper()
	n := newNetwork()
	l, err := n.Listen(hostA)
	require.NoError(t, err)
	transport := &http.Transport{DialContext: n.Dial}
	return serve(t, l, h, transport)
}

// serveLoopback does the same over TCP; requests go to hostA all the same.
func serveLoopback(t *testing.T, h http.Handler) *http.Client {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, l.Addr().String())
	}}
	return serve(t, l, h, transport)
}

func serve(t *testing.T, l net.Listener, h http.Handler, transport *http.Transport) *http.Client {
	t.Helper()
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		assert.NoError(t, server.Close())
		assert.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return &http.Client{Transport: transport}
}

func TestHTTPWorksInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := serveInMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			assert.NoError(t, err)
			pass(time.Hour) // of the bubble
			_, _ = fmt.Fprintf(w, "%s %d", r.Method, len(body))
		}))
		for _, size := range []int{0, 10, 1 << 20} {
			resp, err := client.Post("http://"+hostA+"/", "text/plain", strings.NewReader(strings.Repeat("x", size)))
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
		client := serveInMemory(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			left <- struct{}{}
		}))
		client.Timeout = 30 * time.Second
		start := time.Now()
		err := getError(t, client, "http://"+hostA+"/")
		var netErr net.Error
		require.ErrorAs(t, err, &netErr)
		require.True(t, netErr.Timeout())
		assert.Equal(t, 30*time.Second, time.Since(start))
		<-left
	})
}

// getError makes a request that must fail.
func getError(t *testing.T, client *http.Client, url string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	resp, err := client.Do(req)
	if err == nil {
		require.NoError(t, resp.Body.Close())
	}
	require.Error(t, err)
	return err
}

func TestTimeoutsOfTheServerWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		l, err := n.Listen(hostA)
		require.NoError(t, err)
		server := &http.Server{ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
		go func() { _ = server.Serve(l) }()
		defer server.Close()
		c, err := n.Dial(t.Context(), "tcp", hostA)
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
	var mu sync.Mutex
	conns := map[string]bool{}
	client := serveInMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		conns[r.RemoteAddr] = true
		mu.Unlock()
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		_, _ = w.Write(body)
	}))
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = 8
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 50 {
				want := strings.Repeat("y", i*997)
				resp, err := client.Post("http://"+hostA+"/", "text/plain", strings.NewReader(want))
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
	assert.LessOrEqual(t, len(conns), 16)
}

func TestARequestToAnAddressNobodyListensAtIsRefused(t *testing.T) {
	t.Parallel()
	client := serveInMemory(t, http.NotFoundHandler())
	err := getError(t, client, "http://127.0.0.1:9999/")
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	var op *net.OpError
	require.ErrorAs(t, err, &op)
	assert.Equal(t, "dial", op.Op)
}

package memnet

import (
	"context"
	"net"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDialReachesTheListenerOfTheAddress(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"127.0.0.1:8001", "hooks.example.test:80", "[::1]:443"} {
		t.Run(addr, func(t *testing.T) {
			t.Parallel()
			n := New()
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
	n := New()
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
	n := New()
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
	n := New()
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
		n := New()
		l, err := n.Listen("127.0.0.1:8001")
		require.NoError(t, err)
		waiting, err := n.Dial(t.Context(), "tcp", "127.0.0.1:8001")
		require.NoError(t, err, "a connection that nobody has accepted yet")
		require.NoError(t, l.Close())
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
	n := New()
	l, err := n.Listen("127.0.0.1:8001")
	require.NoError(t, err)
	l.(*listener).closed = true // closed, but the address is still in the table
	_, err = n.Dial(t.Context(), "tcp", "127.0.0.1:8001")
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

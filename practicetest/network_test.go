package practicetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
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

// connect returns the two ends of a connection that are closed with the test.
func connect(t *testing.T) (client, server *conn) {
	t.Helper()
	client, server = newNetwork().pipe("127.0.0.1:49152", "127.0.0.1:8001")
	t.Cleanup(func() {
		_ = client.Close()
		_ = server.Close()
	})
	return client, server
}

func TestWhatIsWrittenIsReadInOrderAndInFull(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, pieceSize - 1, pieceSize, pieceSize + 1, blockSize, 3*blockSize + 7, 5 << 20} {
		client, server := connect(t)
		sent := make([]byte, size)
		for i := range sent {
			sent[i] = byte(i * 31 >> 3)
		}
		wrote := make(chan error, 1)
		go func() {
			n, err := client.Write(sent)
			assert.Equal(t, size, n)
			wrote <- errors.Join(err, client.CloseWrite())
		}()
		got, err := io.ReadAll(server)
		require.NoError(t, err)
		require.NoError(t, <-wrote)
		require.True(t, bytes.Equal(sent, got), "%d bytes came changed", size)
	}
}

func TestHowAConnectionEnds(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		end func(near, far *conn)
		// what the ends meet that had "sent" on its way to near and far
		nearRead, nearWrite, farRead, farWrite error
		farGets                                string
	}{
		"close": {
			func(near, _ *conn) { _ = near.Close() },
			net.ErrClosed, net.ErrClosed, io.EOF, syscall.EPIPE, "sent",
		},
		"half close": {
			func(near, _ *conn) { _ = near.CloseWrite() },
			nil, syscall.EPIPE, io.EOF, nil, "sent",
		},
		"reset": {
			func(near, _ *conn) { near.reset() },
			net.ErrClosed, net.ErrClosed, syscall.ECONNRESET, syscall.ECONNRESET, "sent",
		},
		"half close, then reset": {
			func(near, _ *conn) { _ = near.CloseWrite(); near.reset() },
			net.ErrClosed, net.ErrClosed, syscall.ECONNRESET, syscall.ECONNRESET, "sent",
		},
		"close after the other end closed": {
			func(near, far *conn) { _ = far.Close(); _ = near.Close() },
			net.ErrClosed, net.ErrClosed, net.ErrClosed, net.ErrClosed, "",
		},
		"reset after close does nothing more": {
			func(near, _ *conn) { _ = near.Close(); near.reset() },
			net.ErrClosed, net.ErrClosed, io.EOF, syscall.EPIPE, "sent",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			near, far := connect(t)
			_, err := near.Write([]byte("sent"))
			require.NoError(t, err)
			_, err = far.Write([]byte("sent"))
			require.NoError(t, err)
			tt.end(near, far)

			got := make([]byte, 8)
			n, _ := far.Read(got)
			assert.Equal(t, tt.farGets, string(got[:n]), "what was sent before is still read")
			_, err = far.Read(got)
			checkEnd(t, "read", tt.farRead, err)
			_, err = far.Write([]byte("late"))
			checkEnd(t, "write", tt.farWrite, err)
			_, err = near.Read(got)
			checkEnd(t, "read", tt.nearRead, err)
			_, err = near.Write([]byte("late"))
			checkEnd(t, "write", tt.nearWrite, err)
		})
	}
}

func checkEnd(t *testing.T, op string, want, got error) {
	t.Helper()
	if want == nil || errors.Is(want, io.EOF) {
		assert.Equal(t, want, got)
		return
	}
	require.ErrorIs(t, got, want)
	var wrapped *net.OpError
	require.ErrorAs(t, got, &wrapped)
	assert.Equal(t, op, wrapped.Op)
}

func TestAClosedConnectionRefusesEverything(t *testing.T) {
	t.Parallel()
	c, _ := connect(t)
	require.NoError(t, c.Close())
	require.ErrorIs(t, c.Close(), net.ErrClosed)
	require.ErrorIs(t, c.CloseWrite(), net.ErrClosed)
	require.ErrorIs(t, c.SetDeadline(time.Now()), net.ErrClosed)
	require.ErrorIs(t, c.SetReadDeadline(time.Now()), net.ErrClosed)
	require.ErrorIs(t, c.SetWriteDeadline(time.Now()), net.ErrClosed)
}

func TestCloseWakesWhoeverWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ends := map[string]func(near, far *conn){
			"close near": func(near, _ *conn) { _ = near.Close() },
			"close far":  func(_, far *conn) { _ = far.Close() },
			"reset far":  func(_, far *conn) { far.reset() },
		}
		for name, end := range ends {
			near, far := connect(t)
			over := make(chan error, 3)
			go func() { _, err := near.Read(make([]byte, 1)); over <- err }()
			for range 2 {
				go func() { _, err := near.Write(make([]byte, 2*blockSize)); over <- err }()
			}
			synctest.Wait()
			assert.Empty(t, over, name)
			end(near, far)
			for range 3 {
				require.Error(t, <-over, name)
			}
		}
	})
}

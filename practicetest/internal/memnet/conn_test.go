package memnet

import (
	"bytes"
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

// connect returns the two ends of a connection and closes them when the test
// ends.
func connect(t *testing.T) (client, server *Conn) {
	t.Helper()
	client, server = New().pipe("127.0.0.1:49152", "127.0.0.1:8001")
	t.Cleanup(func() {
		_ = client.Close()
		_ = server.Close()
	})
	return client, server
}

func TestWhatIsWrittenIsReadInOrderAndInFull(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, BufferSize - 1, BufferSize, BufferSize + 1, 3*BufferSize + 7, 5 << 20} {
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
		end func(near, far *Conn)
		// errors at both ends, after each had sent "sent" to the other
		nearRead, nearWrite, farRead, farWrite error
		farGets                                string
	}{
		"close": {
			func(near, _ *Conn) { _ = near.Close() },
			net.ErrClosed, net.ErrClosed, io.EOF, syscall.EPIPE, "sent",
		},
		"half close": {
			func(near, _ *Conn) { _ = near.CloseWrite() },
			nil, syscall.EPIPE, io.EOF, nil, "sent",
		},
		"reset": {
			func(near, _ *Conn) { near.Reset() },
			net.ErrClosed, net.ErrClosed, syscall.ECONNRESET, syscall.ECONNRESET, "sent",
		},
		"half close, then reset": {
			func(near, _ *Conn) { _ = near.CloseWrite(); near.Reset() },
			net.ErrClosed, net.ErrClosed, syscall.ECONNRESET, syscall.ECONNRESET, "sent",
		},
		"close after the other end closed": {
			func(near, far *Conn) { _ = far.Close(); _ = near.Close() },
			net.ErrClosed, net.ErrClosed, net.ErrClosed, net.ErrClosed, "",
		},
		"close after the other end was reset": {
			func(near, far *Conn) { far.Reset(); _ = near.Close() },
			net.ErrClosed, syscall.ECONNRESET, net.ErrClosed, net.ErrClosed, "",
		},
		"reset after close does nothing more": {
			func(near, _ *Conn) { _ = near.Close(); near.Reset() },
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
		ends := map[string]func(near, far *Conn){
			"close near": func(near, _ *Conn) { _ = near.Close() },
			"close far":  func(_, far *Conn) { _ = far.Close() },
			"reset far":  func(_, far *Conn) { far.Reset() },
		}
		for name, end := range ends {
			near, far := connect(t)
			over := make(chan error, 3)
			go func() { _, err := near.Read(make([]byte, 1)); over <- err }()
			for range 2 {
				go func() { _, err := near.Write(make([]byte, 2*BufferSize)); over <- err }()
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

package feed

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// one is a listener with a single connection.
type one struct {
	net.Listener
	conn net.Conn
}

func (o one) Accept() (net.Conn, error) { return o.conn, nil }

func TestAConnectionSendsNoFasterThanItMay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		conn, err := (&pacedListener{one{conn: here}, 2 * pace}).Accept()
		require.NoError(t, err)
		received := make(chan int64, 1)
		go func() {
			n, _ := io.Copy(io.Discard, there)
			received <- n
		}()
		started := time.Now()
		n, err := conn.Write(make([]byte, 9*pace))
		require.NoError(t, err)
		assert.Equal(t, 9*pace, n)
		assert.Equal(t, 4*time.Second, time.Since(started), "the first piece goes out at once")
		require.NoError(t, conn.Close())
		assert.EqualValues(t, 9*pace, <-received)
	})
}

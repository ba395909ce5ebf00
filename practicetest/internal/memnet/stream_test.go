package memnet

import (
	"bytes"
	"errors"
	"net"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func requireTimeout(t *testing.T, err error) {
	t.Helper()
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	var netErr net.Error
	require.ErrorAs(t, err, &netErr)
	require.True(t, netErr.Timeout())
}

func TestADeadlineEndsAReadAndAWriteThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, _ := connect(t)
		start := time.Now()
		require.NoError(t, c.SetDeadline(start.Add(time.Second)))
		_, err := c.Read(make([]byte, 1))
		requireTimeout(t, err)
		assert.Equal(t, time.Second, time.Since(start))
		require.NoError(t, c.SetWriteDeadline(time.Now().Add(time.Minute)))
		n, err := c.Write(make([]byte, BufferSize+1))
		requireTimeout(t, err)
		assert.Equal(t, BufferSize, n, "what fitted was sent")
		assert.Equal(t, time.Minute+time.Second, time.Since(start))
	})
}

func TestADeadlineInThePastWinsOverBytesThatWait(t *testing.T) {
	t.Parallel()
	near, far := connect(t)
	_, err := far.Write([]byte("waiting"))
	require.NoError(t, err)
	require.NoError(t, near.SetDeadline(time.Unix(1, 0)))
	_, err = near.Read(make([]byte, 8))
	requireTimeout(t, err)
	_, err = near.Read(nil)
	requireTimeout(t, err)
	_, err = near.Write([]byte("x"))
	requireTimeout(t, err)

	require.NoError(t, near.SetDeadline(time.Time{}))
	got := make([]byte, 8)
	n, err := near.Read(got)
	require.NoError(t, err)
	assert.Equal(t, "waiting", string(got[:n]), "the zero time lifts the limit, nothing was lost")
	_, err = near.Write([]byte("x"))
	require.NoError(t, err)
}

func TestADeadlineCanBeMovedWhileSomebodyWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := connect(t)
		start := time.Now()
		require.NoError(t, near.SetReadDeadline(start.Add(time.Second)))
		read := make(chan error, 1)
		go func() { _, err := near.Read(make([]byte, 1)); read <- err }()
		<-time.After(900 * time.Millisecond)
		require.NoError(t, near.SetReadDeadline(start.Add(time.Hour)))
		<-time.After(time.Minute)
		assert.Empty(t, read, "later")
		require.NoError(t, near.SetReadDeadline(time.Now().Add(-time.Second)))
		requireTimeout(t, <-read)

		require.NoError(t, near.SetReadDeadline(time.Now().Add(time.Second)))
		require.NoError(t, near.SetReadDeadline(time.Time{}))
		go func() { _, err := near.Read(make([]byte, 1)); read <- err }()
		<-time.After(time.Hour)
		_, err := far.Write([]byte("x"))
		require.NoError(t, err)
		require.NoError(t, <-read, "lifted")
	})
}

func TestAReadDeadlineDoesNotTouchWritesNorTheOtherEnd(t *testing.T) {
	t.Parallel()
	near, far := connect(t)
	require.NoError(t, near.SetReadDeadline(time.Unix(1, 0)))
	_, err := near.Write([]byte("x"))
	require.NoError(t, err)
	_, err = far.Read(make([]byte, 1))
	require.NoError(t, err)
}

func TestConcurrentWritesStayWhole(t *testing.T) {
	t.Parallel()
	near, far := connect(t)
	const writers, size = 8, 3*BufferSize + 1
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			message := make([]byte, size)
			for j := range message {
				message[j] = byte(i)
			}
			_, err := near.Write(message)
			assert.NoError(t, err)
		})
	}
	go func() { wg.Wait(); _ = near.Close() }()
	message := make([]byte, size)
	seen := map[byte]bool{}
	for range writers {
		readFull(t, far, message)
		assert.False(t, seen[message[0]])
		seen[message[0]] = true
		require.Equal(t, size, bytes.Count(message, message[:1]))
	}
}

func readFull(t *testing.T, c net.Conn, p []byte) {
	t.Helper()
	for done := 0; done < len(p); {
		n, err := c.Read(p[done:])
		require.NoError(t, err)
		done += n
	}
}

func TestEverythingAtOnceFromManyGoroutines(t *testing.T) {
	t.Parallel()
	near, far := connect(t)
	var wg sync.WaitGroup
	for _, c := range []*Conn{near, far} {
		for range 4 {
			wg.Go(func() {
				buf := make([]byte, 1000)
				for {
					if _, err := c.Read(buf); err != nil && !timedOut(err) {
						return
					}
				}
			})
			wg.Go(func() {
				for {
					if _, err := c.Write(make([]byte, 5000)); err != nil && !timedOut(err) {
						return
					}
				}
			})
		}
		wg.Go(func() {
			for i := range 200 {
				_ = c.SetDeadline(time.Now().Add(time.Duration(i%5-2) * time.Millisecond))
				_ = c.SetReadDeadline(time.Time{})
				_ = c.SetWriteDeadline(time.Time{})
			}
			if c == near {
				_ = c.Close()
			}
		})
	}
	wg.Wait()
}

func timedOut(err error) bool {
	return errors.Is(err, os.ErrDeadlineExceeded)
}

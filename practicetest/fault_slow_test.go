package practicetest_test

import (
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/practicetest/internal/memnet"
)

func TestASlowConnectionTakesTheTimeOfTheBubble(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		rate  int64
		body  int           // size of the request body in bytes
		took  time.Duration // time for the body and the response of 31 bytes
		fails bool          // whether the client's time limit of ten hours passes
	}{
		"the answer":                {10, 0, 3100 * time.Millisecond, false},
		"both directions":           {1000, 69_000, 69*time.Second + 31*time.Millisecond, false},
		"more than the network can": {1_000_000, 5_000_000, 5*time.Second + 31*time.Microsecond, false},
		"a byte a second":           {1, 100, 131 * time.Second, false},
		"by default":                {0, 1 << 20, 16*time.Second + 473022*time.Nanosecond, false},
		"beyond the limit":          {1, 3 * memnet.BufferSize, 10 * time.Hour, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d := disturb(t, practicetest.New(t), fault{Kind: practicetest.FaultSlow, BytesPerSecond: tt.rate})
				d.limit = 10 * time.Hour
				began := time.Now()
				_, got, err := d.request(d.BaseURL()+"/op", strings.Repeat("x", tt.body))
				assert.InDelta(t, tt.took, time.Since(began), float64(time.Microsecond))
				assert.Equal(t, tt.fails, err != nil)
				if tt.fails {
					pass(24 * time.Hour) // until the server has read what the client had sent before
					assert.Zero(t, d.processed.Load())
					return
				}
				assert.Equal(t, fullBody, got)
				assert.EqualValues(t, tt.body, d.read.Load())
			})
		})
	}
}

func TestEveryConnectionHasItsOwnBandwidth(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := disturb(t, practicetest.New(t), fault{Kind: practicetest.FaultSlow, BytesPerSecond: 31, Times: -1})
		began := time.Now()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				_, got, err := d.request(d.BaseURL()+"/op", "")
				assert.NoError(t, err)
				assert.Equal(t, fullBody, got)
			})
		}
		wg.Wait()
		assert.InDelta(t, time.Second, time.Since(began), float64(time.Microsecond))
	})
}

func TestTimeInWhichNothingMovesIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := disturb(t, practicetest.New(t), fault{Kind: practicetest.FaultSlow, BytesPerSecond: 10})
		body, write := io.Pipe()
		go func() {
			_, err := write.Write(make([]byte, 100))
			assert.NoError(t, err)
			pass(time.Hour)
			_, err = write.Write(make([]byte, 100))
			assert.NoError(t, err)
			assert.NoError(t, write.Close())
		}()
		began := time.Now()
		answer, err := d.HTTPClient().Post(d.BaseURL()+"/op", "", body)
		require.NoError(t, err)
		_, err = io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.InDelta(t, time.Hour+13100*time.Millisecond, time.Since(began), float64(time.Millisecond))
	})
}

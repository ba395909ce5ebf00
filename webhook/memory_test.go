package webhook

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBoundedIsAMapThatForgets compares bounded with a simple list.
func TestBoundedIsAMapThatForgets(t *testing.T) {
	t.Parallel()
	type item struct {
		key   string
		value int
		until time.Time
	}
	const limit = 8
	random := rand.New(rand.NewPCG(1, 2))
	b, now := newBounded[int](limit), time.Unix(1000, 0)
	var list []item
	find := func(key string) int {
		for i, x := range list {
			if x.key == key {
				return i
			}
		}
		return -1
	}
	drop := func(i int) { list = append(list[:i:i], list[i+1:]...) }
	for step := range 20000 {
		key := fmt.Sprint(random.IntN(14))
		now = now.Add(time.Duration(random.IntN(3)) * time.Second)
		i := find(key)
		switch random.IntN(4) {
		case 0:
			if i >= 0 {
				drop(i)
			}
			for len(list) > 0 && (len(list) >= limit || !now.Before(list[0].until)) {
				drop(0)
			}
			lasts := time.Duration(random.IntN(20)) * time.Second
			list = append(list, item{key, step, now.Add(lasts)})
			b.put(keyDigest(key), step, now, lasts)
		case 1:
			if i >= 0 {
				drop(i)
			}
			b.remove(keyDigest(key))
		case 2:
			if i >= 0 {
				list[i].value = step
			}
			b.update(keyDigest(key), step)
		default:
			value, known := b.get(keyDigest(key), now)
			require.Equal(t, i >= 0 && now.Before(list[i].until), known)
			if known {
				require.Equal(t, list[i].value, value)
			}
		}
		require.Len(t, b.places, len(list))
		require.LessOrEqual(t, len(b.entries), limit+1, "places are used again")
	}
}

func TestAKeyIsItsOwnDigest(t *testing.T) {
	t.Parallel()
	hexadecimal := "00ff" + fmt.Sprintf("%060d", 7)
	assert.Equal(t, byte(0xff), keyDigest(hexadecimal)[1])
	assert.NotEqual(t, keyDigest("a"), keyDigest("b"))
	assert.NotEqual(t, keyDigest(hexadecimal), keyDigest("zz"+hexadecimal[2:]))
}

// stepped returns the result of time.Now after the clock was set forward by
// whole seconds: the seconds are above the 30 bits of the nanoseconds, followed
// by the monotonic reading.
func stepped(now time.Time, ahead int64) time.Time {
	*(*uint64)(unsafe.Pointer(&now)) += uint64(ahead << 30)
	return now
}

func TestAStoreInMemoryCountsTimeThatPassed(t *testing.T) {
	t.Parallel()
	start := time.Now()
	require.Equal(t, 20*time.Second, stepped(start, 20).Round(0).Sub(start.Round(0)))
	require.Zero(t, stepped(start, 20).Sub(start))
	for name, test := range map[string]struct {
		now  time.Time
		want Claim
	}{
		"the clock steps forward":         {stepped(start, 20), ClaimInProgress},
		"the clock steps back":            {stepped(start, -3600), ClaimInProgress},
		"the lease ends":                  {start.Add(16 * time.Second), ClaimNew},
		"it ends after a step back":       {stepped(start.Add(16*time.Second), -3600), ClaimNew},
		"it ends by a clock of one's own": {start.Add(16 * time.Second).Round(0), ClaimNew},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := start
			store, err := NewMemoryStore(WithClock(func() time.Time { return now }))
			require.NoError(t, err)
			_, err = store.Claim(t.Context(), "a", "first", 15*time.Second)
			require.NoError(t, err)
			now = test.now
			claim, err := store.Claim(t.Context(), "a", "second", 15*time.Second)
			require.NoError(t, err)
			assert.Equal(t, test.want, claim)
		})
	}
}

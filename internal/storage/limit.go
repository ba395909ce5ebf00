package storage

import (
	"context"

	"golang.org/x/time/rate"
)

// smallestBurst is the minimum number of bytes sent at a time. With smaller
// pieces, the overhead would outweigh the smoother flow.
const smallestBurst = 4 << 10

// bandwidth limits the total bytes per second of all exchanges. Nil means no
// limit.
type bandwidth struct{ limiter *rate.Limiter }

// newBandwidth returns a limit in bytes per second; 0 means none. A burst is a
// tenth of that.
func newBandwidth(bytesPerSecond int64) *bandwidth {
	if bytesPerSecond == 0 {
		return nil
	}
	burst := max(smallestBurst, int(min(bytesPerSecond/10, 1<<20)))
	return &bandwidth{rate.NewLimiter(rate.Limit(bytesPerSecond), burst)}
}

// part returns the beginning of p that fits into a burst.
func (b *bandwidth) part(p []byte) []byte {
	if b == nil {
		return p
	}
	return p[:min(len(p), b.limiter.Burst())]
}

// moved waits until the limit allows n bytes.
func (b *bandwidth) moved(ctx context.Context, n int) error {
	if b == nil || n == 0 {
		return nil
	}
	return b.limiter.WaitN(ctx, n)
}

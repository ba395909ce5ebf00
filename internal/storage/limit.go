package storage

import (
	"context"

	"golang.org/x/time/rate"
)

// smallestBurst is how many bytes move at once at least: fewer would cost more
// than they spread.
const smallestBurst = 4 << 10

// bandwidth limits how many bytes of all exchanges together move a second. Nil
// limits nothing.
type bandwidth struct{ limiter *rate.Limiter }

// newBandwidth returns a limit in bytes a second; 0 means none. Up to a tenth
// of a second's bytes move at once.
func newBandwidth(bytesPerSecond int64) *bandwidth {
	if bytesPerSecond == 0 {
		return nil
	}
	burst := max(smallestBurst, int(min(bytesPerSecond/10, 1<<20)))
	return &bandwidth{rate.NewLimiter(rate.Limit(bytesPerSecond), burst)}
}

// part is as much of p as may move at once.
func (b *bandwidth) part(p []byte) []byte {
	if b == nil {
		return p
	}
	return p[:min(len(p), b.limiter.Burst())]
}

// moved waits until so many bytes may have moved.
func (b *bandwidth) moved(ctx context.Context, n int) error {
	if b == nil || n == 0 {
		return nil
	}
	return b.limiter.WaitN(ctx, n)
}

package practicetest

import (
	"net/http"
	"time"

	"golang.org/x/time/rate"
)

// rateLimit is that of the service; nil is none. The server's lock guards it.
type rateLimit struct {
	perSecond float64
	burst     int
	buckets   map[asker]*bucket
}

// asker is one whose requests are counted together: a client at an operation.
type asker struct{ clientID, operation string }

// bucket has the requests that an asker may still make.
type bucket struct {
	limiter *rate.Limiter
	asked   time.Time // when it was looked into last
}

func newRateLimit(perSecond float64, burst int) *rateLimit {
	if !(perSecond > 0) {
		return nil
	}
	return &rateLimit{perSecond: perSecond, burst: burst, buckets: map[asker]*bucket{}}
}

// allows takes a request from the bucket of an asker, if there is one.
func (l *rateLimit) allows(by asker, now time.Time) bool {
	if l == nil {
		return true
	}
	b := l.buckets[by]
	if b == nil {
		b = &bucket{limiter: rate.NewLimiter(rate.Limit(l.perSecond), l.burst)}
		l.buckets[by] = b
	}
	return b.take(now)
}

// take goes on from now, with what there was, when the clock was set back: a limiter would
// refuse everything until it shows again what it has shown before.
func (b *bucket) take(now time.Time) bool {
	if now.Before(b.asked) {
		b.limiter.SetLimitAt(b.asked, b.limiter.Limit())
		b.limiter.SetLimitAt(now, b.limiter.Limit())
	}
	b.asked = now
	return b.limiter.AllowN(now, 1)
}

// forget fills every bucket.
func (l *rateLimit) forget() {
	if l != nil {
		clear(l.buckets)
	}
}

// checkRate takes a request from the bucket of the client for the operation. The tokens of
// every grant belong to the same client.
func (s *Server) checkRate(_ *http.Request, c *call) error {
	if s.rates.allows(asker{s.credentials.ClientID, c.operation}, c.now) {
		return nil
	}
	p := refuse(http.StatusTooManyRequests, "Too many requests.")
	if s.cfg.retryAfter > 0 {
		p = p.with("Retry-After", wholeSeconds(s.cfg.retryAfter))
	}
	return p
}

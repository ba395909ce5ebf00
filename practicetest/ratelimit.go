package practicetest

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/time/rate"
)

// rateLimit is the token bucket of the client. nil means no limit. It is
// guarded by the server's lock.
type rateLimit struct {
	limiter *rate.Limiter
	asked   time.Time // time of the latest request
}

func newRateLimit(perSecond float64, burst int) *rateLimit {
	if !(perSecond > 0) {
		return nil
	}
	return &rateLimit{limiter: rate.NewLimiter(rate.Limit(perSecond), burst)}
}

// allows takes a token from the bucket and reports whether there was one. If
// the clock was set back, it continues with the current tokens. Otherwise it
// would refuse requests until the clock shows the former time.
func (l *rateLimit) allows(now time.Time) bool {
	if l == nil {
		return true
	}
	if now.Before(l.asked) {
		l.limiter.SetLimitAt(l.asked, l.limiter.Limit())
		l.limiter.SetLimitAt(now, l.limiter.Limit())
	}
	l.asked = now
	return l.limiter.AllowN(now, 1)
}

// checkRate applies the rate limit, which counts all requests of the client
// regardless of their tokens.
func (s *Server) checkRate(_ *http.Request, c *call) error {
	if s.rates.allows(c.now) {
		return nil
	}
	p := refuse(http.StatusTooManyRequests, "Too many requests.")
	if s.cfg.retryAfter > 0 {
		p = p.with("Retry-After", strconv.Itoa(max(1, int(math.Ceil(s.cfg.retryAfter.Seconds())))))
	}
	return p
}

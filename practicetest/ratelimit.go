package practicetest

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/time/rate"
)

// rateLimit counts the requests that the client may still make; nil means no
// limit. The server's lock guards it.
type rateLimit struct {
	limiter *rate.Limiter
	asked   time.Time // when it was looked into last
}

func newRateLimit(perSecond float64, burst int) *rateLimit {
	if !(perSecond > 0) {
		return nil
	}
	return &rateLimit{limiter: rate.NewLimiter(rate.Limit(perSecond), burst)}
}

// allows takes a request from the bucket, if there is one. If the clock was set
// back, it continues from now with the present content: otherwise it would
// refuse everything until the former time.
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

// checkRate counts all requests of the client together, whatever token they
// come with.
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

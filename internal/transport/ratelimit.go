package transport

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/practicesdk/practice-go/internal/pause"
)

// ErrRateLimitWait is the failure of a call that would have to wait for the
// rate limit longer than its time limit allows.
var ErrRateLimitWait = errors.New("the wait for the rate limit would pass the time limit")

// Waiter decides when the next attempt may go out.
type Waiter interface{ Wait(context.Context) error }

// Limiter spreads the attempts of all goroutines over time. It also holds the
// gate that a 429 closes for all of them.
type Limiter struct {
	bucket Waiter // nil means no limit of our own

	mu    sync.Mutex
	opens time.Time
}

// NewLimiter allows perSecond attempts a second and burst at once; a
// perSecond of 0 means no limit.
func NewLimiter(perSecond float64, burst int) *Limiter {
	if perSecond <= 0 {
		return &Limiter{}
	}
	// The service counts by its own clock: a bucket of exactly the same rate
	// overruns it by the drift of a long walk.
	const under = 0.99
	return &Limiter{bucket: localBucket{rate.NewLimiter(rate.Limit(perSecond*under), burst)}}
}

// NewLimiterOver leaves the limit to somebody else.
func NewLimiterOver(waiter Waiter) *Limiter { return &Limiter{bucket: waiter} }

// localBucket counts the attempts of this client alone.
type localBucket struct{ *rate.Limiter }

func (b localBucket) Wait(ctx context.Context) error {
	if b.Limiter.Wait(ctx) != nil {
		return ErrRateLimitWait
	}
	return nil
}

// CloseFor keeps every attempt of the client back for d.
func (l *Limiter) CloseFor(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := time.Now().Add(d); until.After(l.opens) {
		l.opens = until
	}
}

// Wait returns when an attempt may go out.
func (l *Limiter) Wait(ctx context.Context) error {
	if err := l.waitForGate(ctx); err != nil {
		return err
	}
	if l.bucket == nil {
		return nil
	}
	if err := l.bucket.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}
	return l.waitForGate(ctx) // it may have closed meanwhile
}

func (l *Limiter) waitForGate(ctx context.Context) error {
	for {
		l.mu.Lock()
		opens := l.opens
		l.mu.Unlock()
		if opens.IsZero() { // as it is for most clients, most of the time
			return nil
		}
		wait := time.Until(opens)
		if wait <= 0 {
			return nil
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
			return ErrRateLimitWait
		}
		if err := pause.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// rateLimit is the link that takes one token for each attempt.
type rateLimit struct {
	next    http.RoundTripper
	limiter *Limiter
}

func (l *rateLimit) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callFrom(req.Context())
	call.goOn()
	began := call.now()
	err := l.limiter.Wait(req.Context())
	waited(&call.ahead.RateLimit, began)
	if err != nil {
		closeBody(req)
		return nil, &UnsentError{Err: err}
	}
	return l.next.RoundTrip(req)
}

// closeBody keeps the promise of every RoundTripper to close the body also
// when it fails.
func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // a body in memory cannot fail to close
	}
}

package transport

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// ErrRateLimitWait reports that the wait for the rate limit would exceed the
// time limit.
var ErrRateLimitWait = errors.New("the wait for the rate limit would exceed the time limit")

// Waiter delays attempts to keep a rate.
type Waiter interface{ Wait(context.Context) error }

// refusalWaiter is a Waiter that is notified of every 429.
type refusalWaiter interface {
	Refused(ctx context.Context, retryAfter time.Duration)
}

// Limiter limits the rate of the attempts of all goroutines: to a configured
// limit, and to the pace that it finds from 429s.
type Limiter struct {
	bucket Waiter        // nil means no configured limit
	most   float64       // configured limit in attempts per second; 0 if it is unknown
	head   chan struct{} // semaphore for the attempt that is next to pass the pace

	waiting atomic.Int64 // number of attempts that wait for the pace

	mu        sync.Mutex
	pace      pace
	succeeded time.Time // time of the latest response other than 429
}

// NewLimiter returns a limiter of perSecond attempts per second, in bursts of
// up to burst. A perSecond of 0 means no limit.
func NewLimiter(perSecond float64, burst int) *Limiter {
	if perSecond <= 0 {
		return NewLimiterOver(nil)
	}
	// The service counts by its own clock, which drifts, and from when the
	// first request arrives, which takes longer than others, since it
	// connects. So one attempt of the burst is a reserve.
	const under = 0.99
	l := NewLimiterOver(localBucket{rate.NewLimiter(rate.Limit(perSecond*under), max(1, burst-1))})
	l.most = perSecond * under
	return l
}

// NewLimiterOver returns a limiter that uses waiter, or no limit if that is nil.
func NewLimiterOver(waiter Waiter) *Limiter {
	return &Limiter{bucket: waiter, head: make(chan struct{}, 1)}
}

// localBucket limits only the attempts of this client.
type localBucket struct{ *rate.Limiter }

func (b localBucket) Wait(ctx context.Context) error {
	if b.Limiter.Wait(ctx) != nil {
		return ErrRateLimitWait
	}
	return nil
}

// Found returns the pace in attempts per second; ok is false if there is none.
func (l *Limiter) Found() (perSecond float64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	perSecond = l.pace.rate()
	if l.most > 0 {
		perSecond = min(perSecond, l.most)
	}
	return perSecond, l.pace.top > 0
}

// lastSuccess returns the time of the latest response other than 429.
func (l *Limiter) lastSuccess() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.succeeded
}

// expected returns how long another attempt would wait for the pace.
func (l *Limiter) expected() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pace.wait(time.Now()) + time.Duration(l.waiting.Load())*l.pace.spacing()
}

// send records that an attempt is sent, and reports false instead if a pause
// began before, or the first one if the attempt did not queue.
func (l *Limiter) send(now time.Time, queued, waited bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !queued && l.pace.top > 0 || l.pace.wait(now) > 0 {
		return false
	}
	l.pace.send(now, waited)
	return true
}

// wait blocks until the limit and the pace allow an attempt. It returns the
// time at which that is sent. A permission of the limit that is older than the
// first 429 is lost: those of many waiting attempts would be used at once.
func (l *Limiter) wait(ctx context.Context) (time.Time, error) {
	if _, paced := l.Found(); !paced {
		if err := l.waitForLimit(ctx); err != nil {
			return time.Time{}, err
		}
		if now := time.Now(); l.send(now, false, false) {
			return now, nil
		}
	}
	if _, err := l.next(ctx, l.waiting.Load()); err != nil {
		return time.Time{}, err
	}
	l.waiting.Add(1)
	defer l.waiting.Add(-1)
	select { // Go keeps the order of those that send to a channel
	case l.head <- struct{}{}:
	case <-ctx.Done():
		return time.Time{}, context.Cause(ctx)
	}
	defer func() { <-l.head }()
	return l.waitAtHead(ctx)
}

// waitAtHead waits for the pace and then for the limit. Only one attempt does,
// so none holds a reservation that changes, or a permission while it waits.
func (l *Limiter) waitAtHead(ctx context.Context) (time.Time, error) {
	waited := false
	for {
		wait, err := l.next(ctx, 0)
		if err != nil {
			return time.Time{}, err
		}
		waited = waited || wait > 0
		if err := backoff.Sleep(ctx, wait); err != nil {
			return time.Time{}, err
		}
		if err := l.waitForLimit(ctx); err != nil {
			return time.Time{}, err
		}
		if now := time.Now(); l.send(now, true, waited) {
			return now, nil
		}
	}
}

// next returns the time until an attempt behind others may be sent, or an error
// if that is too late for its call.
func (l *Limiter) next(ctx context.Context, others int64) (time.Duration, error) {
	l.mu.Lock()
	now := time.Now()
	closed, wait := l.pace.opens.Sub(now), l.pace.wait(now)+time.Duration(others)*l.pace.spacing()
	l.mu.Unlock()
	if call := callFrom(ctx); call != nil && closed > call.Retries.MaxWait {
		return 0, &ClosedError{closed}
	}
	if deadline, ok := ctx.Deadline(); ok && wait > 0 && deadline.Sub(now) <= wait {
		return 0, ErrRateLimitWait
	}
	return wait, nil
}

func (l *Limiter) waitForLimit(ctx context.Context) error {
	if l.bucket == nil {
		return nil
	}
	err := l.bucket.Wait(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// answered adapts the pace to a response to an attempt, sent at the given time.
func (l *Limiter) answered(sent time.Time, status int, now time.Time, asked time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if status == http.StatusTooManyRequests {
		l.pace.refuse(now, sent, asked, rand.Float64())
		return
	}
	l.succeeded = now
	switch status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		// The attempt may not have reached the limit.
	default:
		l.pace.accept(sent)
	}
}

// rateLimit is the handler that delays attempts.
type rateLimit struct {
	next    http.RoundTripper
	limiter *Limiter
}

func (l *rateLimit) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callFrom(req.Context())
	call.endRetryWait()
	sent := call.at
	if l.limiter.bucket != nil || !l.limiter.send(sent, false, false) {
		var err error
		sent, err = l.limiter.wait(req.Context())
		call.ahead.RateLimit += call.lap()
		if err != nil {
			closeBody(req)
			return nil, &UnsentError{Err: err}
		}
	}
	resp, err := l.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	asked, _ := RetryAfter(resp.Header)
	l.limiter.answered(sent, resp.StatusCode, call.at, asked)
	bucket, told := l.limiter.bucket.(refusalWaiter)
	if told && resp.StatusCode == http.StatusTooManyRequests {
		bucket.Refused(req.Context(), asked)
	}
	return resp, nil
}

package transport

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// ErrRateLimitWait reports that the wait for the rate limit would exceed the
// time limit.
var ErrRateLimitWait = errors.New("the wait for the rate limit would pass the time limit")

// Waiter delays attempts to keep a rate.
type Waiter interface{ Wait(context.Context) error }

// refusalWaiter is a Waiter that is notified of every 429.
type refusalWaiter interface {
	Refused(ctx context.Context, retryAfter time.Duration)
}

// Limiter limits the rate of the attempts of all goroutines. It also holds the
// gate that a 429 closes for all of them.
type Limiter struct {
	bucket Waiter        // nil means no configured limit
	head   chan struct{} // semaphore for the attempt that is next to pass the pace
	row    chan struct{} // semaphore for the attempt that is next to pass the row

	mu        sync.Mutex
	opens     time.Time
	pace      pace
	waiting   int       // number of attempts that wait for the pace
	succeeded time.Time // time of the latest response other than 429
}

// NewLimiter returns a limiter of perSecond attempts per second, in bursts of
// up to burst. A perSecond of 0 means no limit.
func NewLimiter(perSecond float64, burst int) *Limiter {
	if perSecond <= 0 {
		return NewLimiterOver(nil)
	}
	// The service counts by its own clock. In a long walk, a bucket of
	// exactly the same rate would exceed the limit by the drift of the
	// clocks.
	const under = 0.99
	l := NewLimiterOver(localBucket{rate.NewLimiter(rate.Limit(perSecond*under), burst)})
	l.pace.most = perSecond * under
	return l
}

// NewLimiterOver returns a limiter that uses waiter. If waiter is nil, it has
// no bucket.
func NewLimiterOver(waiter Waiter) *Limiter {
	return &Limiter{bucket: waiter, head: make(chan struct{}, 1), row: make(chan struct{}, 1)}
}

// localBucket limits only the attempts of this client.
type localBucket struct{ *rate.Limiter }

func (b localBucket) Wait(ctx context.Context) error {
	if b.Limiter.Wait(ctx) != nil {
		return ErrRateLimitWait
	}
	return nil
}

// MaxPause limits the time for which one response stops a client, since a
// Retry-After may hold the seconds of an epoch, or a date far away.
const MaxPause = time.Hour

// CloseFor delays all attempts of the client for d, or MaxPause if d is longer.
func (l *Limiter) CloseFor(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := time.Now().Add(min(d, MaxPause)); until.After(l.opens) {
		l.opens = until
		l.pace.held(until)
	}
}

// Wait blocks until the limit and the gate allow an attempt. A permission of
// the limit that is older than the closing of the gate is lost: those of many
// waiting attempts would be used at once when it opens.
func (l *Limiter) Wait(ctx context.Context) error {
	for {
		if err := l.waitForGate(ctx); err != nil || l.bucket == nil {
			return err
		}
		if err := l.bucket.Wait(ctx); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		}
		if l.isOpen() {
			return nil
		}
	}
}

func (l *Limiter) isOpen() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Until(l.opens) <= 0
}

func (l *Limiter) waitForGate(ctx context.Context) error {
	for {
		l.mu.Lock()
		opens := l.opens
		l.mu.Unlock()
		if opens.IsZero() { // the common case
			return nil
		}
		wait := time.Until(opens)
		if wait <= 0 {
			return nil
		}
		if call := callFrom(ctx); call != nil && wait > call.Retries.MaxWait {
			return &ClosedError{wait}
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
			return ErrRateLimitWait
		}
		if err := backoff.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// free reports whether an attempt may be sent at once: there is no limit, the
// gate is open and there is no pace.
func (l *Limiter) free(now time.Time, endpoint string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bucket != nil || !l.opens.IsZero() || l.pace.perSecond != 0 {
		return false
	}
	l.pace.sends(now, endpoint)
	return true
}

// wait blocks until the limit, the gate and the pace allow an attempt.
func (l *Limiter) wait(ctx context.Context, endpoint string) (turn, error) {
	enter := l.Wait
	if _, paced := l.Found(); paced {
		enter = l.waitForGate // the limit is asked last, see pass
	}
	if err := enter(ctx); err != nil {
		return turn{}, err
	}
	l.mu.Lock()
	if l.pace.perSecond == 0 {
		defer l.mu.Unlock()
		l.pace.sends(time.Now(), endpoint)
		return turn{endpoint: endpoint}, nil
	}
	expected := l.turnIn(endpoint)
	deadline, limited := ctx.Deadline()
	if limited && expected > 0 && time.Until(deadline) <= expected {
		l.mu.Unlock()
		return turn{}, ErrRateLimitWait
	}
	l.waiting++
	l.mu.Unlock()
	t, err := l.waitForPace(ctx, endpoint)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting--
	t.waited = t.waited && expected > 0
	return t, err
}

// turnIn returns how long another attempt would wait for the pace.
func (l *Limiter) turnIn(endpoint string) time.Duration {
	if l.pace.perSecond == 0 {
		return 0
	}
	return l.pace.next(time.Now(), endpoint) + time.Duration(l.waiting)*l.pace.spacing()
}

// expected is turnIn for callers that hold the lock.
func (l *Limiter) expected(endpoint string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.turnIn(endpoint)
}

// waitForPace lets attempts pass one at a time. Only the first one waits on a
// timer. The others hold no reservations, which would have to change with the
// pace and to be released on cancellation. Attempts for an endpoint that keeps
// refusing queue separately first, so that they do not delay others. Both
// queues are in order, because Go keeps the order of those that send to a
// channel.
func (l *Limiter) waitForPace(ctx context.Context, endpoint string) (turn, error) {
	if !l.isInRow(endpoint) {
		if t, passed, err := l.pass(ctx, endpoint); passed || err != nil {
			return t, err
		}
	}
	if err := acquire(ctx, l.row); err != nil {
		return turn{}, err
	}
	defer func() { <-l.row }()
	for {
		if err := l.waitForRow(ctx, endpoint); err != nil {
			return turn{}, err
		}
		if t, passed, err := l.pass(ctx, endpoint); passed || err != nil {
			return t, err
		}
	}
}

// acquire blocks until the semaphore is free.
func acquire(ctx context.Context, semaphore chan<- struct{}) error {
	select {
	case semaphore <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *Limiter) isInRow(endpoint string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pace.row.covers(endpoint)
}

// waitForRow blocks while the endpoint of an attempt refuses repeatedly.
func (l *Limiter) waitForRow(ctx context.Context, endpoint string) error {
	for {
		l.mu.Lock()
		wait := l.pace.row.next(time.Now(), endpoint)
		l.mu.Unlock()
		if wait <= 0 {
			return nil
		}
		if err := backoff.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// pass waits for the turn of an attempt and returns it, or false if the
// endpoint refuses repeatedly by then. It asks the limit last, and for one
// attempt at a time, so that no attempt has a permission while it waits for the
// pace.
func (l *Limiter) pass(ctx context.Context, endpoint string) (t turn, passed bool, err error) {
	if err := acquire(ctx, l.head); err != nil {
		return turn{}, false, err
	}
	defer func() { <-l.head }()
	for {
		if err := l.waitForGate(ctx); err != nil { // the gate may have closed meanwhile
			return turn{}, false, err
		}
		l.mu.Lock()
		now := time.Now()
		wait, row := l.pace.next(now, endpoint), l.pace.row.next(now, endpoint)
		l.mu.Unlock()
		if wait <= 0 {
			t, err := l.send(ctx, endpoint)
			return t, true, err
		}
		if row > 0 {
			return turn{}, false, nil
		}
		if err := backoff.Sleep(ctx, wait); err != nil {
			return turn{}, false, err
		}
	}
}

// send waits for the limit, and records that an attempt is sent. An attempt
// that the limit delays shows nothing of the pace.
func (l *Limiter) send(ctx context.Context, endpoint string) (turn, error) {
	due := time.Now()
	if err := l.Wait(ctx); err != nil {
		return turn{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	paced := now.Sub(due) < l.pace.spacing()/2
	return turn{endpoint: endpoint, epoch: l.pace.epoch, waited: paced, busy: l.pace.sends(now, endpoint)}, nil
}

// shorten shortens the wait after a 429 without Retry-After: a client with a
// pace waits only for its next turn.
func (l *Limiter) shorten(wait time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pace.perSecond == 0 {
		return wait
	}
	return 0
}

// Found returns the pace in attempts per second; ok is false if there is none.
func (l *Limiter) Found() (perSecond float64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pace.rate(), l.pace.perSecond > 0
}

// lastSuccess returns the time of the latest response with a status other than
// 429.
func (l *Limiter) lastSuccess() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.succeeded
}

// answered adapts the pace to the result of an attempt. The status is 0 if
// there was no response.
func (l *Limiter) answered(t turn, status int, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if status != 0 && status != http.StatusTooManyRequests {
		l.succeeded = now
	}
	switch status {
	case http.StatusTooManyRequests:
		l.pace.refuses(now, t)
	case 0, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		// The attempt may not have reached the limit.
	default:
		l.pace.accepts(t)
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
	own := turn{endpoint: call.Endpoint}
	if !l.limiter.free(call.at, call.Endpoint) {
		var err error
		own, err = l.limiter.wait(req.Context(), call.Endpoint)
		call.ahead.RateLimit += call.lap()
		if err != nil {
			closeBody(req)
			return nil, &UnsentError{Err: err}
		}
	}
	resp, err := l.next.RoundTrip(req)
	status := 0
	if err == nil {
		status = resp.StatusCode
	}
	l.limiter.answered(own, status, call.at)
	if status == http.StatusTooManyRequests {
		call.closed = l.close(req.Context(), call, resp)
	}
	return resp, err
}

// mostUnasked limits the time for which a 429 without Retry-After stops other
// calls.
const mostUnasked = time.Second

// close delays all calls of the client after a 429, even if its own call is not
// retried.
func (l *rateLimit) close(ctx context.Context, call *Call, resp *http.Response) time.Duration {
	wait := call.nextWait(resp)
	asked, ok := RetryAfter(resp.Header)
	if !ok {
		wait = l.limiter.shorten(wait)
	}
	closed := wait
	if !ok {
		closed = min(wait, mostUnasked)
	}
	if closed > 0 {
		l.limiter.CloseFor(closed)
	}
	if bucket, told := l.limiter.bucket.(refusalWaiter); told {
		bucket.Refused(ctx, asked)
	}
	return wait
}

// closeBody closes the body of a request that is not sent, as every
// RoundTripper must.
func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // closing a body in memory does not fail
	}
}

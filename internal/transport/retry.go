package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// retrier holds a retryablehttp.Client, whose callbacks use the current call,
// and the request that it sends. It is pooled, so that a call allocates neither.
type retrier struct {
	client  retryablehttp.Client
	request http.Request // authorise sends copies of it
	call    *Call
}

// newRetrier returns a retrier for client. retryablehttp drains bodies before a
// retry, but they are already in memory, see wholeBody.
func newRetrier(client *http.Client) *retrier {
	r := &retrier{request: http.Request{Header: http.Header{}}}
	r.client = retryablehttp.Client{
		HTTPClient: client,
		RetryMax:   math.MaxInt, // CheckRetry ends the loop
		CheckRetry: func(ctx context.Context, resp *http.Response, err error) (bool, error) {
			return r.call.checkRetry(ctx, resp, err), nil
		},
		Backoff:      func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return r.call.wait },
		PrepareRetry: func(req *http.Request) error { return r.call.prepareRetry(req) },
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	return r
}

// retry sends the call with all retries, and returns the last response with its
// body unread.
func (c *Chain) retry(ctx context.Context, call *Call) (*http.Response, error) {
	r := c.retriers.Get().(*retrier)
	defer c.retriers.Put(r)
	r.begin(ctx, call)
	defer r.end()
	return r.client.Do(&retryablehttp.Request{Request: &r.request})
}

// begin prepares the request. It has no Host, because net/http would then copy
// the URL for its cookies, and no header. authorise adds both.
func (r *retrier) begin(ctx context.Context, call *Call) {
	r.call = call
	req := &r.request
	*req = *req.WithContext(ctx)
	req.Method, req.URL = call.Method, call.URL
	if call.Body != nil {
		req.Body, req.ContentLength = call.reader(), int64(len(call.Body))
		req.GetBody = func() (io.ReadCloser, error) { return call.reader(), nil }
	}
}

// reader returns a new reader of the body.
func (c *Call) reader() io.ReadCloser { return io.NopCloser(bytes.NewReader(c.Body)) }

// end removes all data of the call, such as the cookies of the header.
func (r *retrier) end() {
	clear(r.request.Header)
	r.call, r.request = nil, http.Request{Header: r.request.Header}
}

// prepareRetry runs after the wait. It sets the body itself, because the
// Request of retryablehttp would need three more allocations for each call.
func (c *Call) prepareRetry(req *http.Request) error {
	if err := req.Context().Err(); err != nil {
		return err
	}
	if last := c.last(); last != nil && c.client.closeIdle != nil && isTimeout(last.Err) {
		c.client.closeIdle() // the connection of the last attempt may be silent, and others of the pool with it
	}
	clear(req.Header) // net/http adds the cookies of each attempt
	if c.Body != nil {
		req.Body = c.reader()
	}
	if c.Again == nil {
		return nil
	}
	return c.Again(req.Context())
}

// checkRetry decides after each attempt whether to retry, and sets the wait.
func (c *Call) checkRetry(ctx context.Context, resp *http.Response, err error) bool {
	again, reason := c.decide(ctx, resp, err)
	if last := c.last(); last != nil {
		if len(c.Attempts) > c.decided { // otherwise there was no attempt, and the reason is that of err
			last.Reason = reason
		}
		if again {
			last.Wait += c.wait
			c.paused = true
		}
	}
	c.decided = len(c.Attempts)
	c.report()
	return again
}

func (c *Call) decide(ctx context.Context, resp *http.Response, err error) (again bool, reason string) {
	c.wait = 0
	switch {
	case err == nil && resp.StatusCode < 300:
		return false, "success"
	case ctx.Err() != nil:
		return false, "the call's context ended"
	case err == nil && c.Class == Create && c.last().Uncertain:
		return false, "status " + strconv.Itoa(resp.StatusCode) + ", and a previous attempt may have been executed"
	}
	wanted, reason := c.repeatable(resp, err)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		if again, reason = c.retryUnauthorized(ctx); again {
			return true, reason
		}
		wanted = temporary(ctx, c.Cause)
	}
	if !wanted {
		return false, reason
	}
	limited := err == nil && resp.StatusCode == http.StatusTooManyRequests
	needed := c.chooseWait(resp, limited)
	deadline, ends := ctx.Deadline()
	switch {
	case c.wait > c.Retries.MaxWait:
		return false, reason + ", and the service asked the client to wait " + c.wait.Round(time.Second).String()
	case limited && c.Retries.Max > 0:
		if c.Timeout == 0 && c.exceeds429Wait() {
			return false, reason + ", and the retries took too long"
		}
	case c.used >= c.Retries.Max:
		return false, reason + ", no retries are left"
	}
	if ends && time.Until(deadline) <= needed {
		return false, reason + ", but the time limit expires before the next attempt"
	}
	if limited {
		c.refusals++
	} else {
		c.used++
	}
	c.Cause = nil // of a response that is not the last one
	return true, reason
}

// chooseWait sets the wait before the next attempt, and returns the minimum
// time until it can be sent.
func (c *Call) chooseWait(resp *http.Response, limited bool) time.Duration {
	c.wait = c.nextWait(resp)
	if !limited {
		return c.wait
	}
	return max(c.wait, c.client.limiter.expected())
}

// max429Wait limits how long a call without a time limit retries 429s after the
// last other response to the client.
const max429Wait = 2 * time.Minute // practice.DefaultTimeout

func (c *Call) exceeds429Wait() bool {
	since := c.begun
	if last := c.client.limiter.lastSuccess(); last.After(since) {
		since = last
	}
	return time.Since(since) >= max429Wait
}

// FoundToken reports that the token source answers a 401 of the call of ctx
// with a token that it did not request now, such as one that another process
// stored. The service may have refused that one too, so the call retries its
// next 401 as well. It does so once, because others could renew for ever.
func FoundToken(ctx context.Context) {
	if call := callFrom(ctx); call != nil && call.replayed && !call.found {
		call.found, call.replayed = true, false
	}
}

// retryUnauthorized reports whether to make another attempt with another token
// after a 401, and why. There is a second one if the first had a token that was
// only found, see FoundToken. They neither wait nor count as retries. After a
// temporary failure of the token source, a retry asks it again.
func (c *Call) retryUnauthorized(ctx context.Context) (bool, string) {
	switch {
	case c.client.tokens == nil:
		return false, "not authorised"
	case c.replayed:
		c.client.tokens.Replaced(c.token, false)
		return false, "not authorised"
	}
	c.replayed = true
	renewed, err := c.client.tokens.Renew(ctx, c.token)
	c.ahead.Token += c.lap()
	switch {
	case err != nil:
		c.Cause, c.replayed = err, !temporary(ctx, err)
		return false, "not authorised, and no new access token could be obtained"
	case !renewed:
		return false, "not authorised, and the token source has no other access token"
	}
	return true, "not authorised; retrying with another access token"
}

// reportAccepted reports a token that replaced a refused one if the final
// response shows that the service accepted it. A gateway may send the responses
// that do not count.
func (c *Call) reportAccepted(status int) {
	if (c.replayed || c.found) && status < http.StatusInternalServerError && status != http.StatusUnauthorized && status != http.StatusTooManyRequests {
		c.client.tokens.Replaced(c.token, true)
	}
}

// repeatable reports whether the class of the call allows a retry after this
// result.
func (c *Call) repeatable(resp *http.Response, err error) (bool, string) {
	if err != nil {
		return c.repeatableFailure(err)
	}
	status := resp.StatusCode
	text := "status " + strconv.Itoa(status)
	switch {
	case status == http.StatusTooManyRequests:
		return true, text
	case status < http.StatusInternalServerError:
		return false, text
	case status == http.StatusBadGateway, status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		return true, text
	case status == http.StatusInternalServerError && c.Class == Read:
		return true, text
	}
	return false, text
}

func (c *Call) repeatableFailure(err error) (bool, string) {
	began := len(c.Attempts) > c.decided
	if unsent, ok := errors.AsType[*UnsentError](err); ok && !began {
		return unsent.Temporary, "nothing was sent"
	}
	if errors.Is(err, ErrBodyTooLarge) {
		return false, "the response is larger than the limit"
	}
	if IsPermanent(err) {
		return false, "nothing was sent, and a retry would fail for the same reason"
	}
	switch {
	case c.Class != Create:
		return true, "no complete response"
	case !began:
		return false, "no response"
	case !c.unsent:
		c.last().Uncertain = true
		return false, "the request may have been executed"
	}
	return true, "nothing was sent"
}

// nextWait returns the wait before the attempt that follows resp, which may be
// nil.
func (c *Call) nextWait(resp *http.Response) time.Duration {
	var asked time.Duration
	if resp != nil {
		asked, _ = RetryAfter(resp.Header)
	}
	return c.Retries.Wait(c.used+c.refusals, asked)
}

// Wait returns the wait after used retries: the requested wait, which may
// exceed MaxWait and then ends the call, or a random part of an exponential
// limit.
func (r Retries) Wait(used int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	bound := backoff.Exponential(r.FirstWait, r.MaxWait, used)
	if bound <= 0 {
		return 0
	}
	return rand.N(bound + 1)
}

// RetryAfter returns the wait that the header of a response requests, and
// whether it requests one. A date is compared with the Date of the response,
// because the local clock may be wrong.
func RetryAfter(header http.Header) (time.Duration, bool) {
	text := header.Get("Retry-After")
	if text == "" {
		return 0, false
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return retryAfter(text, now)
}

// longestAsked is the longest wait in seconds; a Duration ends soon after.
const longestAsked = 9e9

// retryAfter returns the wait in either form of RFC 9110, section 10.2.3, and
// false for a date in the past or invalid text.
func retryAfter(text string, now time.Time) (time.Duration, bool) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if !(seconds > 0) {
			return 0, false
		}
		return time.Duration(min(seconds, longestAsked) * float64(time.Second)), true
	}
	if at, err := http.ParseTime(text); err == nil && at.After(now) {
		return at.Sub(now), true
	}
	return 0, false
}

// ErrNoReturn is the error of what ended by a panic in a function of the caller.
var ErrNoReturn = errors.New("a callback panicked or called runtime.Goexit")

// report passes each attempt to the observer once, after the decision on a
// retry, or at the end of the call if there was none.
func (c *Call) report() {
	for c.reported < len(c.Attempts) {
		attempt := &c.Attempts[c.reported]
		c.reported++ // even if the observer panics
		if attempt.Status == 0 && attempt.Err == nil {
			attempt.Err = ErrNoReturn
		}
		if c.Observer != nil {
			c.Observer.Attempt(*attempt)
		}
	}
}

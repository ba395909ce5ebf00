package practice

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/models"
)

const (
	renewEarly   = time.Minute      // before a token expires
	renewalLimit = 30 * time.Second // time limit of one renewal
)

// tokenCache holds the access token that all goroutines of a client share
// and renews it, one renewal at a time.
type tokenCache struct {
	source  grantSource
	client  *http.Client
	onGrant func(Grant)

	mu      sync.Mutex
	token   *oauth2.Token
	renewAt time.Time // zero when the token has no known end
	running *renewal

	subscribers map[chan struct{}]struct{}
}

// renewal is one request to the token source and those who wait for it. It
// ends early when all of them have left.
type renewal struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	token   *oauth2.Token
	err     error
}

// Token returns the access token, renewed when its end is near.
func (c *tokenCache) Token(ctx context.Context) (string, error) {
	c.mu.Lock()
	if c.token != nil && (c.renewAt.IsZero() || time.Now().Before(c.renewAt)) {
		defer c.mu.Unlock()
		return c.token.AccessToken, nil
	}
	old := c.token
	token, err := c.join(ctx)
	if err == nil {
		return token.AccessToken, nil
	}
	if old != nil && time.Now().Before(old.Expiry) && ctx.Err() == nil {
		return old.AccessToken, nil // it was renewed early and is still good
	}
	return "", err
}

// Renew replaces the token that the service refused, unless another goroutine
// has done so already. It reports false when the source has no other one.
func (c *tokenCache) Renew(ctx context.Context, refused string) (bool, error) {
	c.mu.Lock()
	if c.token != nil && c.token.AccessToken != refused {
		c.mu.Unlock()
		return true, nil
	}
	token, err := c.join(ctx)
	if err != nil {
		return false, err
	}
	return token.AccessToken != refused, nil
}

// join waits for the running renewal, or starts one. It is called with the
// lock held and releases it.
func (c *tokenCache) join(ctx context.Context) (*oauth2.Token, error) {
	r := c.running
	if r == nil {
		// A renewal serves all who wait, so it must outlive the one who began it.
		renewing, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewalLimit)
		r = &renewal{done: make(chan struct{}), cancel: cancel}
		c.running = r
		go c.renew(renewing, r, c.token)
	}
	r.waiting++
	c.mu.Unlock()

	select {
	case <-r.done:
		return r.token, r.err
	case <-ctx.Done():
		c.leave(r)
		return nil, context.Cause(ctx)
	}
}

func (c *tokenCache) leave(r *renewal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.waiting--
	if r.waiting == 0 {
		r.cancel()
		if c.running == r { // whoever comes next must not join an ended one
			c.running = nil
		}
	}
}

func (c *tokenCache) renew(ctx context.Context, r *renewal, previous *oauth2.Token) {
	defer r.cancel()
	token, err := c.source.fetch(ctx, c.client, previous)
	if err == nil && !validToken(token.AccessToken) {
		err = &TokenError{Err: errBadToken}
	}
	c.mu.Lock()
	if err == nil {
		c.token, c.renewAt = token, renewalTime(token, time.Now())
	}
	if c.running == r {
		c.running = nil
	}
	r.token, r.err = token, err
	close(r.done)
	c.mu.Unlock()

	if err == nil && (previous == nil || previous.AccessToken != token.AccessToken) {
		c.announce()
	}
	if err == nil && c.onGrant != nil && (previous == nil || previous.RefreshToken != token.RefreshToken) {
		c.onGrant(Grant{First: previous == nil, RefreshToken: models.NewSecret(token.RefreshToken)})
	}
}

// renewalTime is a minute before the end, or a quarter of the lifetime before
// it for tokens that live for minutes only.
func renewalTime(token *oauth2.Token, now time.Time) time.Time {
	if token.Expiry.IsZero() {
		return time.Time{}
	}
	return token.Expiry.Add(-min(renewEarly, token.Expiry.Sub(now)/4))
}

// subscribe gives a channel that gets a value after every new access token, and a
// function that ends that. Several tokens in a row may give one value: whoever
// renews a token never waits for a subscriber.
func (c *tokenCache) subscribe() (news <-chan struct{}, end func()) {
	own := make(chan struct{}, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.subscribers == nil {
		c.subscribers = make(map[chan struct{}]struct{})
	}
	c.subscribers[own] = struct{}{}
	return own, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.subscribers, own)
	}
}

// announce tells all subscribers.
func (c *tokenCache) announce() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for subscriber := range c.subscribers {
		select {
		case subscriber <- struct{}{}:
		default:
		}
	}
}

// TokenError reports that no access token could be obtained. It holds the
// answer of the token endpoint in the terms of OAuth 2.0, and nothing of the
// request.
type TokenError struct {
	StatusCode  int    // HTTP status of the token endpoint; 0 when it did not answer
	Code        string // OAuth error code, such as "invalid_grant"
	Description string // OAuth error description
	Err         error  // the cause when there was no answer
}

// Error says what happened, without any secret.
func (e *TokenError) Error() string {
	text := "no access token"
	if e.StatusCode != 0 {
		text += ": status " + strconv.Itoa(e.StatusCode)
	}
	if e.Code != "" {
		text += ": " + oneLine(e.Code)
	}
	if e.Description != "" {
		text += ": " + oneLine(e.Description)
	}
	if e.Err != nil {
		text += ": " + oneLine(e.Err.Error())
	}
	return text
}

// Unwrap returns Err.
func (e *TokenError) Unwrap() error { return e.Err }

// Temporary reports whether another attempt may bring a token.
func (e *TokenError) Temporary() bool {
	if e.StatusCode == 0 {
		return e.Err != nil && !errors.Is(e.Err, errBadToken) && !errors.Is(e.Err, context.Canceled)
	}
	return e.StatusCode == http.StatusTooManyRequests || e.StatusCode >= http.StatusInternalServerError
}

var errBadToken = errors.New("the token does not fit into a header")

// tokenError keeps the parts of a failure that are no secret: oauth2 repeats
// whole answers in its texts, and net/http whole addresses.
func tokenError(err error) *TokenError {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		status := 0
		if refused.Response != nil {
			status = refused.Response.StatusCode
		}
		return &TokenError{StatusCode: status, Code: refused.ErrorCode, Description: refused.ErrorDescription}
	}
	return &TokenError{Err: redact.Address(err)}
}

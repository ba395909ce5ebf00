package practice

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/panics"
	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

const (
	renewEarly   = time.Minute      // before a token expires
	renewalLimit = 30 * time.Second // time limit of one renewal
)

// Pauses after a failed renewal: a failing token endpoint is not asked by
// every call.
const (
	firstRenewalPause = time.Second
	maxRenewalPause   = 30 * time.Second
)

// tokenCache holds the access token that all goroutines of a client share
// and renews it, one renewal at a time.
type tokenCache struct {
	source  grantSource
	client  *http.Client
	onGrant func(Grant)                        // may be nil
	store   func(context.Context, Grant) error // may be nil

	mu       sync.Mutex
	token    *oauth2.Token // in use
	granted  *oauth2.Token // latest of the token endpoint; not in use while it is not stored
	unstored bool
	renewAt  time.Time // zero when the token has no known end
	running  *renewal

	failed   error     // of the latest renewal
	failures int       // in a row
	pauseEnd time.Time // no renewal begins before

	hooks   []Grant // that the hook was not told of
	hooking bool    // a goroutine is telling it

	broke panics.Box // a function of the caller, in the goroutine of a renewal

	subscribers map[chan struct{}]struct{}
}

// renewal is one request to the token source. It runs to its own limit, whoever
// waits for it and leaves: its answer may hold the only valid refresh token.
type renewal struct {
	done  chan struct{}
	token *oauth2.Token
	err   error
}

// Token returns the access token. A token near its end is used while its
// successor is fetched; an ended one makes calls wait.
func (c *tokenCache) Token(ctx context.Context) (string, error) {
	c.broke.Rethrow()
	c.mu.Lock()
	if c.usable(ctx) {
		defer c.mu.Unlock()
		return c.token.AccessToken, nil
	}
	if err := c.waitForPause(ctx); err != nil {
		return "", err
	}
	if c.usable(ctx) { // another call has asked meanwhile
		defer c.mu.Unlock()
		return c.token.AccessToken, nil
	}
	token, err := c.join(ctx)
	if err != nil {
		return "", err
	}
	return token.AccessToken, nil
}

// usable tells whether the token has not ended, and begins to fetch its successor when
// its end is near. It is called with the lock held.
func (c *tokenCache) usable(ctx context.Context) bool {
	now := time.Now()
	if c.token == nil || !c.renewAt.IsZero() && !now.Before(c.token.Expiry) {
		return false
	}
	if due := !c.renewAt.IsZero() && !now.Before(c.renewAt); due && c.running == nil && !now.Before(c.pauseEnd) {
		c.begin(ctx)
	}
	return true
}

// waitForPause waits until the token source may be asked again, unless the source
// itself asked for a longer pause than any other. It is called with the lock held,
// and holds it when it returns nil.
func (c *tokenCache) waitForPause(ctx context.Context) error {
	for c.running == nil && time.Now().Before(c.pauseEnd) {
		failed, until := c.failed, c.pauseEnd
		deadline, limited := ctx.Deadline()
		refused, ok := errors.AsType[*TokenError](failed)
		c.mu.Unlock()
		if ok && !refused.Temporary() || limited && !until.Before(deadline) || time.Until(until) > maxRenewalPause {
			return failed
		}
		if err := backoff.Sleep(ctx, time.Until(until)); err != nil {
			return awaited(err, failed)
		}
		c.mu.Lock()
	}
	return nil
}

// Renew replaces the token that the service refused, unless another goroutine
// has done so already. It reports false when the source has no other one.
func (c *tokenCache) Renew(ctx context.Context, refused string) (bool, error) {
	c.mu.Lock()
	if c.token != nil && c.token.AccessToken != refused {
		c.mu.Unlock()
		return true, nil
	}
	if c.running == nil && time.Now().Before(c.pauseEnd) {
		defer c.mu.Unlock()
		return false, c.failed
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
		r = c.begin(ctx)
	}
	failed := c.failed
	c.mu.Unlock()

	select {
	case <-r.done:
		c.broke.Rethrow()
		return r.token, r.err
	case <-ctx.Done():
		return nil, awaited(context.Cause(ctx), failed)
	}
}

// awaited is the end of a call that waited for a token. It names the failure of the
// renewal before, if there was one: that is why the call waited so long.
func awaited(ended, failed error) error {
	if failed == nil {
		return ended
	}
	return &transport.AwaitedError{Ended: ended, Failed: failed}
}

// begin starts a renewal. It is called with the lock held.
func (c *tokenCache) begin(ctx context.Context) *renewal {
	renewing, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewalLimit)
	r := &renewal{done: make(chan struct{})}
	c.running = r
	go func() {
		defer cancel()
		c.renew(renewing, r)
	}()
	return r
}

// renew fetches a token and stores its grant. A grant that could not be stored is
// kept and stored by the next renewal, which then asks for no other one.
//
// A function of the caller that panics is an error here, and the next call that asks
// for the token panics: nobody could catch it in this goroutine.
func (c *tokenCache) renew(ctx context.Context, r *renewal) {
	c.mu.Lock()
	previous, granted, unstored := c.token, c.granted, c.unstored
	c.mu.Unlock()
	before := granted
	var err error
	if !unstored {
		err = errBroke
		c.broke.Apart(func() { granted, err = c.fetch(ctx, granted) })
	}
	fresh := granted != nil && granted != before && (before == nil || before.RefreshToken != granted.RefreshToken)
	grant := Grant{First: previous == nil, RefreshToken: models.NewSecret(refreshTokenOf(granted))}
	var refused error
	if (fresh || unstored) && c.store != nil {
		refused = errBroke
		if c.broke.Apart(func() { refused = c.store(ctx, grant) }); refused != nil {
			mask := redact.NewMask(tokenSecrets(granted)...)
			refused = &TokenError{Err: &GrantStoreError{Err: mask.Error(refused)}}
		}
	}
	c.mu.Lock()
	c.granted, c.unstored = granted, refused != nil
	if err == nil {
		err = refused
	}
	if err == nil {
		c.token, c.renewAt, c.failures, c.pauseEnd = granted, renewalTime(granted, time.Now()), 0, time.Time{}
	} else {
		c.failures++
		c.pauseEnd = time.Now().Add(max(backoff.Exponential(firstRenewalPause, maxRenewalPause, c.failures-1), askedPause(err)))
	}
	c.failed, c.running = err, nil
	r.token, r.err = granted, err
	if fresh && c.onGrant != nil {
		c.hooks = append(c.hooks, grant)
	}
	close(r.done)
	c.mu.Unlock()
	if err == nil && (previous == nil || previous.AccessToken != granted.AccessToken) {
		c.announce()
	}
	c.tellHook()
}

// askedPause is how long the token endpoint asked to be left alone.
func askedPause(err error) time.Duration {
	if refused, ok := errors.AsType[*TokenError](err); ok {
		return refused.RetryAfter
	}
	return 0
}

var errBroke error = &TokenError{Err: errors.New("a function of the caller panicked")}

// fetch asks the source. A refresh token that came with an access token that
// cannot be used is kept all the same: the one before it may be spent.
func (c *tokenCache) fetch(ctx context.Context, before *oauth2.Token) (*oauth2.Token, error) {
	token, err := c.source.fetch(ctx, c.client, before)
	if err != nil {
		return before, err
	}
	if validToken(token.AccessToken) {
		return token, nil
	}
	if token.RefreshToken == "" {
		token = before
	}
	return token, &TokenError{Err: errBadToken}
}

func refreshTokenOf(token *oauth2.Token) string {
	if token == nil {
		return ""
	}
	return token.RefreshToken
}

// tellHook calls the hook for every grant that it was not told of, one at a
// time and in order, outside of the lock.
func (c *tokenCache) tellHook() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hooking {
		return
	}
	c.hooking = true
	for len(c.hooks) > 0 {
		grant := c.hooks[0]
		c.hooks = c.hooks[1:]
		c.mu.Unlock()
		c.broke.Apart(func() { c.onGrant(grant) })
		c.mu.Lock()
	}
	c.hooking = false
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

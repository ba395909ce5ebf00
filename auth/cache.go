package auth

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/httpx"
	"github.com/practicesdk/practice-go/internal/panics"
	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

const (
	renewEarly   = time.Minute      // before the expiry of a token
	renewalLimit = 30 * time.Second // time limit of one renewal
)

// Pauses after a failed renewal, so that not every call asks a failing token
// endpoint.
const (
	firstRenewalPause = time.Second
	maxRenewalPause   = 30 * time.Second
)

// tokenCache holds the access token shared by all goroutines of a client, and
// renews it, one renewal at a time.
type tokenCache struct {
	source  Credentials
	client  *http.Client
	renewed func()                             // called when a new access token can be used; nil: none
	onGrant func(Grant)                        // see Source.GrantHook; nil: none
	store   func(context.Context, Grant) error // stores each new grant before it is used; nil: not stored

	mu       sync.Mutex
	inUse    Tokens
	granted  Tokens // latest tokens of the token endpoint; not used before they are stored
	unstored bool
	renewAt  time.Time // zero if the expiry is unknown
	running  *renewal

	replacement replacement

	failed   error     // error of the latest renewal
	failures int       // consecutive failures
	pauseEnd time.Time // no renewal begins before

	hooks   []Grant // grants not yet passed to the hook
	hooking bool    // whether a goroutine is calling the hook

	broke panics.Box // panic of a caller's function during a renewal
}

// renewal is one request to the token source. It continues to its own time
// limit even if all callers have left, because its response may contain the
// only valid refresh token.
type renewal struct {
	done     chan struct{}
	replaces bool // whether a call whose token was refused waits for it
	onlyLook bool // whether to read the store and request nothing
	tokens   Tokens
	found    bool // whether the tokens existed before, see transport.FoundToken
	err      error
}

// secrets returns the secrets of the cache.
func (c *tokenCache) secrets() []string {
	c.mu.Lock()
	inUse, granted := c.inUse, c.granted
	c.mu.Unlock()
	return slices.Concat(inUse.secrets(), granted.secrets(), c.source.secrets())
}

// Token returns the access token, or a token other than refused if the service
// has refused that. A token near its expiry is used while its successor is
// fetched. Calls wait for the successor of an expired token.
func (c *tokenCache) Token(ctx context.Context, refused string) (string, error) {
	if refused != "" {
		return c.replace(ctx, refused)
	}
	c.broke.Rethrow()
	c.mu.Lock()
	if c.usable(ctx) {
		defer c.mu.Unlock()
		return c.inUse.AccessToken.Reveal(), nil
	}
	if err := c.waitForPause(ctx); err != nil {
		return "", err
	}
	if c.usable(ctx) { // another call may have renewed the token since
		defer c.mu.Unlock()
		return c.inUse.AccessToken.Reveal(), nil
	}
	return c.join(ctx)
}

// replace replaces the token that the service refused, unless another goroutine
// has already done so.
func (c *tokenCache) replace(ctx context.Context, refused string) (string, error) {
	c.mu.Lock()
	if !c.holdsOther(refused) {
		if err := c.waitForPause(ctx); err != nil {
			return "", err
		}
	}
	if c.holdsOther(refused) {
		defer c.mu.Unlock()
		transport.FoundToken(ctx)
		return c.inUse.AccessToken.Reveal(), nil
	}
	now := time.Now()
	c.replacement.tried(refused, false, now)
	onlyLook := c.replacement.paused(now)
	if _, stored := c.source.(*storedSource); c.running == nil && onlyLook && !stored {
		defer c.mu.Unlock()
		return refused, nil
	}
	if c.running == nil {
		c.begin(ctx, onlyLook)
	}
	c.running.replaces = true
	return c.join(ctx)
}

// tried records whether the service accepted a token that replaced another one.
func (c *tokenCache) tried(token string, accepted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replacement.tried(token, accepted, time.Now())
}

// holdsOther reports whether there is a token other than refused. The caller
// holds the lock.
func (c *tokenCache) holdsOther(refused string) bool {
	held := c.inUse.AccessToken.Reveal()
	return held != "" && held != refused
}

// usable reports whether the token has not expired. Near the expiry it starts a
// renewal. The caller holds the lock.
func (c *tokenCache) usable(ctx context.Context) bool {
	now := time.Now()
	if c.inUse.empty() || !c.renewAt.IsZero() && !now.Before(c.inUse.Expiry) {
		return false
	}
	if due := !c.renewAt.IsZero() && !now.Before(c.renewAt); due && c.running == nil && !now.Before(c.pauseEnd) {
		c.begin(ctx, false)
	}
	return true
}

// waitForPause waits until the token source may be asked again. It returns the
// latest error instead if that is final, if ctx would end first, or if the
// source itself asked for a longer pause. The caller holds the lock, and holds
// it again if the result is nil.
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

// join waits for the current renewal, or starts one. The caller holds the lock;
// join releases it.
func (c *tokenCache) join(ctx context.Context) (string, error) {
	r := c.running
	if r == nil {
		r = c.begin(ctx, false)
	}
	failed := c.failed
	c.mu.Unlock()

	select {
	case <-r.done:
		c.broke.Rethrow()
		if r.err != nil {
			return "", r.err
		}
		if r.found {
			transport.FoundToken(ctx)
		}
		return r.tokens.AccessToken.Reveal(), nil
	case <-ctx.Done():
		return "", awaited(context.Cause(ctx), failed)
	}
}

// awaited returns the error of a call that ended while it waited for a token.
// It includes the failure of the previous renewal, if any, which caused the
// wait.
func awaited(ended, failed error) error {
	if failed == nil {
		return ended
	}
	return &transport.AwaitedError{Ended: ended, Failed: failed}
}

// begin starts a renewal. The caller holds the lock.
func (c *tokenCache) begin(ctx context.Context, onlyLook bool) *renewal {
	renewing, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewalLimit)
	r := &renewal{done: make(chan struct{}), onlyLook: onlyLook}
	c.running = r
	go func() {
		defer cancel()
		c.renew(renewing, r)
	}()
	return r
}

// renew fetches a token and stores its grant. If a grant could not be stored,
// the next renewal stores it and requests no other one.
//
// A panic of a caller's function becomes an error, because nobody could recover
// it in this goroutine; the next call that needs the token panics with its
// value.
func (c *tokenCache) renew(ctx context.Context, r *renewal) {
	c.mu.Lock()
	previous, granted, unstored, failed := c.inUse, c.granted, c.unstored, c.failed
	c.mu.Unlock()
	if errors.Is(failed, context.DeadlineExceeded) {
		httpx.CloseIdleConnections(c.client) // the connection to the token endpoint may be silent
	}
	before := granted
	var err error
	stored, keeps := c.source.(*storedSource)
	switch {
	case !unstored:
		err = errBroke
		if keeps {
			stored.onlyLook = r.onlyLook
		}
		c.broke.Apart(func() { granted, err = c.fetch(ctx, granted) })
	case granted.AccessToken.IsZero(): // only the refresh token could be used
		err = &TokenError{Err: errNoTokens}
	}
	r.found = unstored || keeps && !stored.asked
	fresh := before.empty() && !granted.empty() || !before.RefreshToken.Equal(granted.RefreshToken)
	grant := Grant{First: previous.empty(), RefreshToken: granted.RefreshToken}
	var refused error
	if (fresh || unstored) && c.store != nil {
		refused = errBroke
		if c.broke.Apart(func() { refused = c.store(ctx, grant) }); refused != nil {
			mask := redact.NewMask(granted.secrets()...)
			refused = &TokenError{Err: &GrantStoreError{Err: mask.Error(refused)}}
		}
	}
	c.mu.Lock()
	c.granted, c.unstored = granted, refused != nil
	if err == nil {
		err = refused
	}
	if err == nil {
		if !previous.AccessToken.Equal(granted.AccessToken) {
			c.replacement.obtained(granted.AccessToken, r.replaces && !r.found, time.Now())
		}
		c.inUse, c.renewAt, c.failures, c.pauseEnd = granted, renewalTime(granted, time.Now()), 0, time.Time{}
	} else {
		c.failures++
		c.pauseEnd = time.Now().Add(c.pause(err))
	}
	c.failed, c.running = err, nil
	r.tokens, r.err = granted, err
	if fresh && c.onGrant != nil {
		c.hooks = append(c.hooks, grant)
	}
	c.mu.Unlock()
	if err == nil && c.renewed != nil && !previous.AccessToken.Equal(granted.AccessToken) {
		c.renewed()
	}
	close(r.done)
	c.tellHook()
}

// pause returns how long to wait after a failure before the next renewal. There
// is no pause after a refusal if a store may have the tokens of a new sign-in
// by the next call: reading the store does not reach the token endpoint.
func (c *tokenCache) pause(err error) time.Duration {
	refused, is := errors.AsType[*TokenError](err)
	if _, stored := c.source.(*storedSource); stored && is && !refused.Temporary() {
		return 0
	}
	pause := backoff.Exponential(firstRenewalPause, maxRenewalPause, c.failures-1)
	if is {
		pause = max(pause, refused.asked())
	}
	return pause
}

var errBroke error = &TokenError{Err: errors.New("a callback panicked")}

// fetch requests tokens from the source. It keeps a new refresh token even if
// the access token with it cannot be used, because the previous refresh token
// may be spent.
func (c *tokenCache) fetch(ctx context.Context, before Tokens) (Tokens, error) {
	tokens, err := c.source.fetch(ctx, c.client, before)
	if err == nil && !transport.ValidToken(tokens.AccessToken.Reveal()) {
		tokens.AccessToken, err = models.Secret{}, &TokenError{Err: transport.ErrBadToken}
	}
	if err != nil && tokens.RefreshToken.IsZero() {
		return before, err
	}
	return tokens, err
}

// tellHook calls the hook for each new grant, one at a time and in order,
// without holding the lock.
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

// renewalTime returns a minute before the expiry or, for tokens that live for a
// few minutes, a quarter of the lifetime before it.
func renewalTime(tokens Tokens, now time.Time) time.Time {
	if tokens.Expiry.IsZero() {
		return time.Time{}
	}
	return tokens.Expiry.Add(-min(renewEarly, tokens.Expiry.Sub(now)/4))
}

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

// tokenKeeper holds the access token that all goroutines of a client share
// and renews it, one renewal at a time.
type tokenKeeper struct {
	source  grantSource
	client  *http.Client
	onGrant func(Grant)

	mu      sync.Mutex
	token   *oauth2.Token
	renewAt time.Time // zero when the token has no known end
	running *renewal

	watchers map[chan struct{}]struct{}
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
func (k *tokenKeeper) Token(ctx context.Context) (string, error) {
	k.mu.Lock()
	if k.token != nil && (k.renewAt.IsZero() || time.Now().Before(k.renewAt)) {
		defer k.mu.Unlock()
		return k.token.AccessToken, nil
	}
	old := k.token
	token, err := k.join(ctx)
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
func (k *tokenKeeper) Renew(ctx context.Context, refused string) (bool, error) {
	k.mu.Lock()
	if k.token != nil && k.token.AccessToken != refused {
		k.mu.Unlock()
		return true, nil
	}
	token, err := k.join(ctx)
	if err != nil {
		return false, err
	}
	return token.AccessToken != refused, nil
}

// join waits for the running renewal, or starts one. It is called with the
// lock held and releases it.
func (k *tokenKeeper) join(ctx context.Context) (*oauth2.Token, error) {
	r := k.running
	if r == nil {
		// A renewal serves all who wait, so it must outlive the one who began it.
		renewing, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewalLimit)
		r = &renewal{done: make(chan struct{}), cancel: cancel}
		k.running = r
		go k.renew(renewing, r, k.token)
	}
	r.waiting++
	k.mu.Unlock()

	select {
	case <-r.done:
		return r.token, r.err
	case <-ctx.Done():
		k.leave(r)
		return nil, context.Cause(ctx)
	}
}

func (k *tokenKeeper) leave(r *renewal) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r.waiting--
	if r.waiting == 0 {
		r.cancel()
		if k.running == r { // whoever comes next must not join an ended one
			k.running = nil
		}
	}
}

func (k *tokenKeeper) renew(ctx context.Context, r *renewal, previous *oauth2.Token) {
	defer r.cancel()
	token, err := k.source.fetch(ctx, k.client, previous)
	if err == nil && !validToken(token.AccessToken) {
		err = &TokenError{Err: errBadToken}
	}
	k.mu.Lock()
	if err == nil {
		k.token, k.renewAt = token, renewalTime(token, time.Now())
	}
	if k.running == r {
		k.running = nil
	}
	r.token, r.err = token, err
	close(r.done)
	k.mu.Unlock()

	if err == nil && (previous == nil || previous.AccessToken != token.AccessToken) {
		k.announce()
	}
	if err == nil && k.onGrant != nil && (previous == nil || previous.RefreshToken != token.RefreshToken) {
		k.onGrant(Grant{First: previous == nil, RefreshToken: models.NewSecret(token.RefreshToken)})
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

// watch gives a channel that gets a value after every new access token, and a
// function that ends that. Several tokens in a row may give one value: whoever
// renews a token never waits for those who watch.
func (k *tokenKeeper) watch() (news <-chan struct{}, end func()) {
	own := make(chan struct{}, 1)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.watchers == nil {
		k.watchers = make(map[chan struct{}]struct{})
	}
	k.watchers[own] = struct{}{}
	return own, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.watchers, own)
	}
}

// announce tells all who watch.
func (k *tokenKeeper) announce() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for watcher := range k.watchers {
		select {
		case watcher <- struct{}{}:
		default:
		}
	}
}

// TokenError is a failure to obtain an access token. It holds what the token
// endpoint said in the terms of OAuth 2.0, and nothing of the request.
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

// Unwrap gives the cause.
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

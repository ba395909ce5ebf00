package auth

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// storedSource loads tokens from a store, and requests new ones while it holds
// the lock of the store. The cache calls fetch from one goroutine at a time.
type storedSource struct {
	Credentials
	store   TokenStore
	unsaved Tokens // tokens whose Save failed
	before  Tokens // content of the store at the time of the request
	asked   bool   // whether the latest fetch requested tokens
	refusal refusal

	onlyLook bool // whether fetch must not request tokens
}

// refusal is the latest response of the token endpoint that another attempt
// would not change. It applies only to the refresh token that was sent, and not
// to one that is stored later.
type refusal struct {
	spent    models.Secret
	err      error
	until    time.Time // no refresh is sent earlier
	failures int       // consecutive failures
}

// of returns the refusal of a refresh token, or nil if none applies.
func (r *refusal) of(spent models.Secret) error {
	if r.err != nil && r.spent.Equal(spent) && time.Now().Before(r.until) {
		return r.err
	}
	return nil
}

// note records the outcome of a refresh.
func (r *refusal) note(spent models.Secret, err error) {
	refused, is := errors.AsType[*TokenError](err)
	if !is || refused.Temporary() {
		*r = refusal{}
		return
	}
	pause := max(backoff.Exponential(firstRenewalPause, maxRenewalPause, r.failures), refused.asked())
	*r = refusal{spent, err, time.Now().Add(pause), r.failures + 1}
}

func (s *storedSource) check(insecureHTTP bool) error {
	if c, ok := s.Credentials.(RefreshCredentials); ok && c.RefreshToken.IsZero() {
		c.RefreshToken = models.NewSecret("in the store")
		return c.check(insecureHTTP)
	}
	return s.Credentials.check(insecureHTTP)
}

// fetch returns the tokens of the store if they are newer than those in use.
// Otherwise it requests tokens from the source while it holds the lock, since a
// request may spend the refresh token.
func (s *storedSource) fetch(ctx context.Context, client *http.Client, inUse Tokens) (Tokens, error) {
	s.asked = false
	if s.unsaved.empty() {
		if held, err := s.load(ctx); err != nil || serves(held, inUse) {
			return held, err
		}
	}
	if s.onlyLook {
		return inUse, nil
	}
	unlock, err := s.store.Lock(ctx)
	if err != nil {
		return Tokens{}, storeError("lock", err)
	}
	defer unlock()
	held, err := s.load(ctx)
	if err != nil {
		return Tokens{}, err
	}
	if !s.unsaved.empty() && held.equal(s.before) {
		if held, err = s.save(ctx, s.unsaved); err != nil {
			return Tokens{}, err
		}
	}
	s.unsaved = Tokens{} // another process has signed in or saved the tokens
	if serves(held, inUse) {
		return held, nil
	}
	return s.request(ctx, client, held, inUse)
}

// request requests tokens from the source. It first saves the refresh token
// that it is about to spend, to detect a store that cannot be written.
func (s *storedSource) request(ctx context.Context, client *http.Client, held, inUse Tokens) (Tokens, error) {
	credentials, refreshes := s.Credentials.(RefreshCredentials)
	before := inUse
	switch {
	case !held.RefreshToken.IsZero():
		before = held
	case refreshes && credentials.RefreshToken.IsZero(): // also if a sign-out has emptied the store
		return Tokens{}, &TokenError{Err: ErrNotSignedIn}
	case !inUse.RefreshToken.IsZero():
		held = inUse
	case refreshes:
		held = Tokens{Owner: s.owner(), RefreshToken: credentials.RefreshToken}
	}
	spent := before.RefreshToken
	if spent.IsZero() {
		spent = credentials.RefreshToken
	}
	if err := s.refusal.of(spent); err != nil {
		return Tokens{}, err
	}
	if refreshes {
		if err := s.store.Save(ctx, held); err != nil {
			return Tokens{}, storeError("save", err, held)
		}
	}
	s.asked = true
	tokens, err := s.Credentials.fetch(ctx, client, before)
	s.refusal.note(spent, err)
	if err != nil && tokens.RefreshToken.IsZero() {
		return Tokens{}, err
	}
	s.before, tokens.Owner = held, s.owner()
	saved, failed := s.save(ctx, tokens)
	return saved, cmp.Or(failed, err)
}

func (s *storedSource) save(ctx context.Context, tokens Tokens) (Tokens, error) {
	s.unsaved = tokens // set before Save, which may panic
	if err := s.store.Save(ctx, tokens); err != nil {
		return Tokens{}, storeError("save", err, tokens)
	}
	s.unsaved = Tokens{}
	return tokens, nil
}

// load loads the store. It ignores access tokens of another owner. A sign-in of
// another owner is an error, because it must be neither used nor overwritten.
func (s *storedSource) load(ctx context.Context) (Tokens, error) {
	held, err := s.store.Load(ctx)
	switch {
	case err != nil:
		return Tokens{}, storeError("load", err)
	case held.empty() || held.Owner == s.owner():
		return held, nil
	case held.RefreshToken.IsZero():
		return Tokens{}, nil
	}
	return Tokens{}, &TokenError{Err: ErrTokensOfAnother}
}

// serves reports whether the stored access token can be used and differs from
// the one to be replaced.
func serves(held, inUse Tokens) bool {
	return transport.ValidToken(held.AccessToken.Reveal()) && !held.AccessToken.Equal(inUse.AccessToken) &&
		(held.Expiry.IsZero() || time.Now().Before(held.Expiry))
}

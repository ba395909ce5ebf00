package practice

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/models"
)

// Tokens are what a TokenStore keeps. The zero value is an empty store.
type Tokens struct {
	Owner        string        // grant, token endpoint and client that the tokens belong to
	AccessToken  models.Secret // zero when there is none
	Expiry       time.Time     // of AccessToken; zero when it is not known
	RefreshToken models.Secret // zero for client credentials
}

// TokenStore keeps the tokens of one client or one user between runs and for
// several processes, see [WithTokenStore]. [TokenFile] is one. Its methods are
// called from several goroutines at once.
type TokenStore interface {
	// Lock takes the store for one holder, across all processes that share it. It
	// waits until ctx ends. The holder calls unlock once.
	Lock(ctx context.Context) (unlock func(), err error)
	// Load returns the tokens, and zero Tokens of an empty store. It is called with
	// and without the lock, and never returns one half of two states.
	Load(ctx context.Context) (Tokens, error)
	// Save replaces the tokens. It is called with the lock. When it returns nil, the
	// tokens survive the end of the process.
	Save(ctx context.Context, tokens Tokens) error
}

var (
	// ErrNotSignedIn is the cause of a TokenError when neither the store nor the
	// credentials have a refresh token: the user has to sign in.
	ErrNotSignedIn = errors.New("nobody has signed in")
	// ErrTokensOfAnother is the cause of a TokenError when the store holds the
	// sign-in of another client or token endpoint. It is not sent there.
	ErrTokensOfAnother = errors.New("the token store holds the sign-in of another client or token endpoint")
)

// TokenStoreError reports that a TokenStore failed. Tokens that could not be saved
// are kept, and saved before the client uses them.
type TokenStoreError struct {
	Action string // "lock", "load" or "save"
	Err    error
}

// Error says what happened.
func (e *TokenStoreError) Error() string {
	return "cannot " + e.Action + " the token store: " + e.Err.Error()
}

// Unwrap returns Err.
func (e *TokenStoreError) Unwrap() error { return e.Err }

// Reveal returns the tokens as a text for a store of your own. It contains the
// secrets.
func (t Tokens) Reveal() string {
	members := map[string]string{"owner": t.Owner, "accessToken": t.AccessToken.Reveal(), "refreshToken": t.RefreshToken.Reveal()}
	if !t.Expiry.IsZero() {
		members["expiry"] = t.Expiry.Format(time.RFC3339Nano)
	}
	text, _ := json.Marshal(members) // texts always can be written
	return string(text)
}

// ParseTokens reads the text that Reveal returned; the empty text is an empty
// store. The error repeats nothing of the text.
func ParseTokens(text string) (Tokens, error) {
	var members map[string]string
	if text == "" {
		return Tokens{}, nil
	}
	err := json.Unmarshal([]byte(text), &members)
	t := Tokens{
		Owner: members["owner"], AccessToken: models.NewSecret(members["accessToken"]), RefreshToken: models.NewSecret(members["refreshToken"]),
	}
	if expiry := members["expiry"]; err == nil && expiry != "" {
		t.Expiry, err = time.Parse(time.RFC3339Nano, expiry)
	}
	if err != nil {
		return Tokens{}, errors.New("the text is not that of stored tokens")
	}
	return t, nil
}

func tokensOf(token *oauth2.Token, owner string) Tokens {
	return Tokens{owner, models.NewSecret(token.AccessToken), token.Expiry, models.NewSecret(token.RefreshToken)}
}

func (t Tokens) token() *oauth2.Token {
	return &oauth2.Token{AccessToken: t.AccessToken.Reveal(), Expiry: t.Expiry, RefreshToken: t.RefreshToken.Reveal()}
}

func (t Tokens) equal(other Tokens) bool {
	return t.Owner == other.Owner && t.AccessToken.Equal(other.AccessToken) && t.RefreshToken.Equal(other.RefreshToken)
}

func (t Tokens) empty() bool { return t.AccessToken.IsZero() && t.RefreshToken.IsZero() }

// ownedSource is a source whose tokens a store can keep.
type ownedSource interface {
	grantSource
	// owner names grant, token endpoint and client, and nothing secret.
	owner() string
}

func (c ClientCredentials) owner() string {
	scopes := slices.Sorted(slices.Values(c.Scopes))
	return strings.Join(append([]string{"client_credentials", c.TokenURL, c.ClientID}, scopes...), " ")
}

func (c RefreshCredentials) owner() string {
	return strings.Join([]string{"refresh_token", c.TokenURL, c.ClientID}, " ")
}

// storedSource takes tokens from a store, and asks its source under the lock of the
// store. The cache calls fetch from one goroutine at a time.
type storedSource struct {
	ownedSource
	store   TokenStore
	unsaved Tokens // could not be saved
	before  Tokens // what the store held when they were fetched
}

// keepTokens puts the store before the source of tokens.
func (s *settings) keepTokens() error {
	source, ok := s.grant.(ownedSource)
	switch {
	case !ok:
		return &ConfigError{"WithTokenStore", "needs WithRefreshToken or WithClientCredentials"}
	case s.storeGrant != nil:
		return &ConfigError{"WithTokenStore", "keeps the grants itself, so leave WithGrantStore out"}
	}
	s.grant = &storedSource{ownedSource: source, store: s.tokenStore}
	return nil
}

func (s *storedSource) check(insecureHTTP bool) error {
	if c, ok := s.ownedSource.(RefreshCredentials); ok && c.RefreshToken.IsZero() {
		c.RefreshToken = models.NewSecret("in the store")
		return c.check(insecureHTTP)
	}
	return s.ownedSource.check(insecureHTTP)
}

func (s *storedSource) secrets() []string {
	return sourceSecrets(s.ownedSource)
}

// fetch returns the tokens of the store when they are newer than those in use. Else it
// asks the source, which may spend the refresh token, so no other process may ask.
func (s *storedSource) fetch(ctx context.Context, client *http.Client, inUse *oauth2.Token) (*oauth2.Token, error) {
	if s.unsaved.empty() {
		if held, err := s.load(ctx); err != nil {
			return nil, err
		} else if s.serves(held, inUse) {
			return held.token(), nil
		}
	}
	unlock, err := s.store.Lock(ctx)
	if err != nil {
		return nil, storeError("lock", err)
	}
	defer unlock()
	held, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	if !s.unsaved.empty() && held.equal(s.before) {
		return s.save(ctx, s.unsaved)
	}
	s.unsaved = Tokens{} // somebody signed in meanwhile, or it was saved after all
	if s.serves(held, inUse) {
		return held.token(), nil
	}
	return s.request(ctx, client, held, inUse)
}

// request asks the source. It saves the refresh token that it is about to spend, so
// that a store that cannot be written to is found before.
func (s *storedSource) request(ctx context.Context, client *http.Client, held Tokens, inUse *oauth2.Token) (*oauth2.Token, error) {
	credentials, refreshes := s.ownedSource.(RefreshCredentials)
	before := inUse
	switch {
	case !held.RefreshToken.IsZero():
		before = held.token()
	case refreshTokenOf(inUse) != "":
		held = tokensOf(inUse, s.owner())
	case refreshes && credentials.RefreshToken.IsZero():
		return nil, &TokenError{Err: ErrNotSignedIn}
	case refreshes:
		held = Tokens{Owner: s.owner(), RefreshToken: credentials.RefreshToken}
	}
	if refreshes {
		if err := s.store.Save(ctx, held); err != nil {
			return nil, storeError("save", err, held)
		}
	}
	token, err := s.ownedSource.fetch(ctx, client, before)
	if err != nil {
		return nil, err
	}
	s.before = held
	return s.save(ctx, tokensOf(token, s.owner()))
}

func (s *storedSource) save(ctx context.Context, tokens Tokens) (*oauth2.Token, error) {
	s.unsaved = tokens // also when Save panics
	if err := s.store.Save(ctx, tokens); err != nil {
		return nil, storeError("save", err, tokens)
	}
	s.unsaved = Tokens{}
	return tokens.token(), nil
}

// load reads the store. Access tokens of another owner are left alone; a sign-in of
// another owner must be neither used nor lost.
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

// serves reports that the held access token can be used and is another than the one
// that is to be replaced.
func (s *storedSource) serves(held Tokens, inUse *oauth2.Token) bool {
	text := held.AccessToken.Reveal()
	return validToken(text) && (inUse == nil || inUse.AccessToken != text) &&
		(held.Expiry.IsZero() || time.Now().Before(held.Expiry))
}

func storeError(action string, err error, tokens ...Tokens) *TokenError {
	var secrets []string
	for _, t := range tokens {
		secrets = append(secrets, t.AccessToken.Reveal(), t.RefreshToken.Reveal())
	}
	return &TokenError{Err: &TokenStoreError{Action: action, Err: redact.NewMask(secrets...).Error(err)}}
}

// saveSignIn saves the tokens of a sign-in, whatever the store held before.
func saveSignIn(ctx context.Context, store TokenStore, c RefreshCredentials) error {
	unlock, err := store.Lock(ctx)
	if err != nil {
		return storeError("lock", err)
	}
	defer unlock()
	tokens := Tokens{c.owner(), c.AccessToken, c.Expiry, c.RefreshToken}
	if err := store.Save(ctx, tokens); err != nil {
		return storeError("save", err, tokens)
	}
	return nil
}

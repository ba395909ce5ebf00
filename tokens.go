package practice

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/practicesdk/practice-go/internal/renewals"
	"github.com/practicesdk/practice-go/internal/transport"
)

// TokenSource supplies the access tokens of clients, for [WithTokens]. Package
// auth has sources for the OAuth grants. The simplest source is a [TokenFunc].
type TokenSource interface {
	// Bind returns the access tokens for one client. NewClient calls it once.
	// Bind sends no request. It returns an error for an invalid setting.
	Bind(client TokenClient) (AccessTokens, error)
}

// TokenClient holds the parts of a client that its TokenSource may use. A
// source that sends no requests needs none of them.
type TokenClient struct {
	// HTTPClient sends requests to a token endpoint with the transport and the
	// User-Agent of the client. It sends each request once and does not follow
	// redirects. The observers of the client see its requests.
	HTTPClient *http.Client
	// InsecureHTTP reports that WithInsecureHTTP allows addresses with scheme
	// http.
	InsecureHTTP bool
	// Renewed must be called when a new access token can be used. It returns
	// immediately and closes the channel of Client.TokenRenewal.
	Renewed func()
}

// AccessTokens supplies the access tokens of one client. The functions must be
// safe for concurrent use. Only Token is required.
type AccessTokens struct {
	// Token returns the access token for one attempt. refused is empty, or the
	// token that the service has just refused with 401. Token then returns a
	// different one, or refused itself if there is none. An error ends the
	// call, unless it has a method Temporary() bool that returns true: then the
	// call is retried.
	Token func(ctx context.Context, refused string) (string, error)
	// Secrets returns the texts that must not appear in errors and logs, in
	// addition to the token sent.
	Secrets func() []string
	// Replaced is called with a token that Token returned in place of a refused
	// one, and whether the service accepted it, so that a source can pause
	// before it requests another one. It may be nil.
	Replaced func(token string, accepted bool)
	// OfClient reports that the tokens identify the program and not a user,
	// like those of client credentials.
	OfClient bool
}

// TokenFunc is a TokenSource with a single function; see [AccessTokens].
type TokenFunc func(ctx context.Context, refused string) (string, error)

// Bind returns AccessTokens with f as their Token, and no error.
func (f TokenFunc) Bind(TokenClient) (AccessTokens, error) { return AccessTokens{Token: f}, nil }

// fixedToken returns a source of one token.
func fixedToken(token string) func(TokenClient) (AccessTokens, error) {
	return func(TokenClient) (AccessTokens, error) {
		return AccessTokens{
			Token:   func(context.Context, string) (string, error) { return token, nil },
			Secrets: func() []string { return []string{token} },
		}, nil
	}
}

// bindTokens sets the access tokens of the client.
func (c *Client) bindTokens() error {
	if c.settings.bindTokens == nil {
		return nil
	}
	tokens := &clientTokens{renewal: make(chan struct{})}
	var err error
	tokens.AccessTokens, err = c.settings.bindTokens(TokenClient{
		HTTPClient: c.tokenClient(), InsecureHTTP: c.settings.insecureHTTP, Renewed: tokens.renewed,
	})
	if err == nil && tokens.AccessTokens.Token == nil {
		err = &ConfigError{"WithTokens", "requires a token source with a Token function"}
	}
	c.tokens = tokens
	return err
}

// TokenRenewal obtains an access token, unless the client has one. It returns a
// channel that is closed at the next new token. An error means that there is no
// token now; the channel still works. Without a TokenSource the channel is nil
// and blocks for ever. Clients that share tokens share the channel.
//
// Use it for work that depends on the grant behind a token. You can also call
// it when a program starts, to check that the credentials work.
func (c *Client) TokenRenewal(ctx context.Context) (<-chan struct{}, error) {
	if c.tokens == nil || c.err != nil {
		return nil, c.err
	}
	renewed := c.tokens.nextRenewal()
	if _, err := c.tokens.Token(ctx); err != nil {
		return renewed, fmt.Errorf("practice: TokenRenewal: %w", err)
	}
	return c.tokens.nextRenewal(), nil // Token may have renewed the token
}

// tokenClient returns the observed HTTP client for the token endpoint.
func (c *Client) tokenClient() *http.Client {
	carrier := c.wire.Transport
	if c.observers != nil {
		c.observers.tokens = &tokenObserver{next: carrier, to: c.observers, mask: func(err error) error { return c.mask(&transport.Call{}).Error(err) }}
		carrier = c.observers.tokens
	}
	return transport.TokenClient(carrier, c.agent, c.closeIdle)
}

// clientTokens holds the tokens of a client and its derived clients.
type clientTokens struct {
	AccessTokens

	mu      sync.Mutex
	renewal chan struct{} // closed at the next renewal
}

// Token returns the access token for an attempt.
func (t *clientTokens) Token(ctx context.Context) (string, error) {
	return t.AccessTokens.Token(ctx, "")
}

// Renew replaces a refused token and reports whether there is another one.
func (t *clientTokens) Renew(ctx context.Context, refused string) (bool, error) {
	var token string
	var err error
	renewals.Own(ctx, t.nextRenewal, func() { token, err = t.AccessTokens.Token(ctx, refused) })
	return err == nil && token != refused, err
}

// Replaced reports whether the service accepted a token that Renew returned.
func (t *clientTokens) Replaced(token string, accepted bool) {
	if t.AccessTokens.Replaced != nil {
		t.AccessTokens.Replaced(token, accepted)
	}
}

// secrets returns the secrets of the source. A nil t has none.
func (t *clientTokens) secrets() []string {
	if t == nil || t.Secrets == nil {
		return nil
	}
	return t.Secrets()
}

// nextRenewal returns a channel that is closed at the next renewal.
func (t *clientTokens) nextRenewal() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.renewal
}

func (t *clientTokens) renewed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.renewal)
	t.renewal = make(chan struct{})
}

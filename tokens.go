package practice

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/practicesdk/practice-go/internal/transport"
)

// TokenSource supplies the access tokens of clients, for [WithTokens]. Package
// auth has sources for the grants of OAuth. [TokenFunc] is the shortest way to
// one of your own.
type TokenSource interface {
	// Bind returns the access tokens of one client. NewClient calls it once. It
	// sends nothing, and reports a setting that cannot work.
	Bind(client TokenClient) (AccessTokens, error)
}

// TokenClient holds the parts of a client that its TokenSource may use. A
// source that sends no requests needs none of them.
type TokenClient struct {
	// HTTPClient sends requests to a token endpoint, by the transport of the
	// client and with its User-Agent. It sends each request once and follows no
	// redirect. Those who observe the client see its requests.
	HTTPClient *http.Client
	// InsecureHTTP reports that WithInsecureHTTP allows addresses of scheme
	// http.
	InsecureHTTP bool
	// Renewed is to be called when a new access token can be used. It returns
	// at once, and closes the channel of Client.TokenRenewal.
	Renewed func()
}

// AccessTokens holds the access tokens of one client. The functions are called
// by several goroutines. Only Token must not be nil.
type AccessTokens struct {
	// Token returns the access token for one attempt. Refused is empty, or the
	// token that the service has just refused with 401: Token returns the one
	// to use instead, or refused itself if there is no other. An error ends the
	// call; an error with a method Temporary() bool that returns true is
	// retried.
	Token func(ctx context.Context, refused string) (string, error)
	// Secrets returns the texts that no error and no log line may show, beside
	// the token that was sent.
	Secrets func() []string
	// OfClient reports that the tokens stand for the program and not for a
	// user, as those of client credentials do.
	OfClient bool
}

// TokenFunc is a TokenSource of one function, see [AccessTokens].
type TokenFunc func(ctx context.Context, refused string) (string, error)

// Bind returns the function as the tokens of a client, and no error.
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
		err = &ConfigError{"WithTokens", "needs a source with a function Token"}
	}
	c.tokens = tokens
	return err
}

// TokenRenewal obtains an access token, unless the client has one, and returns
// a channel that the next new token closes. An error means that there is no
// token now; the channel still works. The channel is nil, so that it blocks for
// ever, when the client has no TokenSource. Clients that share tokens share the
// renewals.
//
// It is for what depends on the grant behind a token, and shows a program at
// its start that its credentials work.
func (c *Client) TokenRenewal(ctx context.Context) (<-chan struct{}, error) {
	if c.tokens == nil || c.err != nil {
		return nil, c.err
	}
	renewed := c.tokens.nextRenewal()
	if _, err := c.tokens.Token(ctx); err != nil {
		return renewed, fmt.Errorf("practice: TokenRenewal: %w", err)
	}
	return c.tokens.nextRenewal(), nil // Token may have renewed
}

// tokenClient returns the client for the token endpoint, which is observed.
func (c *Client) tokenClient() *http.Client {
	carrier := c.wire.Transport
	if c.observers != nil {
		c.observers.tokens = &tokenObserver{next: carrier, to: c.observers, mask: func(err error) error { return c.mask(&transport.Call{}).Error(err) }}
		carrier = c.observers.tokens
	}
	return transport.TokenClient(carrier, c.agent)
}

// clientTokens holds the tokens of a client and of those derived from it.
type clientTokens struct {
	AccessTokens

	mu      sync.Mutex
	renewal chan struct{} // closed at the next renewal
}

// Token returns the access token for an attempt.
func (t *clientTokens) Token(ctx context.Context) (string, error) {
	return t.AccessTokens.Token(ctx, "")
}

// Renew replaces a token that the service refused, and reports whether there is
// another one.
func (t *clientTokens) Renew(ctx context.Context, refused string) (bool, error) {
	token, err := t.AccessTokens.Token(ctx, refused)
	return err == nil && token != refused, err
}

// secrets returns the secrets of the source. It may be called without tokens.
func (t *clientTokens) secrets() []string {
	if t == nil || t.Secrets == nil {
		return nil
	}
	return t.Secrets()
}

// nextRenewal returns a channel that the next renewal closes.
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

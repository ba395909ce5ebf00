package auth

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Credentials obtain access tokens: [ClientCredentials], [RefreshCredentials],
// or the result of [FromOAuth2].
type Credentials interface {
	practice.TokenSource

	// check returns an error if a setting is invalid.
	check(insecureHTTP bool) error
	// fetch requests tokens. The previous tokens may be zero. With an error it
	// returns a new refresh token, if there is one.
	fetch(ctx context.Context, client *http.Client, previous Tokens) (Tokens, error)
	// owner identifies grant, token endpoint and client, without secrets. It is
	// empty for tokens that cannot be stored.
	owner() string
	secrets() []string
	// value returns the credentials, dereferenced if they are a pointer.
	value() Credentials
}

// ClientCredentials holds the client id and secret for the client credentials
// grant. The client authenticates with Basic authentication and also sends
// client_id in the form, because the token endpoint requires it.
type ClientCredentials struct {
	TokenURL     string // address of the token endpoint
	ClientID     string
	ClientSecret models.Secret
	Scopes       []string // such as "documents/read"; empty for the default scopes
}

// Bind returns the access tokens for one client.
func (c ClientCredentials) Bind(client practice.TokenClient) (practice.AccessTokens, error) {
	return Source{Credentials: c}.Bind(client)
}

func (c ClientCredentials) check(insecureHTTP bool) error {
	if c.ClientID == "" || c.ClientSecret.IsZero() {
		return &practice.ConfigError{Setting: "auth.ClientCredentials", Reason: "requires a client id and a client secret"}
	}
	return checkTokenURL("auth.ClientCredentials", c.TokenURL, insecureHTTP)
}

func (c ClientCredentials) fetch(ctx context.Context, client *http.Client, _ Tokens) (Tokens, error) {
	form := url.Values{"grant_type": {"client_credentials"}}
	if len(c.Scopes) > 0 {
		form.Set("scope", strings.Join(c.Scopes, " "))
	}
	return endpoint{c.TokenURL, c.ClientID, c.ClientSecret}.tokens(ctx, client, form)
}

func (c ClientCredentials) owner() string {
	scopes := slices.Sorted(slices.Values(c.Scopes))
	return strings.Join(append([]string{"client_credentials", c.TokenURL, c.ClientID}, scopes...), " ")
}

func (c ClientCredentials) secrets() []string  { return clientSecrets(c.ClientID, c.ClientSecret) }
func (c ClientCredentials) value() Credentials { return c }

// RefreshCredentials holds the client id, the secret and the refresh token for
// the refresh token grant.
type RefreshCredentials struct {
	TokenURL     string // address of the token endpoint
	ClientID     string
	ClientSecret models.Secret // zero for a public client
	RefreshToken models.Secret // may be zero in a Source with a Store
	// AccessToken is a token that the client uses until Expiry; zero if there
	// is none.
	AccessToken models.Secret
	Expiry      time.Time
}

// Bind returns the access tokens for one client.
func (c RefreshCredentials) Bind(client practice.TokenClient) (practice.AccessTokens, error) {
	return Source{Credentials: c}.Bind(client)
}

func (c RefreshCredentials) check(insecureHTTP bool) error {
	if c.ClientID == "" || c.RefreshToken.IsZero() {
		return &practice.ConfigError{Setting: "auth.RefreshCredentials", Reason: "requires a client id and a refresh token"}
	}
	return checkTokenURL("auth.RefreshCredentials", c.TokenURL, insecureHTTP)
}

func (c RefreshCredentials) fetch(ctx context.Context, client *http.Client, previous Tokens) (Tokens, error) {
	if previous.empty() && !c.AccessToken.IsZero() && time.Now().Before(c.Expiry) {
		return Tokens{AccessToken: c.AccessToken, Expiry: c.Expiry, RefreshToken: c.RefreshToken}, nil
	}
	refresh := c.RefreshToken
	if !previous.RefreshToken.IsZero() {
		refresh = previous.RefreshToken
	}
	tokens, err := endpoint{c.TokenURL, c.ClientID, c.ClientSecret}.tokens(ctx, client, url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {refresh.Reveal()},
	})
	if err == nil && tokens.RefreshToken.IsZero() {
		tokens.RefreshToken = refresh // the old one stays valid if there is no new one
	}
	return tokens, err
}

func (c RefreshCredentials) owner() string {
	return strings.Join([]string{"refresh_token", c.TokenURL, c.ClientID}, " ")
}

func (c RefreshCredentials) secrets() []string {
	return append(clientSecrets(c.ClientID, c.ClientSecret), c.RefreshToken.Reveal(), c.AccessToken.Reveal())
}

func (c RefreshCredentials) value() Credentials { return c }

// FromOAuth2 returns the tokens of an oauth2.TokenSource. The source is called
// again about a minute before a token expires, and after a 401. The sources of
// package oauth2 cannot renew a token of this service, because they do not send
// client_id with a refresh token: calls fail when the first token has expired.
// For a user who signs in, use [AuthorizationCode] and [RefreshCredentials]. A
// source does not receive a context. While one call to it blocks, it is not
// called again, and those of the client's calls that need a token wait up to
// their own limits.
func FromOAuth2(source oauth2.TokenSource) Credentials {
	if source == nil {
		return oauth2Source(nil)
	}
	return oauth2Source(source.Token)
}

// oauth2Source is a function, because fmt would print the tokens inside the
// source.
type oauth2Source func() (*oauth2.Token, error)

func (s oauth2Source) Bind(client practice.TokenClient) (practice.AccessTokens, error) {
	return Source{Credentials: s}.Bind(client)
}

func (s oauth2Source) check(bool) error {
	if s == nil {
		return &practice.ConfigError{Setting: "auth.FromOAuth2", Reason: "requires a token source"}
	}
	return nil
}

func (s oauth2Source) fetch(context.Context, *http.Client, Tokens) (Tokens, error) {
	token, err := s()
	if err == nil && token == nil {
		err = errors.New("the token source returned no token")
	}
	if err != nil {
		return Tokens{}, tokenError(err)
	}
	return tokensOf(token), nil
}

func (s oauth2Source) owner() string      { return "" }
func (s oauth2Source) secrets() []string  { return nil }
func (s oauth2Source) value() Credentials { return s }

func tokensOf(token *oauth2.Token) Tokens {
	return Tokens{AccessToken: models.NewSecret(token.AccessToken), Expiry: token.Expiry, RefreshToken: models.NewSecret(token.RefreshToken)}
}

// clientSecrets returns the secret of an OAuth client and the header value that
// contains it.
func clientSecrets(id string, secret models.Secret) []string {
	if secret.IsZero() {
		return nil
	}
	pair := url.QueryEscape(id) + ":" + url.QueryEscape(secret.Reveal())
	return []string{secret.Reveal(), base64.StdEncoding.EncodeToString([]byte(pair))}
}

func checkTokenURL(setting, address string, insecureHTTP bool) error {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return &practice.ConfigError{Setting: setting, Reason: "requires an absolute token URL without user information or a fragment"}
	}
	if !transport.AllowedScheme(u, insecureHTTP) {
		return &practice.ConfigError{Setting: setting, Reason: "requires an https token URL"}
	}
	return nil
}

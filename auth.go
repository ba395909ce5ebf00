package practice

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/practicesdk/practice-go/models"
)

// ClientCredentials are the client id and secret of the client credentials
// grant. The client authenticates with a Basic header and also sends client_id
// in the form, as the token endpoint demands.
type ClientCredentials struct {
	TokenURL     string // address of the token endpoint
	ClientID     string
	ClientSecret models.Secret
	Scopes       []string // such as "documents/read"; empty asks for all that is granted
}

// RefreshCredentials are the client and the refresh token of the refresh token
// grant.
type RefreshCredentials struct {
	TokenURL     string // address of the token endpoint
	ClientID     string
	ClientSecret models.Secret // zero for a public client
	RefreshToken models.Secret
	// AccessToken is an access token at hand, which the client uses until
	// Expiry; zero when there is none.
	AccessToken models.Secret
	Expiry      time.Time
}

// Grant describes a new grant of the token endpoint.
type Grant struct {
	First bool // the first access token of this client
	// RefreshToken is the refresh token that counts from now on; zero when
	// there is none. Store it before the old one is forgotten.
	RefreshToken models.Secret
}

// grantSource is where access tokens come from.
type grantSource interface {
	// check reports a setting that cannot work.
	check(insecureHTTP bool) error
	// fetch brings a token, given the one before it or nil.
	fetch(ctx context.Context, client *http.Client, previous *oauth2.Token) (*oauth2.Token, error)
}

func (s *settings) setGrant(source grantSource) error {
	s.grant, s.credentials = source, true
	return nil
}

func (c ClientCredentials) check(insecureHTTP bool) error {
	if c.ClientID == "" || c.ClientSecret.IsZero() {
		return &ConfigError{"WithClientCredentials", "needs a client id and a client secret"}
	}
	return checkTokenURL("WithClientCredentials", c.TokenURL, insecureHTTP)
}

func (c ClientCredentials) fetch(ctx context.Context, client *http.Client, _ *oauth2.Token) (*oauth2.Token, error) {
	return requestToken(ctx, client, clientcredentials.Config{
		TokenURL:     c.TokenURL,
		ClientID:     c.ClientID,
		ClientSecret: c.ClientSecret.Reveal(),
		Scopes:       c.Scopes,
	}, url.Values{})
}

func (c RefreshCredentials) check(insecureHTTP bool) error {
	if c.ClientID == "" || c.RefreshToken.IsZero() {
		return &ConfigError{"WithRefreshToken", "needs a client id and a refresh token"}
	}
	return checkTokenURL("WithRefreshToken", c.TokenURL, insecureHTTP)
}

func (c RefreshCredentials) fetch(ctx context.Context, client *http.Client, previous *oauth2.Token) (*oauth2.Token, error) {
	refresh := c.RefreshToken.Reveal()
	if previous == nil && !c.AccessToken.IsZero() && time.Now().Before(c.Expiry) {
		return &oauth2.Token{AccessToken: c.AccessToken.Reveal(), RefreshToken: refresh, Expiry: c.Expiry}, nil
	}
	if previous != nil && previous.RefreshToken != "" {
		refresh = previous.RefreshToken
	}
	// The configuration of client credentials is the only one of oauth2 that
	// lets a refresh form carry client_id next to the Basic header.
	token, err := requestToken(ctx, client, clientcredentials.Config{
		TokenURL:     c.TokenURL,
		ClientID:     c.ClientID,
		ClientSecret: c.ClientSecret.Reveal(),
	}, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
	if err == nil && token.RefreshToken == "" {
		token.RefreshToken = refresh // an answer without one leaves the old one in force
	}
	return token, err
}

// requestToken asks the token endpoint. A public client, which has no secret,
// names itself in the form only.
func requestToken(ctx context.Context, client *http.Client, config clientcredentials.Config, form url.Values) (*oauth2.Token, error) {
	config.AuthStyle = oauth2.AuthStyleInParams
	if config.ClientSecret != "" {
		config.AuthStyle = oauth2.AuthStyleInHeader
		form.Set("client_id", config.ClientID)
	}
	config.EndpointParams = form
	token, err := config.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, client)).Token()
	if err != nil {
		own := clientSecrets(config.ClientID, models.NewSecret(config.ClientSecret))
		return nil, tokenError(err).mask(append(own, form.Get("refresh_token"), form.Get("code"), form.Get("code_verifier"))...)
	}
	return token, nil
}

// tokenLink is what package oauth2 leaves out: a request to the token endpoint names
// the program, and a byte order mark before its answer is passed over.
type tokenLink struct {
	next  http.RoundTripper
	agent string
}

func (l *tokenLink) RoundTrip(req *http.Request) (*http.Response, error) {
	named := req.Clone(req.Context())
	named.Header.Set("User-Agent", l.agent)
	resp, err := l.next.RoundTrip(named)
	if err != nil || resp == nil || resp.Body == nil {
		return resp, err
	}
	text := bufio.NewReader(resp.Body)
	if start, _ := text.Peek(len(byteOrderMark)); bytes.Equal(start, byteOrderMark) {
		_, _ = text.Discard(len(byteOrderMark)) // they have been read
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{text, resp.Body}
	return resp, nil
}

// externalSource asks a token source of the caller. It is a function because fmt
// would print the tokens that it finds in the source.
type externalSource func() (*oauth2.Token, error)

func (s externalSource) check(bool) error { return nil }

func (s externalSource) fetch(context.Context, *http.Client, *oauth2.Token) (*oauth2.Token, error) {
	token, err := s()
	if err != nil {
		return nil, tokenError(err)
	}
	if token == nil {
		return nil, tokenError(errors.New("the token source returned no token"))
	}
	return token, nil
}

// fixedToken is an access token that nobody renews.
type fixedToken struct{ token models.Secret }

func (s fixedToken) check(bool) error { return nil }

func (s fixedToken) fetch(context.Context, *http.Client, *oauth2.Token) (*oauth2.Token, error) {
	return &oauth2.Token{AccessToken: s.token.Reveal()}, nil
}

func checkTokenURL(setting, address string, insecureHTTP bool) error {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return &ConfigError{setting, "needs a token address without user and fragment"}
	}
	if !allowedScheme(u, insecureHTTP) {
		return &ConfigError{setting, "needs a token address of scheme https"}
	}
	return nil
}

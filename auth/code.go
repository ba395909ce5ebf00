package auth

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"golang.org/x/oauth2"

	"github.com/practicesdk/practice-go/internal/httpx"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// AuthorizationCode signs a user in with the authorization code grant and PKCE.
// Begin returns the URL for the user's browser. Exchange turns the callback
// into credentials for practice.WithTokens, which renew their tokens as long as
// the refresh token is valid.
type AuthorizationCode struct {
	AuthURL      string // URL of the authorization endpoint
	TokenURL     string // URL of the token endpoint
	ClientID     string
	ClientSecret models.Secret // zero for a public client
	RedirectURL  string        // registered URL to which the user is redirected
	Scopes       []string      // empty for the default scopes
	// HTTPClient sends the token request; nil means the library's default
	// client. It does not follow redirects.
	HTTPClient *http.Client
	// TokenStore stores the tokens of the user who signed in, for a [Source].
	// If it is nil, the program must store the credentials itself.
	TokenStore TokenStore
}

// SignIn holds a sign-in that has begun. Keep it in the user's session until
// the callback; if sessions are stored, store the text that Reveal returns. The
// JSON of a SignIn does not contain the Verifier.
type SignIn struct {
	URL      string        // open it in the user's browser
	State    string        // returned in the query of the callback
	Verifier models.Secret // proves to the token endpoint that this program began the sign-in
}

// Begin starts a sign-in. It does not send any requests.
func (a AuthorizationCode) Begin() SignIn {
	verifier, state := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	config := oauth2.Config{
		ClientID: a.ClientID, RedirectURL: a.RedirectURL, Scopes: a.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: a.AuthURL},
	}
	return SignIn{
		URL:      config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)),
		State:    state,
		Verifier: models.NewSecret(verifier),
	}
}

// Reveal returns the sign-in as text for the user's session. The text contains
// the secret.
func (s SignIn) Reveal() string {
	text, _ := json.Marshal(map[string]string{"url": s.URL, "state": s.State, "verifier": s.Verifier.Reveal()}) // strings can always be marshalled
	return string(text)
}

// ParseSignIn parses the text that Reveal returned. Its error contains no part
// of the text.
func ParseSignIn(text string) (SignIn, error) {
	var members map[string]string
	err := json.Unmarshal([]byte(text), &members)
	s := SignIn{members["url"], members["state"], models.NewSecret(members["verifier"])}
	if err != nil || s.State == "" || s.Verifier.IsZero() {
		return SignIn{}, errors.New("the text does not contain a sign-in")
	}
	return s, nil
}

// Exchange exchanges the code in callback, the query of the redirect URL, for
// credentials. It returns a *TokenError if the user or the service refused, or
// if callback does not belong to signIn. A code can be used only once, so an
// exchange that has begun is completed and stored within 30 s, even if ctx ends
// meanwhile. If TokenStore fails, Exchange returns the credentials and a
// *TokenError that wraps a *TokenStoreError.
func (a AuthorizationCode) Exchange(ctx context.Context, signIn SignIn, callback url.Values) (RefreshCredentials, error) {
	if err := checkTokenURL("auth.AuthorizationCode", a.TokenURL, false); err != nil {
		return RefreshCredentials{}, err
	}
	if signIn.State == "" || subtle.ConstantTimeCompare([]byte(callback.Get("state")), []byte(signIn.State)) == 0 {
		return RefreshCredentials{}, &TokenError{Err: ErrSignInState}
	}
	if code := callback.Get("error"); code != "" {
		return RefreshCredentials{}, &TokenError{Code: code, Description: callback.Get("error_description")}
	}
	if callback.Get("code") == "" {
		return RefreshCredentials{}, &TokenError{Err: errors.New("the callback contains no authorization code")}
	}
	if ctx.Err() != nil {
		return RefreshCredentials{}, tokenError(context.Cause(ctx))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewalLimit)
	defer cancel()
	wire, own := transport.WireClient(a.HTTPClient)
	if own {
		defer httpx.CloseIdleConnections(wire)
	}
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {callback.Get("code")},
		"redirect_uri": {a.RedirectURL}, "code_verifier": {signIn.Verifier.Reveal()},
	}
	client := transport.TokenClient(wire.Transport, transport.UserAgent(""), nil)
	tokens, err := endpoint{a.TokenURL, a.ClientID, a.ClientSecret}.tokens(ctx, client, form)
	switch signedIn := !tokens.RefreshToken.IsZero(); {
	case err != nil && !signedIn:
		return RefreshCredentials{}, err
	case !signedIn:
		return RefreshCredentials{}, &TokenError{Err: errors.New("the token endpoint returned no refresh token")}
	}
	credentials := RefreshCredentials{
		TokenURL: a.TokenURL, ClientID: a.ClientID, ClientSecret: a.ClientSecret,
		RefreshToken: tokens.RefreshToken, AccessToken: tokens.AccessToken, Expiry: tokens.Expiry,
	}
	if a.TokenStore == nil {
		return credentials, nil
	}
	return credentials, saveSignIn(ctx, a.TokenStore, credentials)
}

// saveSignIn replaces the content of the store by the tokens of a sign-in.
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

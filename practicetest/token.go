package practicetest

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// oauthError is an error response of the token endpoint.
type oauthError struct {
	status int
	Code   string `json:"error"`
	Text   string `json:"error_description"`

	mistake string // why a correct client would not send the request; see problem
}

func (e *oauthError) Error() string { return e.Code + ": " + e.Text }

func badToken(code, text string) *oauthError {
	return &oauthError{status: http.StatusBadRequest, Code: code, Text: text}
}

func (e *oauthError) asMistake(format string, args ...any) *oauthError {
	e.mistake = fmt.Sprintf(format, args...)
	return e
}

// refusedToken returns the oauthError in err, or nil. If it is a mistake of the
// client, it is reported as a violation.
func (s *Server) refusedToken(c *call, err error) *oauthError {
	refused := (*oauthError)(nil)
	if errors.As(err, &refused) && refused.mistake != "" {
		s.violate(c, "%s", refused.mistake)
	}
	return refused
}

// tokenAnswer is a successful response of the token endpoint.
type tokenAnswer struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"`
	RefreshToken string `json:"refresh_token,omitempty"`
}

func recogniseToken(r *http.Request, c *call) {
	switch r.URL.Path {
	case tokenPath:
		c.operation = "token"
	case authorizePath:
		c.operation = "authorize"
	}
}

// serveToken handles requests to the token endpoint and the authorization page.
func (s *Server) serveToken(w http.ResponseWriter, r *http.Request) {
	c := callOf(r)
	switch {
	case c.operation == "token" && r.Method == http.MethodPost:
		s.token(w, r, c)
	case c.operation == "authorize" && r.Method == http.MethodGet:
		s.authorize(w, r, c)
	case c.operation == "":
		s.violate(c, "the token endpoint does not have this path")
		http.NotFound(w, r)
	default:
		s.violate(c, "the token endpoint does not support this method")
		w.Header().Set("Allow", map[string]string{"token": "POST", "authorize": "GET"}[c.operation])
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (s *Server) token(w http.ResponseWriter, r *http.Request, c *call) {
	form, err := tokenForm(r)
	if err == nil {
		err = s.checkClient(r, form)
	}
	var granted *tokenAnswer
	if err == nil {
		granted, err = s.exchange(c, form)
	}
	w.Header().Set("Cache-Control", "no-store")
	if refused := s.refusedToken(c, err); refused != nil {
		if refused.status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Basic realm="token"`)
		}
		reply(w, refused.status, "application/json; charset=utf-8", encode(refused))
		return
	}
	reply(w, http.StatusOK, "application/json; charset=utf-8", encode(granted))
}

func tokenForm(r *http.Request) (url.Values, error) {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media != "application/x-www-form-urlencoded" {
		return nil, badToken("invalid_request", "The request must be form-encoded.").
			asMistake("a token request must be form-encoded, not %q", r.Header.Get("Content-Type"))
	}
	raw, err := readBody(r)
	if err != nil {
		return nil, badToken("invalid_request", "The body ended early.")
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, badToken("invalid_request", "The form cannot be parsed.").asMistake("the form cannot be parsed")
	}
	for _, name := range slices.Sorted(maps.Keys(form)) {
		if len(form[name]) > 1 {
			return nil, badToken("invalid_request", "The parameter "+name+" occurs more than once.").
				asMistake("the form parameter %q occurs more than once", name)
		}
	}
	return form, nil
}

// checkClient checks the identity of the client: the client_id in the form and,
// unless it is a public client, the Basic credentials.
func (s *Server) checkClient(r *http.Request, form url.Values) error {
	want := s.Credentials()
	unknown := &oauthError{status: http.StatusUnauthorized, Code: "invalid_client", Text: "The client is unknown or its secret is wrong."}
	id, secret, basic := r.BasicAuth()
	switch {
	case form.Get("client_id") == "":
		return badToken("invalid_request", "client_id is missing.").asMistake("the form does not contain client_id")
	case form.Get("client_id") != want.ClientID:
		return unknown
	case s.cfg.publicClient:
		return nil
	case !basic:
		return unknown.asMistake("the client does not authenticate with a Basic header")
	case !want.match(id, secret):
		return unknown
	}
	return nil
}

// match checks Basic credentials. Their two parts are form-encoded (RFC 6749,
// section 2.3.1).
func (want Credentials) match(id, secret string) bool {
	plainID, err1 := url.QueryUnescape(id)
	plainSecret, err2 := url.QueryUnescape(secret)
	right := subtle.ConstantTimeCompare([]byte(plainSecret), []byte(want.ClientSecret)) == 1
	return err1 == nil && err2 == nil && right && plainID == want.ClientID
}

func (s *Server) exchange(c *call, form url.Values) (*tokenAnswer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now = s.clock.Now().UTC()
	s.settleDue(c.now)
	switch form.Get("grant_type") {
	case "client_credentials":
		return s.grantClient(c.now, form.Get("scope"))
	case "refresh_token":
		return s.refresh(form, c.now)
	case "authorization_code":
		return s.redeem(form, c.now)
	case "":
		return nil, badToken("invalid_request", "grant_type is missing.").asMistake("the form does not contain grant_type")
	default:
		return nil, badToken("unsupported_grant_type", "The grant type is not supported.").
			asMistake("the grant_type %q is not supported", form.Get("grant_type"))
	}
}

// grantClient issues a token from the client credentials grant. It refuses a
// public client.
func (s *Server) grantClient(now time.Time, scope string) (*tokenAnswer, error) {
	if s.cfg.publicClient {
		return nil, badToken("unauthorized_client", "A public client cannot use the client credentials grant.").
			asMistake("a public client cannot use the client credentials grant")
	}
	asked, err := s.askedScopes(scope)
	if err != nil {
		return nil, err
	}
	return s.issue(s.grants.open(s.credentials.AccountID, "", asked), asked, now, false), nil
}

func (s *Server) issue(g *grant, granted scopes, now time.Time, withRefresh bool) *tokenAnswer {
	a := &tokenAnswer{
		AccessToken: s.grants.addAccess(g, granted, now.Add(s.cfg.tokenLifetime)),
		TokenType:   "Bearer", ExpiresIn: int64(s.cfg.tokenLifetime / time.Second),
	}
	if withRefresh {
		a.RefreshToken = s.grants.addRefresh(g, now.Add(s.cfg.refreshLifetime))
	}
	return a
}

func (s *Server) refresh(form url.Values, now time.Time) (*tokenAnswer, error) {
	token := form.Get("refresh_token")
	g := s.grants.byRefreshToken(token, now)
	switch {
	case token == "":
		return nil, badToken("invalid_request", "refresh_token is missing.").asMistake("the form does not contain refresh_token")
	case g == nil:
		return nil, badToken("invalid_grant", "The refresh token is unknown, used, expired or revoked.")
	case !s.state.enabledUser(g.accountID, g.userID):
		return nil, badToken("invalid_grant", "The user no longer has access.")
	}
	granted, err := s.lesserScopes(g.scopes, form.Get("scope"))
	if err != nil {
		return nil, err
	}
	if s.cfg.oneTimeRefresh {
		delete(g.refresh, token)
	}
	return s.issue(g, granted, now, s.cfg.oneTimeRefresh), nil
}

// redeem exchanges an authorization code for tokens. A code can be used only
// once.
func (s *Server) redeem(form url.Values, now time.Time) (*tokenAnswer, error) {
	code, known := s.grants.codes[form.Get("code")]
	delete(s.grants.codes, form.Get("code"))
	switch {
	case form.Get("code") == "":
		return nil, badToken("invalid_request", "code is missing.").asMistake("the form does not contain code")
	case !known || !now.Before(code.expiry):
		return nil, badToken("invalid_grant", "The code is unknown, used or expired.")
	case form.Get("redirect_uri") != code.redirectURI:
		return nil, badToken("invalid_grant", "redirect_uri does not match the authorization request.")
	case code.challenge != challengeOf(form.Get("code_verifier")):
		return nil, badToken("invalid_grant", "code_verifier does not match.")
	}
	return s.issue(code.grant, code.grant.scopes, now, true), nil
}

// challengeOf returns the S256 code challenge of a PKCE verifier, or "" if
// verifier is empty.
func challengeOf(verifier string) string {
	if verifier == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

package practicetest

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// oauthError is an error answer of the token endpoint.
type oauthError struct {
	status int
	Code   string `json:"error"`
	Text   string `json:"error_description"`
}

func (e *oauthError) Error() string { return e.Code + ": " + e.Text }

func badToken(code, text string) *oauthError {
	return &oauthError{http.StatusBadRequest, code, text}
}

// tokenAnswer is the answer of the token endpoint.
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

// serveToken is the origin of the token endpoint.
func (s *Server) serveToken(w http.ResponseWriter, r *http.Request) {
	c := callOf(r)
	switch {
	case c.operation == "token" && r.Method == http.MethodPost:
		s.token(w, r, c)
	case c.operation == "authorize" && r.Method == http.MethodGet:
		s.authorize(w, r, c)
	case c.operation == "":
		s.violate(c, "the token endpoint has no such path")
		http.NotFound(w, r)
	default:
		s.violate(c, "the token endpoint has no such method")
		w.Header().Set("Allow", map[string]string{"token": "POST", "authorize": "GET"}[c.operation])
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (s *Server) token(w http.ResponseWriter, r *http.Request, c *call) {
	form, err := s.tokenForm(r, c)
	if err == nil {
		err = s.checkClient(r, c, form)
	}
	var granted *tokenAnswer
	if err == nil {
		granted, err = s.exchange(c, form)
	}
	w.Header().Set("Cache-Control", "no-store")
	if refused := (*oauthError)(nil); errors.As(err, &refused) {
		if refused.status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Basic realm="token"`)
		}
		writeJSON(w, refused.status, encode(refused))
		return
	}
	writeJSON(w, http.StatusOK, encode(granted))
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func (s *Server) tokenForm(r *http.Request, c *call) (url.Values, error) {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media != "application/x-www-form-urlencoded" {
		s.violate(c, "a token request is form-encoded, not %q", r.Header.Get("Content-Type"))
		return nil, badToken("invalid_request", "The request must be form-encoded.")
	}
	raw, err := readBody(r)
	if err != nil {
		return nil, badToken("invalid_request", "The body ended early.")
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, badToken("invalid_request", "The form cannot be read.")
	}
	for name, values := range form {
		if len(values) > 1 {
			s.violate(c, "the form parameter %q occurs twice", name)
			return nil, badToken("invalid_request", "The parameter "+name+" occurs twice.")
		}
	}
	return form, nil
}

// checkClient wants the client's identity twice: as the Basic header, and as the
// client_id of the form.
func (s *Server) checkClient(r *http.Request, c *call, form url.Values) error {
	id, secret, basic := r.BasicAuth()
	if !basic {
		s.violate(c, "the client does not authenticate with a Basic header")
	}
	if form.Get("client_id") == "" {
		s.violate(c, "the form lacks client_id")
		return badToken("invalid_request", "client_id is missing.")
	}
	// The two halves are form-encoded before they are put together (RFC 6749, 2.3.1).
	plainID, err1 := url.QueryUnescape(id)
	plainSecret, err2 := url.QueryUnescape(secret)
	want := s.Credentials()
	right := subtle.ConstantTimeCompare([]byte(plainSecret), []byte(want.ClientSecret)) == 1
	if !basic || err1 != nil || err2 != nil || !right || plainID != want.ClientID || form.Get("client_id") != want.ClientID {
		return &oauthError{http.StatusUnauthorized, "invalid_client", "The client is unknown or its secret is wrong."}
	}
	return nil
}

func (s *Server) exchange(c *call, form url.Values) (*tokenAnswer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now = s.clock.Now().UTC()
	s.settleDue(c.now)
	switch form.Get("grant_type") {
	case "client_credentials":
		return s.issue(s.grants.open(s.credentials.AccountID, ""), c.now, false), nil
	case "refresh_token":
		return s.refresh(form.Get("refresh_token"), c.now)
	case "authorization_code":
		return s.redeem(form, c.now)
	case "":
		s.violate(c, "the form lacks grant_type")
		return nil, badToken("invalid_request", "grant_type is missing.")
	default:
		return nil, badToken("unsupported_grant_type", "The grant type is not supported.")
	}
}

func (s *Server) issue(g *grant, now time.Time, withRefresh bool) *tokenAnswer {
	a := &tokenAnswer{
		AccessToken: s.grants.addAccess(g, now.Add(s.cfg.tokenLifetime)),
		TokenType:   "Bearer", ExpiresIn: int64(s.cfg.tokenLifetime / time.Second),
	}
	if withRefresh {
		a.RefreshToken = s.grants.addRefresh(g, now.Add(s.cfg.refreshLifetime))
	}
	return a
}

func (s *Server) refresh(token string, now time.Time) (*tokenAnswer, error) {
	g := s.grants.byRefreshToken(token, now)
	switch {
	case g == nil:
		return nil, badToken("invalid_grant", "The refresh token is unknown, used, expired or revoked.")
	case !s.state.enabledUser(g.accountID, g.userID):
		return nil, badToken("invalid_grant", "The user has no access any more.")
	case !s.cfg.oneTimeRefresh:
		return s.issue(g, now, false), nil
	}
	delete(g.refresh, token)
	return s.issue(g, now, true), nil
}

// redeem exchanges an authorization code, once.
func (s *Server) redeem(form url.Values, now time.Time) (*tokenAnswer, error) {
	code, known := s.grants.codes[form.Get("code")]
	delete(s.grants.codes, form.Get("code"))
	switch {
	case !known || !now.Before(code.expiry):
		return nil, badToken("invalid_grant", "The code is unknown, used or expired.")
	case form.Get("redirect_uri") != code.redirectURI:
		return nil, badToken("invalid_grant", "redirect_uri is not that of the authorization.")
	case code.challenge != challengeOf(form.Get("code_verifier")):
		return nil, badToken("invalid_grant", "code_verifier does not match.")
	}
	return s.issue(code.grant, now, true), nil
}

// challengeOf is the S256 challenge of a PKCE verifier; empty without one.
func challengeOf(verifier string) string {
	if verifier == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// authorize is the page on which a user grants access. Nobody is asked here: it
// answers at once with a redirect that carries the code.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request, c *call) {
	q := r.URL.Query()
	target, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || !target.IsAbs() || q.Get("client_id") != s.Credentials().ClientID {
		s.violate(c, "client_id is unknown, or redirect_uri is not an absolute address")
		http.Error(w, "client_id is unknown, or redirect_uri is not an absolute address", http.StatusBadRequest)
		return
	}
	back := target.Query()
	if state := q.Get("state"); state != "" {
		back.Set("state", state)
	}
	if wrong := authorizeFault(q); wrong != nil {
		back.Set("error", wrong.Code)
		back.Set("error_description", wrong.Text)
	} else {
		back.Set("code", s.newCode(c, q))
	}
	target.RawQuery = back.Encode()
	w.Header().Set("Location", target.String())
	w.WriteHeader(http.StatusFound)
}

func authorizeFault(q url.Values) *oauthError {
	switch {
	case q.Get("response_type") != "code":
		return badToken("unsupported_response_type", "response_type must be code.")
	case q.Get("code_challenge") != "" && q.Get("code_challenge_method") != "S256":
		return badToken("invalid_request", "code_challenge_method must be S256.")
	}
	return nil
}

func (s *Server) newCode(c *call, q url.Values) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now = s.clock.Now().UTC()
	code := "code-" + s.grants.ids.next()
	s.grants.codes[code] = authorizationCode{
		grant:       s.grants.open(s.credentials.AccountID, s.credentials.UserID),
		redirectURI: q.Get("redirect_uri"), challenge: q.Get("code_challenge"), expiry: c.now.Add(codeLifetime),
	}
	return code
}

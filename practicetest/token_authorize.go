package practicetest

import (
	"net/http"
	"net/url"
)

// authorize handles the authorization page. It grants access without asking and
// redirects with a code.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request, c *call) {
	q := r.URL.Query()
	target, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || !target.IsAbs() || q.Get("client_id") != s.Credentials().ClientID {
		s.violate(c, "client_id is unknown, or redirect_uri is not an absolute URL")
		http.Error(w, "client_id is unknown, or redirect_uri is not an absolute URL", http.StatusBadRequest)
		return
	}
	back := target.Query()
	if state := q.Get("state"); state != "" {
		back.Set("state", state)
	}
	code, err := s.newCode(c, q)
	if wrong := s.refusedToken(c, err); wrong != nil {
		back.Set("error", wrong.Code)
		back.Set("error_description", wrong.Text)
	} else {
		back.Set("code", code)
	}
	target.RawQuery = back.Encode()
	w.Header().Set("Location", target.String())
	w.WriteHeader(http.StatusFound)
}

// authorizeFault returns the error for an invalid authorization request, or
// nil. Such an error is a mistake of the client that sent the user to the page.
func (s *Server) authorizeFault(q url.Values) *oauthError {
	fault := func(code, text string) *oauthError { return badToken(code, text).asMistake("%s", text) }
	switch {
	case q.Get("response_type") != "code":
		return fault("unsupported_response_type", "response_type must be code.")
	case q.Get("code_challenge") != "" && q.Get("code_challenge_method") != "S256":
		return fault("invalid_request", "code_challenge_method must be S256.")
	case q.Get("code_challenge") == "" && s.cfg.publicClient:
		return fault("invalid_request", "A public client must send a code_challenge.")
	}
	return nil
}

func (s *Server) newCode(c *call, q url.Values) (string, error) {
	if wrong := s.authorizeFault(q); wrong != nil {
		return "", wrong
	}
	asked, err := s.askedScopes(q.Get("scope"))
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now = s.clock.Now().UTC()
	code := "code-" + s.grants.ids.next()
	s.grants.codes[code] = authorizationCode{
		grant:       s.grants.open(s.credentials.AccountID, s.credentials.UserID, asked),
		redirectURI: q.Get("redirect_uri"), challenge: q.Get("code_challenge"), expiry: c.now.Add(codeLifetime),
	}
	return code, nil
}

package practicetest

import (
	"net/http"
	"net/url"
)

// authorize is the page on which a user grants access. Nobody is asked here: it
// answers at once with a redirect that carries the code.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request, c *call) {
	q := r.URL.Query()
	target, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || !target.IsAbs() || q.Get("client_id") != s.credentials.ClientID {
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

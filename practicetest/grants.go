package practicetest

import (
	"slices"
	"time"
)

// grant is an OAuth grant with its refresh tokens.
type grant struct {
	accountID         string
	userID            string // empty for client credentials
	clientCredentials bool
	scopes            scopes
	refresh           map[string]time.Time // expiry of each refresh token
}

// grantStore holds grants, tokens and authorization codes. It is guarded by the
// server's lock.
type grantStore struct {
	ids    *idSource
	grants []*grant // grants of users; others do not end
	access map[string]accessToken
	codes  map[string]authorizationCode
}

type accessToken struct {
	grant  *grant
	scopes scopes
	expiry time.Time
}

// authorizationCode can be exchanged for tokens once, within codeLifetime.
type authorizationCode struct {
	grant       *grant
	redirectURI string
	challenge   string // PKCE challenge (S256); empty without PKCE
	expiry      time.Time
}

const codeLifetime = 5 * time.Minute

func newGrantStore(ids *idSource) *grantStore {
	return &grantStore{ids: ids, access: map[string]accessToken{}, codes: map[string]authorizationCode{}}
}

func (g *grantStore) open(accountID, userID string, granted scopes) *grant {
	n := &grant{
		accountID: accountID, userID: userID, clientCredentials: userID == "", scopes: granted,
		refresh: map[string]time.Time{},
	}
	if !n.clientCredentials {
		g.grants = append(g.grants, n)
	}
	return n
}

func (g *grantStore) addAccess(to *grant, granted scopes, expiry time.Time) string {
	token := "at-" + g.ids.next()
	g.access[token] = accessToken{to, granted, expiry}
	return token
}

func (g *grantStore) addRefresh(to *grant, expiry time.Time) string {
	token := "rt-" + g.ids.next()
	to.refresh[token] = expiry
	return token
}

// byAccessToken returns the access token, or the zero value if it is unknown or
// has expired.
func (g *grantStore) byAccessToken(token string, now time.Time) accessToken {
	t, known := g.access[token]
	if known && !now.Before(t.expiry) {
		delete(g.access, token)
		return accessToken{}
	}
	return t
}

func (g *grantStore) byRefreshToken(token string, now time.Time) *grant {
	for _, candidate := range g.grants {
		if expiry, known := candidate.refresh[token]; known && now.Before(expiry) {
			return candidate
		}
	}
	return nil
}

// expired reports whether all refresh tokens of the grant have expired. A grant
// whose authorization code was not exchanged yet has none and is not expired.
func (g *grant) expired(now time.Time) bool {
	for _, expiry := range g.refresh {
		if now.Before(expiry) {
			return false
		}
	}
	return len(g.refresh) > 0
}

// ExpireTokens makes the access tokens expire at once. Refresh tokens stay
// valid.
func (s *Server) ExpireTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.grants.access)
}

// RevokeRefreshToken revokes the refresh tokens, as a user or the firm can. The
// token endpoint then rejects them, and the webhook subscriptions of their
// grants are removed. Access tokens stay valid until they expire.
func (s *Server) RevokeRefreshToken() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	for _, g := range s.grants.grants {
		for token := range g.refresh {
			g.refresh[token] = now
		}
	}
	s.endGrants(now)
}

// endGrants removes the grants that have expired or whose user has no access
// any more, with their webhook subscriptions.
func (s *Server) endGrants(now time.Time) {
	s.grants.grants = slices.DeleteFunc(s.grants.grants, func(g *grant) bool {
		ended := g.expired(now) || !s.state.enabledUser(g.accountID, g.userID)
		if ended {
			s.state.dropSubscriptions(g)
		}
		return ended
	})
}

package practicetest

import (
	"slices"
	"time"
)

// grant is the permission of a client, with the tokens issued for it.
type grant struct {
	accountID         string
	userID            string // empty under client credentials
	clientCredentials bool
	scopes            scopes
	refresh           map[string]time.Time // refresh tokens and when they end
}

// grantStore holds grants, tokens and codes. The server's lock guards it.
type grantStore struct {
	ids    *idSource
	grants []*grant // those with a user, which can end
	access map[string]accessToken
	codes  map[string]authorizationCode
}

type accessToken struct {
	grant  *grant
	scopes scopes
	expiry time.Time
}

// authorizationCode is good for one exchange within codeLifetime.
type authorizationCode struct {
	grant       *grant
	redirectURI string
	challenge   string // of PKCE S256; empty without
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

// byAccessToken returns the grant of an access token, or nil if the token is
// unknown or has expired.
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

// expired reports whether the last refresh token of a grant has expired. A
// grant whose code was not redeemed yet has none.
func (g *grant) expired(now time.Time) bool {
	for _, expiry := range g.refresh {
		if now.Before(expiry) {
			return false
		}
	}
	return len(g.refresh) > 0
}

// ExpireTokens ends the access tokens, as if its lifetime had passed. Refresh
// tokens stay valid.
func (s *Server) ExpireTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.grants.access)
}

// RevokeRefreshToken revokes the refresh tokens, as the user or the firm can.
// The token endpoint refuses them from now on, and the webhook subscriptions of
// their grants end. Access tokens stay valid until they expire.
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

// endGrants ends the grants that have expired and those whose user has lost
// access, and removes their subscriptions.
func (s *Server) endGrants(now time.Time) {
	s.grants.grants = slices.DeleteFunc(s.grants.grants, func(g *grant) bool {
		ended := g.expired(now) || !s.state.enabledUser(g.accountID, g.userID)
		if ended {
			s.state.dropSubscriptions(g)
		}
		return ended
	})
}

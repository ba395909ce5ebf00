package practicetest

import (
	"testing"

	"golang.org/x/oauth2"

	practice "github.com/practicesdk/practice-go"
)

// NewClient returns a client of the service, for programs as for tests: with its API key,
// its network and access tokens, which it renews as often as they expire, by the clock
// of the service. [Server.RevokeRefreshToken] ends that. The options given here override
// those that NewClient sets itself.
func (s *Server) NewClient(opts ...practice.ClientOption) (*practice.Client, error) {
	return practice.NewClient(s.BaseURL(), append([]practice.ClientOption{
		practice.WithHTTPClient(s.HTTPClient()),
		practice.WithAPIKey(s.Credentials().APIKey),
		practice.WithTokenSource(&ownTokens{server: s, current: s.Credentials().AccessToken}),
	}, opts...)...)
}

// Client is [Server.NewClient] for a test. An option that is refused fails the test, and
// the end of the test closes the connections.
func (s *Server) Client(t testing.TB, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	client, err := s.NewClient(opts...)
	if err != nil {
		t.Fatalf("practicetest: %v", err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// ownTokens hands out access tokens of the grant behind the credentials, without asking
// the token endpoint. The clock of the service tells when they end, and no other clock
// knows it: so a token has no end here, and the 401 after it asks for the next one.
type ownTokens struct {
	server  *Server
	current string
}

// Token returns the present token, and another one when it has ended. A client that is refused
// for another reason gets the same one again, and so repeats nothing.
func (o *ownTokens) Token() (*oauth2.Token, error) {
	s := o.server
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now().UTC()
	if s.grants.byAccessToken(o.current, now).grant == nil {
		if g := s.grants.byRefreshToken(s.credentials.RefreshToken, now); g != nil {
			o.current = s.issue(g, g.scopes, now, false).AccessToken
		}
	}
	return &oauth2.Token{AccessToken: o.current}, nil
}

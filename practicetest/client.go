package practicetest

import (
	"context"
	"testing"

	practice "github.com/practicesdk/practice-go"
)

// NewClient returns a client of the service, for programs as for tests: with
// its API key, its network and access tokens, which it renews as often as they
// expire, by the clock of the service. [Server.RevokeRefreshToken] ends that.
// The options given here override those that NewClient sets itself.
func (s *Server) NewClient(opts ...practice.ClientOption) (*practice.Client, error) {
	own := &ownTokens{server: s, current: s.Credentials().AccessToken}
	return practice.NewClient(s.BaseURL(), append([]practice.ClientOption{
		practice.WithHTTPClient(s.HTTPClient()),
		practice.WithAPIKey(s.Credentials().APIKey),
		practice.WithTokens(practice.TokenFunc(own.token)),
	}, opts...)...)
}

// Client is [Server.NewClient] for a test. An option that is refused fails the
// test, and the end of the test closes the connections.
func (s *Server) Client(t testing.TB, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	client, err := s.NewClient(opts...)
	if err != nil {
		t.Fatalf("practicetest: %v", err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// ownTokens returns access tokens of the grant behind the credentials, without
// a request to the token endpoint. They expire by the clock of the service,
// which only the service knows, so the 401 after that requests the next one.
type ownTokens struct {
	server  *Server
	current string
}

// token returns the present token, and another one when that was refused
// because it has ended. A client that is refused for another reason gets the
// same one again, and so repeats nothing.
func (o *ownTokens) token(_ context.Context, refused string) (string, error) {
	s := o.server
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now().UTC()
	if refused == o.current && s.grants.byAccessToken(o.current, now).grant == nil {
		if g := s.grants.byRefreshToken(s.credentials.RefreshToken, now); g != nil {
			o.current = s.issue(g, g.scopes, now, false).AccessToken
		}
	}
	return o.current, nil
}

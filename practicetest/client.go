package practicetest

import (
	"context"
	"testing"

	practice "github.com/practicesdk/practice-go"
)

// NewClient returns a client of the service with its API key and network. The
// client gets a new access token when its token expires by the service's clock,
// until the sign-in ends: with [Server.RevokeRefreshToken], or after
// [WithRefreshLifetime] by that clock. opts override the options that NewClient
// sets.
func (s *Server) NewClient(opts ...practice.ClientOption) (*practice.Client, error) {
	own := &ownTokens{server: s, current: s.Credentials().AccessToken}
	return practice.NewClient(s.BaseURL(), append([]practice.ClientOption{
		practice.WithHTTPClient(s.HTTPClient()),
		practice.WithAPIKey(s.Credentials().APIKey),
		practice.WithTokens(practice.TokenFunc(own.token)),
	}, opts...)...)
}

// Client is like [Server.NewClient], for tests. An invalid option fails the
// test. The connections are closed when the test ends.
func (s *Server) Client(t testing.TB, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	client, err := s.NewClient(opts...)
	if err != nil {
		t.Fatalf("practicetest: %v", err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// ownTokens provides access tokens without requests to the token endpoint. The
// client cannot know the service's clock, so it learns from a 401 that a token
// has expired.
type ownTokens struct {
	server  *Server
	current string
}

// token returns the current access token. It issues a new one only if the
// refused token has expired: after a refusal for another reason the client gets
// the same token, and so does not repeat the request.
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

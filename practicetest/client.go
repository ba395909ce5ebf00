package practicetest

import (
	"testing"

	practice "github.com/practicesdk/practice-go"
)

// Client returns a client of the service with its API key and a valid access
// token, and fails the test when an option is refused. Options given here win
// over those it sets itself.
func (s *Server) Client(t testing.TB, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	client, err := practice.NewClient(s.BaseURL(), append([]practice.ClientOption{
		practice.WithHTTPClient(s.HTTPClient()),
		practice.WithAPIKey(s.Credentials().APIKey),
		practice.WithAccessToken(s.Credentials().AccessToken),
	}, opts...)...)
	if err != nil {
		t.Fatalf("practicetest: %v", err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

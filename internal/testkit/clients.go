package testkit

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// ServerToServer returns a client that acts for the users named in its calls.
func ServerToServer(t *testing.T, server *practicetest.Server) *practice.Client {
	t.Helper()
	return server.Client(t, ClientCredentials(server))
}

// BareClient returns a client without credentials and with short waits between
// attempts.
func BareClient(t *testing.T, address string, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	own := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(own.CloseIdleConnections)
	client, err := practice.NewClient(address, append([]practice.ClientOption{
		practice.WithAPIKey("key"), practice.WithMaxRetryWait(time.Millisecond),
		practice.WithHTTPClient(&http.Client{Transport: own}),
	}, opts...)...)
	require.NoError(t, err)
	return client
}

// AnswerOf returns a response without headers.
func AnswerOf(status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// RoundTripper is a function that implements http.RoundTripper.
type RoundTripper func(*http.Request) (*http.Response, error)

// RoundTrip calls f.
func (f RoundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// ClientCredentials returns the client credentials grant of an embedded
// service.
func ClientCredentials(server *practicetest.Server) practice.ClientOption {
	return practice.WithTokens(ClientGrant(server))
}

// ClientGrant returns the credentials of ClientCredentials.
func ClientGrant(server *practicetest.Server) auth.ClientCredentials {
	return auth.ClientCredentials{
		TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID,
		ClientSecret: models.NewSecret(server.Credentials().ClientSecret),
	}
}

// RefreshToken returns the refresh token grant of an embedded service.
func RefreshToken(server *practicetest.Server) practice.ClientOption {
	return practice.WithTokens(RefreshGrant(server))
}

// RefreshGrant returns the credentials of RefreshToken.
func RefreshGrant(server *practicetest.Server) auth.RefreshCredentials {
	return auth.RefreshCredentials{
		TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID,
		ClientSecret: models.NewSecret(server.Credentials().ClientSecret),
		RefreshToken: models.NewSecret(server.Credentials().RefreshToken),
	}
}

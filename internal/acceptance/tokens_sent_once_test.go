package acceptance_test

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// TestARequestForATokenIsNotRepeatedByNetHTTP checks responses of HTTP/2
// servers after which net/http retries a POST: that it was not processed, or a
// protocol error, the latter without end. A refresh token or a code that is
// used twice may be revoked.
func TestARequestForATokenIsNotRepeatedByNetHTTP(t *testing.T) {
	t.Parallel()
	credentials := func(address string) auth.RefreshCredentials {
		return auth.RefreshCredentials{TokenURL: address, ClientID: "id", RefreshToken: models.NewSecret("refresh-1")}
	}
	call := func(t *testing.T, wire *http.Client, source practice.ClientOption) error {
		client := testkit.BareClient(t, "http://127.0.0.1:1", practice.WithHTTPClient(wire), practice.WithRetries(0), source)
		return testkit.Discard(client.Staff.Get(t.Context(), testkit.SomeID))
	}
	for name, ask := range map[string]func(t *testing.T, wire *http.Client, address string) error{
		"refresh token": func(t *testing.T, wire *http.Client, address string) error {
			return call(t, wire, practice.WithTokens(credentials(address)))
		},
		"client credentials": func(t *testing.T, wire *http.Client, address string) error {
			return call(t, wire, practice.WithTokens(auth.ClientCredentials{TokenURL: address, ClientID: "id", ClientSecret: models.NewSecret("secret")}))
		},
		"code": func(t *testing.T, wire *http.Client, address string) error {
			code := auth.AuthorizationCode{AuthURL: address, TokenURL: address, ClientID: "id", RedirectURL: "http://127.0.0.1/back", HTTPClient: wire}
			begun := code.Begin()
			return testkit.Discard(code.Exchange(t.Context(), begun, url.Values{"state": {begun.State}, "code": {"code-1"}}))
		},
	} {
		for wire, own := range map[string]http.RoundTripper{
			"its transport": http2Transport(t),
			"a context of its transport's own": testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				return http2Transport(t).RoundTrip(req.WithContext(t.Context()))
			}),
		} {
			for reset := range uint32(14) {
				var taken atomic.Int32
				address := testkit.Serve(t, func(conn net.Conn) { resetStreams(conn, reset, &taken) })
				err := ask(t, &http.Client{Transport: own}, address)
				_, failed := errors.AsType[*auth.TokenError](err)
				require.True(t, failed, "%v", err)
				assert.EqualValues(t, 1, taken.Load(), "%s in %s, code %d", name, wire, reset)
			}
		}
	}
}

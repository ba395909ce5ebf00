package practicetest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func clientCredentials() url.Values { return url.Values{"grant_type": {"client_credentials"}} }

func refreshForm(token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}
}

const verifier = "a-verifier-of-at-least-forty-three-characters-length"

// authorize requests an authorization code and returns the query of the
// redirect.
func authorize(t *testing.T, s *practicetest.Server, change url.Values) (int, url.Values) {
	t.Helper()
	sum := sha256.Sum256([]byte(verifier))
	q := url.Values{
		"response_type": {"code"}, "client_id": {s.Credentials().ClientID}, "redirect_uri": {"https://app.example.test/back?x=1"},
		"state": {"st"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}
	for name, values := range change {
		q[name] = values
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.AuthorizeURL()+"?"+q.Encode(), nil)
	require.NoError(t, err)
	client := s.HTTPClient()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	back, err := url.Parse(response.Header.Get("Location"))
	require.NoError(t, err)
	if response.StatusCode == http.StatusFound {
		assert.Equal(t, "https://app.example.test/back", "https://"+back.Host+back.Path)
		assert.Equal(t, "1", back.Query().Get("x"))
		assert.Equal(t, "st", back.Query().Get("state"))
	}
	return response.StatusCode, back.Query()
}

func TestTheAuthorizationPageRefuses(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	for code, change := range map[string]url.Values{
		"unsupported_response_type": {"response_type": {"token"}}, "invalid_request": {"code_challenge_method": {"plain"}}, "invalid_scope": {"scope": {"all"}},
	} {
		assert.Len(t, s.Tolerate(func() {
			status, back := authorize(t, s, change)
			assert.Equal(t, 302, status)
			assert.Equal(t, code, back.Get("error"))
		}), 1)
	}
	for _, change := range []url.Values{{"client_id": {"x"}}, {"redirect_uri": {"/back"}}} {
		assert.NotEmpty(t, s.Tolerate(func() {
			status, _ := authorize(t, s, change)
			assert.Equal(t, 400, status, "nobody is redirected to an address that is not the client's")
		}))
	}
}

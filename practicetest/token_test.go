package practicetest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func clientCredentials() url.Values { return url.Values{"grant_type": {"client_credentials"}} }

func refreshForm(token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}
}

func TestClientCredentials(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithTokenLifetime(90*time.Second))
	a := grant(t, s, clientCredentials())
	require.Equal(t, 200, a.Status)
	assert.Equal(t, "Bearer", a.text("token_type"))
	assert.Equal(t, json.Number("90"), a.at("expires_in"))
	assert.Nil(t, a.at("refresh_token"))
	assert.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	c := call(t, s)
	c.token = a.text("access_token")
	c.get("/bankaccounts").want(200)
}

func TestTheTokenEndpointRefuses(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	id, secret := s.Credentials().ClientID, s.Credentials().ClientSecret
	right := "grant_type=client_credentials&client_id=" + id
	tests := map[string]struct {
		method, path, contentType, id, secret, form string
		status                                      int
		code                                        string
		violation                                   string
	}{
		"right":                  {"POST", "", "", id, secret, right, 200, "", ""},
		"a wrong secret":         {"POST", "", "", id, "x", right, 401, "invalid_client", ""},
		"another client":         {"POST", "", "", "x", secret, right, 401, "invalid_client", ""},
		"no Basic header":        {"POST", "", "", "", "", right, 401, "invalid_client", "does not authenticate with a Basic header"},
		"no client_id":           {"POST", "", "", id, secret, "grant_type=client_credentials", 400, "invalid_request", "the form lacks client_id"},
		"another client_id":      {"POST", "", "", id, secret, "grant_type=client_credentials&client_id=x", 401, "invalid_client", ""},
		"no grant_type":          {"POST", "", "", id, secret, "client_id=" + id, 400, "invalid_request", "the form lacks grant_type"},
		"an unknown grant_type":  {"POST", "", "", id, secret, "grant_type=password&client_id=" + id, 400, "unsupported_grant_type", "there is no grant_type"},
		"no refresh token":       {"POST", "", "", id, secret, "grant_type=refresh_token&client_id=" + id, 400, "invalid_request", "the form lacks refresh_token"},
		"no code":                {"POST", "", "", id, secret, "grant_type=authorization_code&client_id=" + id, 400, "invalid_request", "the form lacks code"},
		"an unknown refresh":     {"POST", "", "", id, secret, "grant_type=refresh_token&refresh_token=x&client_id=" + id, 400, "invalid_grant", ""},
		"an unknown code":        {"POST", "", "", id, secret, "grant_type=authorization_code&code=x&client_id=" + id, 400, "invalid_grant", ""},
		"a parameter twice":      {"POST", "", "", id, secret, right + "&client_id=" + id, 400, "invalid_request", "occurs twice"},
		"JSON instead of a form": {"POST", "", "application/json", id, secret, `{}`, 400, "invalid_request", "is form-encoded"},
		"a broken form":          {"POST", "", "", id, secret, "%zz", 400, "invalid_request", "the form cannot be read"},
		"GET":                    {"GET", "", "", id, secret, "", 405, "", "has no such method"},
		"another path":           {"POST", "s", "", id, secret, right, 404, "", "has no such path"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), tt.method, s.TokenURL()+tt.path, strings.NewReader(tt.form))
			require.NoError(t, err)
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if tt.contentType != "" {
				request.Header.Set("Content-Type", tt.contentType)
			}
			if tt.id != "" {
				request.SetBasicAuth(tt.id, tt.secret)
			}
			found := s.Tolerate(func() {
				a := send(t, s, request)
				require.Equal(t, tt.status, a.Status, a.Body)
				if tt.code != "" {
					assert.Equal(t, tt.code, a.text("error"))
					assert.NotEmpty(t, a.text("error_description"))
				}
				if tt.status == 401 {
					assert.Contains(t, a.Header.Get("WWW-Authenticate"), "Basic")
				}
			})
			assert.Equal(t, tt.violation == "", len(found) == 0, found)
			assert.Contains(t, strings.Join(found, "\n"), tt.violation)
		})
	}
}

func TestRefreshTokens(t *testing.T) {
	t.Parallel()
	t.Run("are kept by default", func(t *testing.T) {
		t.Parallel()
		s := practicetest.New(t)
		for range 2 {
			a := grant(t, s, refreshForm(s.Credentials().RefreshToken))
			require.Equal(t, 200, a.Status)
			assert.Nil(t, a.at("refresh_token"))
			assert.NotEqual(t, s.Credentials().AccessToken, a.text("access_token"))
		}
	})
	t.Run("are good for one use when asked", func(t *testing.T) {
		t.Parallel()
		s := practicetest.New(t, practicetest.WithOneTimeRefresh(true))
		first := grant(t, s, refreshForm(s.Credentials().RefreshToken))
		require.Equal(t, 200, first.Status)
		assert.Equal(t, "invalid_grant", grant(t, s, refreshForm(s.Credentials().RefreshToken)).text("error"))
		second := grant(t, s, refreshForm(first.text("refresh_token")))
		assert.Equal(t, 200, second.Status)
		call(t, s).get("/webhooks/" + s.Firm().WebhookID).want(200)
	})
	t.Run("expire, and take their webhook subscriptions along", func(t *testing.T) {
		t.Parallel()
		s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithRefreshLifetime(time.Hour), practicetest.WithTokenLifetime(3*time.Hour))
		const hook = `{"name":"n","eventTypes":["error"],"eventNotificationUrl":"https://hooks.example.test/"}`
		byUser := call(t, s).do("POST", "/webhooks", hook).want(200).text("id")
		byClient := call(t, s).asClient().do("POST", "/webhooks", hook).want(200).text("id")
		s.Clock().Advance(time.Hour - 1)
		assert.Equal(t, []string{s.Firm().WebhookID, byUser, byClient}, call(t, s).get("/webhooks").texts("id", "value"))
		s.Clock().Advance(1)
		assert.Equal(t, []string{byClient}, call(t, s).get("/webhooks").texts("id", "value"))
		assert.Equal(t, "invalid_grant", grant(t, s, refreshForm(s.Credentials().RefreshToken)).text("error"))
	})
	t.Run("are revoked", func(t *testing.T) {
		t.Parallel()
		s := practicetest.New(t)
		s.RevokeRefreshToken()
		assert.Empty(t, call(t, s).get("/webhooks").want(200).list("value"))
		assert.Equal(t, "invalid_grant", grant(t, s, refreshForm(s.Credentials().RefreshToken)).text("error"))
	})
	t.Run("end with their user", func(t *testing.T) {
		t.Parallel()
		s := practicetest.New(t, practicetest.WithWriteDelay(0))
		call(t, s).do("DELETE", "/staff/"+s.Firm().StaffIDs[0], "").want(202)
		assert.Equal(t, "invalid_grant", grant(t, s, refreshForm(s.Credentials().RefreshToken)).text("error"))
	})
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

func TestAuthorizationCode(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start))
	redeem := func(code string, change url.Values) answer {
		form := url.Values{
			"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {verifier},
			"redirect_uri": {"https://app.example.test/back?x=1"},
		}
		for name, values := range change {
			form[name] = values
		}
		return grant(t, s, form)
	}
	newCode := func(change url.Values) string {
		status, back := authorize(t, s, change)
		require.Equal(t, 302, status)
		require.NotEmpty(t, back.Get("code"))
		return back.Get("code")
	}

	code := newCode(nil)
	a := redeem(code, nil)
	require.Equal(t, 200, a.Status, a.Body)
	c := call(t, s)
	c.token = a.text("access_token")
	c.get("/bankaccounts").want(200)
	assert.Equal(t, 200, grant(t, s, refreshForm(a.text("refresh_token"))).Status)
	assert.Equal(t, "invalid_grant", redeem(code, nil).text("error"), "a code is good for one use")

	assert.Equal(t, "invalid_grant", redeem(newCode(nil), url.Values{"code_verifier": {"x"}}).text("error"))
	assert.Equal(t, "invalid_grant", redeem(newCode(nil), url.Values{"code_verifier": nil}).text("error"))
	assert.Equal(t, "invalid_grant", redeem(newCode(nil), url.Values{"redirect_uri": {"https://app.example.test/"}}).text("error"))
	without := newCode(url.Values{"code_challenge": nil, "code_challenge_method": nil})
	assert.Equal(t, 200, redeem(without, url.Values{"code_verifier": nil}).Status)

	late := newCode(nil)
	s.Clock().Advance(5 * time.Minute)
	assert.Equal(t, "invalid_grant", redeem(late, nil).text("error"), "a code lives five minutes")
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

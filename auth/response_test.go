package auth_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// cut at the end of a body means that the connection breaks there.
const cut = "\x00"

// oneTime is a token endpoint whose refresh tokens can be used once, and a
// service that accepts its access tokens. respond writes a response about the
// n-th grant, from 1.
type oneTime struct {
	user    string // begins each refresh token
	mu      sync.Mutex
	valid   string
	spent   []string
	api     int
	respond func(n int) (status int, mediaType, body string)
}

func (o *oneTime) RoundTrip(req *http.Request) (*http.Response, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if req.URL.Path != "/token" {
		o.api++
		return testkit.AnswerOf(http.StatusOK, `{"id":"`+testkit.SomeID+`"}`), nil
	}
	if err := req.ParseForm(); err != nil {
		return nil, err
	}
	sent := req.Form.Get("refresh_token")
	o.spent = append(o.spent, sent)
	if o.valid != "" && sent != o.valid {
		return testkit.AnswerOf(http.StatusBadRequest, `{"error":"invalid_grant"}`), nil
	}
	status, mediaType, body := o.respond(len(o.spent))
	o.valid = fmt.Sprint(o.user, "refresh-", len(o.spent))
	body, broken := strings.CutSuffix(body, cut)
	response := testkit.AnswerOf(status, body)
	if broken {
		response.Body = io.NopCloser(io.MultiReader(response.Body, iotest.ErrReader(io.ErrUnexpectedEOF)))
	}
	response.Header.Set("Content-Type", mediaType)
	return response, nil
}

// client returns a client of a user, with or without a store.
func (o *oneTime) client(t *testing.T, store auth.TokenStore) *practice.Client {
	t.Helper()
	client, err := practice.NewClient("https://api.example.test", practice.WithAPIKey("key"), practice.WithHTTPClient(&http.Client{Transport: o}),
		practice.WithTokens(auth.Source{Store: store, Credentials: auth.RefreshCredentials{
			TokenURL: "https://api.example.test/token", ClientID: "id", RefreshToken: models.NewSecret(o.user + "refresh-0"),
		}}))
	require.NoError(t, err)
	return client
}

func read(t *testing.T, client *practice.Client) error {
	t.Helper()
	return testkit.Discard(client.Staff.Get(t.Context(), testkit.SomeID))
}

// TestAResponseOfTheTokenEndpointLosesNoRefreshToken checks responses that are
// complete and odd. Each has the only valid refresh token.
func TestAResponseOfTheTokenEndpointLosesNoRefreshToken(t *testing.T) {
	t.Parallel()
	type response struct{ mediaType, body string }
	responses := map[string]response{
		"a form":                            {"application/x-www-form-urlencoded", "access_token=%s&refresh_token=%s&expires_in=3600"},
		"a form without type":               {"", "access_token=%s&refresh_token=%s"},
		"no access token":                   {"application/json", `{"token":"%s","refresh_token":"%s"}`},
		"an access token that does not fit": {"application/json", `{"access_token":"%s\n","refresh_token":"%s"}`},
		"an access token of another kind":   {"application/json", `{"access_token":{"v":"%s"},"refresh_token":"%s"}`},
		"an error beside the tokens":        {"application/json", `{"error":"server_error","access_token":"%s","refresh_token":"%s"}`},
		"other members of a kind":           {"application/json", `{"access_token":"%s","refresh_token":"%s","scope":["a"],"token_type":7,"error":null}`},
		"names in capitals":                 {"application/json", `{"Access_Token":"%s","REFRESH_TOKEN":"%s"}`},
		"a member with a name twice":        {"application/json", `{"about":{"a":1,"a":2},"access_token":"%s","refresh_token":"%s"}`},
		"a comment after the JSON":          {"application/json", `{"access_token":"%s","refresh_token":"%s"}` + "\n<!-- gateway 7 -->"},
		"a second document":                 {"application/json", `{"access_token":"%s","refresh_token":"%s"}{}`},
		"not a number before the tokens":    {"application/json", `{"expires_in":NaN,"access_token":"%s","refresh_token":"%s"}`},
		"a line break in a text":            {"application/json", "{\"user\":\"A.\nVarga\",\"access_token\":\"%s\",\"refresh_token\" : \"%s\"}"},
		"its name as a text before it":      {"application/json", `{"scope":NaN,"access_token":"%s","grant_type":"refresh_token","refresh_token":"%s"}`},
		"another's before it":               {"application/json", `{"about":{"refresh_token":"another"},"scope":NaN,"access_token":"%s","refresh_token":"%s"}`},
		"a comma too many":                  {"application/json", `{,"access_token":"%s","refresh_token":"%s",}`},
		"cut behind the tokens":             {"application/json", `{"access_token":"%s","refresh_token":"%s","expires_in":36` + cut},
	}
	for _, mediaType := range []string{"application/json", "text/plain", "application/x-www-form-urlencoded", "text/html; charset=utf-8", "", ";"} {
		responses["JSON as "+mediaType] = response{mediaType, `{"access_token":"%s","refresh_token":"%s","expires_in":3600}`}
	}
	for _, lifetime := range []string{`NaN`, `0600`, `3600.0`, `3599.97`, `3.6e3`, `"3600"`, `" 3600 "`, `"3600.0"`, `""`, `"soon"`, `9e20`, `9e999`, `-1`, `0`, `false`, `null`, `[]`, `{}`} {
		responses["lifetime "+lifetime] = response{"application/json", `{"access_token":"%s","refresh_token":"%s","expires_in":` + lifetime + `}`}
	}
	for name, odd := range responses {
		for _, stored := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stored: %t", name, stored), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					world := &oneTime{respond: func(n int) (int, string, string) {
						refresh := fmt.Sprint("refresh-", n)
						if n > 1 {
							body, _ := json.Marshal(map[string]any{"access_token": fmt.Sprint("access-", n), "refresh_token": refresh, "expires_in": 3600})
							return http.StatusOK, "application/json", string(body)
						}
						return http.StatusOK, odd.mediaType, fmt.Sprintf(odd.body, "access-1", refresh)
					}}
					var store auth.TokenStore
					if stored {
						store = auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
					}
					client := world.client(t, store)
					if read(t, client) != nil { // there was no access token that could be used
						<-time.After(time.Minute)
						require.NoError(t, read(t, client))
					}
					<-time.After(2 * time.Hour)
					require.NoError(t, read(t, client))
					for i, spent := range world.spent {
						assert.Equal(t, fmt.Sprint("refresh-", i), spent, "each refresh token is spent once")
					}
				})
			})
		}
	}
}

func TestOnlyARefreshTokenOfTheResponseIsTaken(t *testing.T) {
	t.Parallel()
	for rule, response := range map[string]struct {
		status int
		body   string
	}{
		"not that of another member":               {http.StatusOK, `{"access_token":"access","expires_in":60,"about":{"refresh_token":"another"}}`},
		"not that of a member before an error":     {http.StatusOK, `{"access_token":"access","expires_in":60,"about":{"refresh_token":"another"},"scope":NaN}`},
		"not that of a list":                       {http.StatusOK, `[{"refresh_token":"another"}]`},
		"not that of a list that is cut":           {http.StatusOK, `[{"refresh_token":"another"},` + cut},
		"not that of a web page that is cut":       {http.StatusOK, `<script>{"refresh_token":"another"}</script>` + cut},
		"not that of a refusal that is cut":        {http.StatusServiceUnavailable, `{"refresh_token":"another",` + cut},
		"not one that is cut":                      {http.StatusOK, `{"access_token":"access","refresh_token":"anoth` + cut},
		"not one that is cut, in a form":           {http.StatusOK, `access_token=access&refresh_token=anoth` + cut},
		"not a blank one, nor another's behind it": {http.StatusOK, `{"access_token":"access","expires_in":60,"refresh_token":"","scope":NaN,"about":{"refresh_token":"another"}}`},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				world := &oneTime{respond: func(int) (int, string, string) { return response.status, "application/json", response.body }}
				client := world.client(t, nil)
				_ = read(t, client) // some of these responses have an access token
				<-time.After(2 * time.Hour)
				_ = read(t, client)
				require.GreaterOrEqual(t, len(world.spent), 2)
				for _, spent := range world.spent {
					assert.Equal(t, "refresh-0", spent)
				}
			})
		})
	}
}

func TestALifetimeIsReadInEachForm(t *testing.T) {
	t.Parallel()
	for lifetime, want := range map[string]time.Duration{
		`3600`: time.Hour, `3600.0`: time.Hour, `"3600"`: time.Hour, `3.6e3`: time.Hour, `0.5`: time.Second / 2,
		`9e20`: (1<<31 - 1) * time.Second, `"1e999"`: (1<<31 - 1) * time.Second, `-1`: 0, `0`: 0, `"NaN"`: 0, `""`: 0, `false`: 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			got, err := exchanged(t, http.StatusOK, "application/json", `{"access_token":"a","refresh_token":"r","expires_in":`+lifetime+`}`)
			require.NoError(t, err, lifetime)
			if want == 0 {
				assert.Zero(t, got.Expiry, lifetime)
				return
			}
			assert.Equal(t, want, time.Until(got.Expiry), lifetime)
		})
	}
}

// exchanged completes a sign-in with a response of the token endpoint.
func exchanged(t *testing.T, status int, mediaType, body string) (auth.RefreshCredentials, error) {
	t.Helper()
	code := auth.AuthorizationCode{TokenURL: "https://api.example.test/token", ClientID: "id", HTTPClient: &http.Client{
		Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			response := testkit.AnswerOf(status, body)
			response.Header.Set("Content-Type", mediaType)
			return response, nil
		}),
	}}
	begun := code.Begin()
	return code.Exchange(t.Context(), begun, url.Values{"state": {begun.State}, "code": {"code-1"}})
}

func TestARefusalKeepsItsCodeInAnyMediaType(t *testing.T) {
	t.Parallel()
	for _, mediaType := range []string{"application/json", "text/plain", "application/x-www-form-urlencoded", "text/html", ""} {
		for _, body := range []string{`{"error":"invalid_grant","error_description":"it has ended"}`, "error=invalid_grant&error_description=it+has+ended", " \n{\"error\":\"invalid_grant\",\"error_description\":\"it has ended\"}\n"} {
			for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusOK} {
				_, err := exchanged(t, status, mediaType, body)
				refused, ok := errors.AsType[*auth.TokenError](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, auth.TokenError{StatusCode: status, Code: "invalid_grant", Description: "it has ended"}, *refused)
			}
		}
	}
}

func TestAnOverloadedTokenEndpointIsTemporary(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status    int
		code      string
		temporary bool
	}{
		{408, "", true}, {425, "", true}, {429, "", true}, {500, "", true}, {503, "", true},
		{400, "server_error", true}, {200, "server_error", true}, {400, "temporarily_unavailable", true}, {200, "temporarily_unavailable", true},
		{400, "invalid_grant", false}, {400, "", false}, {401, "invalid_client", false}, {403, "", false}, {404, "", false},
	} {
		_, err := exchanged(t, test.status, "application/json", `{"error":"`+test.code+`"}`)
		refused, ok := errors.AsType[*auth.TokenError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, test.temporary, refused.Temporary(), "%+v", test)
	}
	_, err := exchanged(t, http.StatusOK, "text/html", "<html>Sign in to the Wi-Fi</html>")
	refused, ok := errors.AsType[*auth.TokenError](err)
	require.True(t, ok, "%v", err)
	assert.True(t, refused.Temporary(), "a web page is no refusal")
}

// TestCallsThatAreAlwaysRefusedAskForFewTokens checks a wrong API key: each
// token is refused, and each new one spends a refresh token.
func TestCallsThatAreAlwaysRefusedAskForFewTokens(t *testing.T) {
	t.Parallel()
	for _, stored := range []bool{false, true} {
		t.Run(fmt.Sprintf("stored: %t", stored), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				world := &oneTime{respond: func(n int) (int, string, string) {
					return http.StatusOK, "application/json", fmt.Sprintf(`{"access_token":"access-%d","refresh_token":"refresh-%d","expires_in":3600}`, n, n)
				}}
				var refusing atomic.Bool
				refusing.Store(true)
				wire := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					if refusing.Load() && !strings.HasSuffix(req.URL.Path, "/token") {
						return testkit.AnswerOf(http.StatusUnauthorized, ""), nil
					}
					return world.RoundTrip(req)
				})
				source := auth.Source{Credentials: auth.RefreshCredentials{TokenURL: "https://api.example.test/token", ClientID: "id", RefreshToken: models.NewSecret("refresh-0")}}
				if stored {
					source.Store = auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
				}
				client, err := practice.NewClient("https://api.example.test", practice.WithAPIKey("wrong"), practice.WithHTTPClient(&http.Client{Transport: wire}), practice.WithTokens(source))
				require.NoError(t, err)
				var calls sync.WaitGroup
				for range 10 {
					calls.Go(func() {
						for range 20 {
							assert.ErrorIs(t, read(t, client), practice.ErrUnauthorized)
						}
					})
				}
				calls.Wait()
				assert.LessOrEqual(t, len(world.spent), 2, "200 calls")
				for range 60 {
					<-time.After(time.Second)
					require.ErrorIs(t, read(t, client), practice.ErrUnauthorized)
				}
				assert.LessOrEqual(t, len(world.spent), 9, "a minute of calls: after 1, 2, 4, 8, 16 and 30 s")

				refusing.Store(false)
				require.NoError(t, read(t, client), "the API key is right now")
			})
		})
	}
}

package acceptance_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// TestARedirectTakesNothingElsewhere redirects every kind of request and checks
// that no other host receives a request, a credential or a body.
func TestARedirectTakesNothingElsewhere(t *testing.T) {
	t.Parallel()
	const service, tokens, storage = "api.example.test", "token.example.test", "files.example.test"
	for _, test := range []struct {
		name, redirects string
		hosts           []string // hosts of the requests, in order
		call            func(t *testing.T, client *practice.Client) error
	}{
		{"a read", service, []string{tokens, service}, func(t *testing.T, client *practice.Client) error {
			return testkit.Discard(client.Staff.Get(t.Context(), "1"))
		}},
		{"a write", service, []string{tokens, service}, func(t *testing.T, client *practice.Client) error {
			return testkit.Discard(client.Fees.Patch(t.Context(), "m1", "f1", models.FeePatch{Subject: models.Some("Advice")}))
		}},
		{"a create", service, []string{tokens, service}, func(t *testing.T, client *practice.Client) error {
			return testkit.Discard(client.Documents.CreateFolder(t.Context(), "m1", models.FolderWrite{Name: "x"}))
		}},
		{"a request for a token", tokens, []string{tokens}, func(t *testing.T, client *practice.Client) error {
			return testkit.Discard(client.Staff.Get(t.Context(), "1"))
		}},
		{"an upload", storage, []string{tokens, service, storage}, func(t *testing.T, client *practice.Client) error {
			return testkit.Discard(client.Documents.Upload(t.Context(), "m1", practice.Upload{Name: "a.txt", Body: strings.NewReader("content")}))
		}},
		{"a download", storage, []string{tokens, service, storage}, func(t *testing.T, client *practice.Client) error {
			return testkit.Discard(client.Documents.Download(t.Context(), "m1", "f1", io.Discard, practice.DownloadOptions{}))
		}},
	} {
		for _, code := range []int{301, 302, 303, 307, 308} {
			for _, location := range []string{
				"https://evil.test/", "//evil.test/", "http://" + test.redirects + "/", "https://" + test.redirects + ":8443/",
				"https://" + test.redirects + ".evil.test/", "https://" + test.redirects + "@evil.test/", "https://user:pw@" + test.redirects + "/",
			} {
				t.Run(fmt.Sprint(test.name, " ", code, " ", location), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						var hosts []string
						client, err := practice.NewClient("https://"+service+"/v1", practice.WithAPIKey("key"), practice.WithRetries(0),
							practice.WithTokens(auth.ClientCredentials{TokenURL: "https://" + tokens + "/token", ClientID: "id", ClientSecret: models.NewSecret("secret")}),
							practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
								hosts = append(hosts, req.URL.Host)
								if req.Body != nil {
									_, _ = io.Copy(io.Discard, req.Body) // it is in memory, so reading cannot fail
								}
								return redirecting(req, test.redirects, code, location), nil
							})}))
						require.NoError(t, err)
						require.Error(t, test.call(t, client))
						assert.Equal(t, test.hosts, hosts)
					})
				})
			}
		}
	}
}

// TestARedirectThatTheCallerRefusesIsAnError checks that the Error wraps the
// error of the caller's CheckRedirect.
func TestARedirectThatTheCallerRefusesIsAnError(t *testing.T) {
	t.Parallel()
	refusal := errors.New("no redirects here")
	client := testkit.BareClient(t, "https://api.example.test", practice.WithHTTPClient(&http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return refusal },
		Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			return redirecting(req, req.URL.Host, http.StatusFound, "/elsewhere"), nil
		}),
	}))
	err := testkit.Discard(client.Staff.Get(t.Context(), "1"))
	require.ErrorIs(t, err, practice.ErrRedirect)
	require.ErrorIs(t, err, refusal)
	answer, ok := errors.AsType[*practice.Error](err)
	require.True(t, ok)
	assert.Len(t, answer.Attempts, 1)
}

// TestTheCallerMayKeepTheRequestsOfARedirect checks that a later call does not
// change the requests that the caller's CheckRedirect received.
func TestTheCallerMayKeepTheRequestsOfARedirect(t *testing.T) {
	t.Parallel()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	jar.SetCookies(&url.URL{Scheme: "https", Host: "api.example.test"}, []*http.Cookie{{Name: "session", Value: "0"}})
	var kept []*http.Request
	sent := 0
	client := testkit.BareClient(t, "https://api.example.test", practice.WithHTTPClient(&http.Client{
		Jar: jar,
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			kept = append(kept, via...)
			return nil
		},
		Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			assert.Equal(t, "HTTP/1.1", req.Proto)
			assert.Equal(t, "session="+strconv.Itoa(min(sent, 1)), req.Header.Get("Cookie"), "that of the jar, and no earlier one")
			if sent++; sent == 1 {
				resp := testkit.AnswerOf(http.StatusServiceUnavailable, "")
				resp.Header.Set("Set-Cookie", "session=1; Path=/")
				return resp, nil
			}
			if req.URL.RawQuery != "" {
				return testkit.AnswerOf(200, `{"id":"`+path.Base(req.URL.Path)+`"}`), nil
			}
			return redirecting(req, req.URL.Host, http.StatusFound, req.URL.Path+"?moved=true"), nil
		}),
	}))
	for _, id := range []string{"1", "2"} {
		_, err := client.Staff.Get(t.Context(), id)
		require.NoError(t, err)
	}
	require.Len(t, kept, 2)
	for i, req := range kept {
		assert.Equal(t, "https://api.example.test/staff/"+strconv.Itoa(i+1), req.URL.String())
		assert.Equal(t, "session=1", req.Header.Get("Cookie"))
	}
}

// redirecting returns a service with its token endpoint and its storage, of
// which one redirects all requests.
func redirecting(req *http.Request, host string, code int, location string) *http.Response {
	switch {
	case req.URL.Host == host:
		resp := testkit.AnswerOf(code, "")
		resp.Header.Set("Location", location)
		return resp
	case strings.HasPrefix(req.URL.Host, "token."):
		resp := testkit.AnswerOf(200, `{"access_token":"token","token_type":"Bearer","expires_in":3600}`)
		resp.Header.Set("Content-Type", "application/json")
		return resp
	case strings.HasSuffix(req.URL.Path, "/f1") || req.Method == http.MethodGet:
		return testkit.AnswerOf(200, testkit.DownloadFrom(testkit.SignedAddress, 7))
	}
	return testkit.AnswerOf(200, testkit.UploadTo(testkit.SignedAddress))
}

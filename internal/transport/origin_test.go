package transport

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatLiesBelowTheBaseAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		base, address string
		covered       bool
	}{
		{base, base, true},
		{base, base + "/", true},
		{base, base + "/staff/1?limit=5", true},
		{base, "https://API.example.test/v1/staff", true},
		{base, "HTTPS://api.example.test:443/v1/staff", true},
		{base, base + "/a.b/..c/...", true},
		{base, base + "/a%20b", true},
		{base + "/", base + "/staff", true},
		{"http://127.0.0.1:8080", "http://127.0.0.1:8080/anything", true},
		{"https://[::1]:8443/v1", "https://[::1]:8443/v1/x", true},
		{"https://api.example.test/a%20b", "https://api.example.test/a%20b/c", true},
		{base, "http://api.example.test/v1", false},
		{base, "https://api.example.test.evil.test/v1", false},
		{base, "https://api.example.test:444/v1", false},
		{base, "https://api.example.test/v10", false},
		{base, "https://api.example.test/", false},
		{base, base + "/../v2", false},
		{base, base + "/%2e%2e/v2", false},
		{base, base + "/a%2fb", false},
		{base, base + "/a%5cb", false},
		{base, base + "/./x", false},
		{base, "https://user:pw@api.example.test/v1", false},
		{base, "//api.example.test/v1", false},
		{base, "/v1/staff", false},
		{base, "mailto:a@example.test", false},
	} {
		t.Run(test.address, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.covered, NewOrigin(mustURL(t, test.base)).Covers(mustURL(t, test.address)))
		})
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, location string
		class          Class
		followed       bool
	}{
		{"a read goes on below the base address", base + "/other", Read, true},
		{"a read does not leave it", "https://elsewhere.example.test/v1/other", Read, false},
		{"not even to another path of the host", "https://api.example.test/other", Read, false},
		{"nor to plain http", "http://api.example.test/v1/other", Read, false},
		{"nor to another port", "https://api.example.test:8443/v1/other", Read, false},
		{"nor to a user of the host", "https://user:pw@api.example.test/v1/other", Read, false},
		{"nor to a host that begins alike", "https://api.example.test.evil.test/v1/other", Read, false},
		{"nor to a host that ends alike", "https://evil-api.example.test/v1/other", Read, false},
		{"nor to a host below", "https://x.api.example.test/v1/other", Read, false},
		{"nor to the host as a user", "https://api.example.test@evil.test/v1/other", Read, false},
		{"nor without a scheme", "//evil.test/v1/other", Read, false},
		{"nor out of the base path", base + "/../other", Read, false},
		{"nor out of it in other letters", base + "/%2e%2e/other", Read, false},
		{"nor out of it by an escaped slash", base + "/..%2fother", Read, false},
		{"nor out of it by an escaped backslash", base + "/..%5cother", Read, false},
		{"nor out of it by a backslash", base + `/..\admin`, Read, false},
		{"nor to a path that begins alike", "https://api.example.test/v10/other", Read, false},
		{"nor to another kind of address", "mailto:a@evil.test", Read, false},
		{"a write is not redirected", base + "/other", IdempotentWrite, false},
		{"a create is not redirected", base + "/other", Create, false},
	} {
		for _, code := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
			t.Run(fmt.Sprint(test.name, " ", code), func(t *testing.T) {
				t.Parallel()
				var paths []string
				chain, sent := chainOver(t, nil, func(req *http.Request) (*http.Response, error) {
					paths = append(paths, req.URL.Path)
					if len(paths) == 1 {
						return answer(code, "", "Location", test.location), nil
					}
					assert.Equal(t, "key", req.Header.Get("x-api-key"))
					return answer(http.StatusOK, ""), nil
				})
				got, err := chain.send(t, t.Context(), methodOf(test.class), newCall(test.class), 0)
				require.NoError(t, err)
				if test.followed {
					assert.Equal(t, http.StatusOK, got.Status)
					assert.Equal(t, 2, *sent)
					return
				}
				assert.Equal(t, code, got.Status)
				assert.Equal(t, 1, *sent, "nothing is sent to the other address")
			})
		}
	}
}

// TestAReadKeepsItsMethodInARedirect checks that a read with a body follows a
// redirect only if its method and body are kept. net/http would turn it into a
// GET, with another response.
func TestAReadKeepsItsMethodInARedirect(t *testing.T) {
	t.Parallel()
	for code, followed := range map[int]bool{301: false, 302: false, 303: false, 307: true, 308: true} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			var taken []string
			chain, _ := chainOver(t, nil, func(req *http.Request) (*http.Response, error) {
				body, err := io.ReadAll(req.Body)
				require.NoError(t, err)
				taken = append(taken, req.Method+" "+string(body))
				if len(taken) == 1 {
					return answer(code, "", "Location", base+"/other"), nil
				}
				return answer(http.StatusOK, ""), nil
			})
			got, err := chain.send(t, t.Context(), http.MethodPost, newCall(Read), 0)
			require.NoError(t, err)
			if followed {
				assert.Equal(t, http.StatusOK, got.Status)
				assert.Equal(t, []string{"POST {}", "POST {}"}, taken)
				return
			}
			assert.Equal(t, code, got.Status)
			assert.Equal(t, []string{"POST {}"}, taken)
		})
	}
}

// TestARedirectThatTheCallerRefusesIsTheAnswer checks that the redirect itself
// is then the response.
func TestARedirectThatTheCallerRefusesIsTheAnswer(t *testing.T) {
	t.Parallel()
	refusal := errors.New("no redirects here")
	for name, test := range map[string]struct{ err, cause error }{
		"with an error":      {refusal, refusal},
		"as net/http has it": {http.ErrUseLastResponse, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chain, sent := chainOver(t, nil, func(*http.Request) (*http.Response, error) {
				return answer(http.StatusFound, "moved", "Location", base+"/other"), nil
			})
			chain.http.CheckRedirect = NewOrigin(mustURL(t, base)).checkRedirect(func(*http.Request, []*http.Request) error { return test.err })
			call := newCall(Read)
			got, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
			require.NoError(t, err)
			assert.Equal(t, http.StatusFound, got.Status)
			assert.Equal(t, "moved", string(got.Body))
			assert.Equal(t, 1, *sent)
			assert.Equal(t, test.cause, call.Cause)
		})
	}
}

func TestRedirectsInACircleEnd(t *testing.T) {
	t.Parallel()
	chain, sent := chainOver(t, nil, status(http.StatusFound, "Location", base+"/staff/1"))
	got, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
	require.NoError(t, err)
	assert.Equal(t, http.StatusFound, got.Status)
	assert.Equal(t, maxRedirects+1, *sent)
}

func FuzzOriginCovers(f *testing.F) {
	for _, seed := range []string{base + "/x", "https://api.example.test/v1/%2e%2e/x", "//api.example.test/v1", "https://api.example.test:443/v1/a;b", "https://API.example.teSt/v1/x"} {
		f.Add(seed)
	}
	origin := NewOrigin(&url.URL{Scheme: "https", Host: "api.example.test", Path: "/v1"})
	f.Fuzz(func(t *testing.T, address string) {
		u, err := url.Parse(address)
		if err != nil || !origin.Covers(u) {
			return
		}
		resolved := (&url.URL{Scheme: "https", Host: "api.example.test", Path: "/v1/"}).ResolveReference(u)
		assert.Equal(t, "api.example.test", strings.ToLower(resolved.Hostname()))
		assert.True(t, resolved.Path == "/v1" || len(resolved.Path) >= 4 && resolved.Path[:4] == "/v1/", resolved.Path)
	})
}

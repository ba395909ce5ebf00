package transport

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCredentialsAreAddedToACopy(t *testing.T) {
	t.Parallel()
	var seen http.Header
	link := newAuthorise(tripper(func(req *http.Request) (*http.Response, error) {
		seen = req.Header
		return answer(200, ""), nil
	}), Config{Origin: NewOrigin(mustURL(t, base)), APIKey: "key", Tokens: &tokenList{tokens: []string{"token"}}})
	req := get(t, t.Context(), newCall(Read), base+"/staff/1")
	resp, err := link.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, "key", seen.Get("x-api-key"))
	assert.Equal(t, "Bearer token", seen.Get("Authorization"))
	assert.Empty(t, req.Header, "the request of the caller is left alone")
}

// TestEachAttemptHasHeaderValuesOfItsOwn checks that a transport or a
// middleware may overwrite header values, to mask them in a log for example,
// without an effect on other attempts and calls.
func TestEachAttemptHasHeaderValuesOfItsOwn(t *testing.T) {
	t.Parallel()
	mask := func(next http.RoundTripper) http.RoundTripper {
		return tripper(func(req *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			for _, values := range req.Header {
				values[0] = "***"
			}
			return resp, err
		})
	}
	for name, test := range map[string]struct {
		transport  func(http.RoundTripper) http.RoundTripper
		middleware []Middleware
	}{
		"under a middleware": {func(wire http.RoundTripper) http.RoundTripper { return wire }, []Middleware{mask}},
		"under a transport":  {mask, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var seen []http.Header
				codes := []int{503, 200, 200}
				chain := New(Config{
					HTTPClient: &http.Client{Transport: test.transport(tripper(func(req *http.Request) (*http.Response, error) {
						seen = append(seen, req.Header.Clone())
						return answer(codes[len(seen)-1], ""), nil
					}))},
					Origin: NewOrigin(mustURL(t, base)), APIKey: "key", Tokens: &tokenList{tokens: []string{"token"}},
					Limiter: NewLimiter(0, 0), Middleware: test.middleware,
				})
				for range 2 {
					call := newCall(Read)
					call.Headers = fixed{"Accept": {"application/json"}}
					_, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
					require.NoError(t, err)
				}
				require.Len(t, seen, 3)
				for _, header := range seen {
					assert.Equal(t, []string{"key", "Bearer token", "application/json", "gzip"},
						[]string{header.Get("X-Api-Key"), header.Get("Authorization"), header.Get("Accept"), header.Get("Accept-Encoding")})
				}
			})
		})
	}
}

func TestCredentialsGoNowhereElse(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"https://elsewhere.example.test/v1/staff/1", "http://api.example.test/v1/staff/1", "https://api.example.test:8443/v1/staff/1",
		"https://api.example.test/v2/staff/1", "https://api.example.test/v1x/staff/1", "https://api.example.test/v1/../admin",
		"https://user@api.example.test/v1/staff/1", "https://api.example.test.evil.test/v1/staff/1", "https://evil-api.example.test/v1/staff/1",
		"https://api.example.test@evil.test/v1/staff/1", "//api.example.test/v1/staff/1", "https://api.example.test/v1/%2e%2e/admin",
		"https://api.example.test/v1/..%2fadmin", "https://api.example.test/v1/..%5cadmin", `https://api.example.test/v1/..\admin`,
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			tokens := &tokenList{tokens: []string{"token"}}
			link := newAuthorise(failing(errors.New("must not be reached")), Config{Origin: NewOrigin(mustURL(t, base)), APIKey: "key", Tokens: tokens})
			_, err := link.RoundTrip(get(t, t.Context(), newCall(Read), address))
			require.ErrorIs(t, err, ErrForeignAddress)
			assert.Zero(t, tokens.asked)
		})
	}
}

type noTokenError struct{ temporary bool }

func (f noTokenError) Error() string   { return "no token" }
func (f noTokenError) Temporary() bool { return f.temporary }

func TestAFailureOfTheTokenSourceSendsNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		failure noTokenError
		asked   int
	}{
		"for good":        {noTokenError{false}, 1},
		"for the present": {noTokenError{true}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tokens := &tokenList{tokens: []string{""}, err: test.failure}
				chain, sent := chainOver(t, tokens, status(200))
				call := newCall(Create)
				_, err := chain.send(t, t.Context(), http.MethodPost, call, 0)
				require.ErrorIs(t, err, test.failure)
				assert.Zero(t, *sent)
				assert.Equal(t, test.asked, tokens.asked)
				assert.False(t, call.Uncertain())
			})
		})
	}
}

func TestEveryAttemptTakesTheFreshestToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tokens := &tokenList{tokens: []string{"first", "second"}}
		var seen []string
		note := func(code int) tripper {
			return func(req *http.Request) (*http.Response, error) {
				seen = append(seen, req.Header.Get("Authorization"))
				tokens.at = 1
				return answer(code, ""), nil
			}
		}
		chain, _ := chainOver(t, tokens, note(503), note(200))
		_, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
		require.NoError(t, err)
		assert.Equal(t, []string{"Bearer first", "Bearer second"}, seen)
	})
}

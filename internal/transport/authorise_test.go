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

package auth_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestATokenEndpointIsNotAskedBeforeItAllows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, retryAfter string
		timeout, told    time.Duration
		several          bool
	}{
		{"a short pause is waited for", "20", 50 * time.Second, 20 * time.Second, true},
		{"a pause beyond the limit of the call ends it", "20", 10 * time.Second, 20 * time.Second, false},
		{"a pause of hours ends it", "7200", 0, 2 * time.Hour, false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				server.Inject(practicetest.Fault{Operation: "token", Status: 429, RetryAfter: test.retryAfter, Times: -1})
				client := server.Client(t, testkit.ClientCredentials(server))
				start := time.Now()
				failed, ok := errors.AsType[*auth.TokenError](testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithTimeout(test.timeout))))
				require.True(t, ok)
				assert.Equal(t, http.StatusTooManyRequests, failed.StatusCode)
				assert.Equal(t, test.told, failed.RetryAfter)
				asks, took := len(testkit.RequestsTo(server, practicetest.PartToken)), time.Since(start)
				assert.LessOrEqual(t, time.Duration(asks-1)*test.told, took)
				assert.Equal(t, test.several, asks > 1)
			})
		})
	}
}

// TestARetryAfterThatIsNoDelayStopsRenewalsForAnHour checks that a Retry-After
// with the seconds of an epoch, or a date far away, is told in full and obeyed
// for an hour, whether it comes with a temporary refusal or with a final one.
func TestARetryAfterThatIsNoDelayStopsRenewalsForAnHour(t *testing.T) {
	t.Parallel()
	for _, retryAfter := range []string{"1900000000", "1e300", "Sat, 01 Jan 2101 00:00:00 GMT"} {
		for status, store := range map[int]auth.TokenStore{429: nil, 400: auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens")}} {
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				server.Inject(practicetest.Fault{Operation: "token", Status: status, RetryAfter: retryAfter})
				client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), Store: store}))
				call := func() error { return testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)) }
				failed, ok := errors.AsType[*auth.TokenError](call())
				require.True(t, ok)
				assert.Greater(t, failed.RetryAfter, 1_000_000*time.Second)
				<-time.After(59 * time.Minute)
				require.ErrorIs(t, call(), failed)
				<-time.After(time.Minute)
				require.NoError(t, call())
			})
		}
	}
}

// tokenFunc is an oauth2.TokenSource made of a function.
type tokenFunc func() (*oauth2.Token, error)

func (f tokenFunc) Token() (*oauth2.Token, error) { return f() }

func TestCallsThatWaitedForATokenAskForOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		server := practicetest.New(t)
		client := server.Client(t, practice.WithRetries(5), practice.WithTokens(auth.FromOAuth2(tokenFunc(func() (*oauth2.Token, error) {
			if asked.Add(1) == 1 {
				return nil, errors.New("endpoint down")
			}
			return &oauth2.Token{AccessToken: server.Credentials().AccessToken, Expiry: time.Now().Add(time.Hour)}, nil
		}))))
		var calls sync.WaitGroup
		for range 200 {
			calls.Go(func() { assert.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))) })
		}
		calls.Wait()
		assert.EqualValues(t, 2, asked.Load())
	})
}

// TestASignInOutlivesItsCaller checks that an exchange is completed although
// its caller has left, because a code can be spent only once.
func TestASignInOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/tokens"
	ctx, cancel := context.WithCancel(t.Context())
	code := auth.AuthorizationCode{
		AuthURL: "https://auth.example.test/", TokenURL: "https://auth.example.test/token", ClientID: "id", RedirectURL: "http://127.0.0.1/back",
		TokenStore: auth.TokenFile{Path: path},
		HTTPClient: &http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			cancel()
			if r.Context().Err() != nil {
				return nil, r.Context().Err()
			}
			granted := testkit.AnswerOf(200, `{"access_token":"a","refresh_token":"only-one","token_type":"Bearer","expires_in":3600}`)
			granted.Header = http.Header{"Content-Type": {"application/json"}}
			return granted, nil
		})},
	}
	begun := code.Begin()
	callback := url.Values{"state": {begun.State}, "code": {"c"}}
	credentials, err := code.Exchange(ctx, begun, callback)
	require.NoError(t, err)
	assert.Equal(t, "only-one", credentials.RefreshToken.Reveal())
	stored, err := auth.TokenFile{Path: path}.Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "only-one", stored.RefreshToken.Reveal())

	_, err = code.Exchange(ctx, begun, callback)
	require.ErrorIs(t, err, context.Canceled, "nothing is sent for a caller who has left before")
}

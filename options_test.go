package practice_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/headers"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestNewClientReportsEveryBadSetting(t *testing.T) {
	t.Parallel()
	credentials := func(tokenURL, id, secret string) practice.ClientOption {
		return practice.WithTokens(auth.ClientCredentials{TokenURL: tokenURL, ClientID: id, ClientSecret: models.NewSecret(secret)})
	}
	const tokens = "https://token.example.test/oauth2/token"
	for name, option := range map[string]practice.ClientOption{
		"nil":                            nil,
		"WithAPIKey empty":               practice.WithAPIKey(""),
		"WithAPIKey split":               practice.WithAPIKey("secret\r\nX-Evil: 1"),
		"WithAccessToken empty":          practice.WithAccessToken(""),
		"WithAccessToken split":          practice.WithAccessToken("a\nb"),
		"auth.FromOAuth2 nil":            practice.WithTokens(auth.FromOAuth2(nil)),
		"auth.ClientCredentials id":      credentials(tokens, "", "s"),
		"auth.ClientCredentials secret":  credentials(tokens, "id", ""),
		"auth.ClientCredentials address": credentials("token.example.test", "id", "s"),
		"auth.ClientCredentials http":    credentials("http://token.example.test", "id", "s"),
		"auth.ClientCredentials user":    credentials("https://u:p@token.example.test", "id", "s"),
		"auth.ClientCredentials port":    credentials("https://token.example.test:x", "id", "s"),
		"auth.ClientCredentials no host": credentials("https://:443/token", "id", "s"),
		"auth.ClientCredentials split":   credentials("https://token.example.test/\r\nEvil: 1", "id", "s"),
		"auth.ClientCredentials host":    credentials("https://token.example.test\\.evil.test", "id", "s"),
		"auth.ClientCredentials part":    credentials("https://token.example.test#Evil", "id", "s"),
		"WithAPIKey control":             practice.WithAPIKey("Evil\x00"),
		"WithAPIKey DEL":                 practice.WithAPIKey("Evil\x7f"),
		"WithHeader split":               practice.WithHeader("X-Trace", "Evil\r\nX-Evil: 1"),
		"WithHeader name":                practice.WithHeader("X-Trace\r\nX-Evil", "1"),
		"WithHeader colon":               practice.WithHeader("X-Evil: 1", "1"),
		"WithHeader host":                practice.WithHeader("Host", "Evil.example.test"),
		"WithHeader authorization":       practice.WithHeader("authorization", "Bearer Evil"),
		"WithHeader upgrade":             practice.WithHeader("Upgrade", "h2c"),
		"auth.RefreshCredentials":        practice.WithTokens(auth.RefreshCredentials{TokenURL: tokens, ClientID: "id"}),
		"WithHTTPClient":                 practice.WithHTTPClient(nil),
		"WithMiddleware":                 practice.WithMiddleware(nil),
		"WithLogger":                     practice.WithLogger(nil),
		"WithLoggedBodies":               practice.WithLoggedBodies(0),
		"WithObserver":                   practice.WithObserver(nil),
		"auth.Source":                    practice.WithTokens(auth.Source{}),
		"WithTokens":                     practice.WithTokens(nil),
		"WithRateLimit zero":             practice.WithRateLimit(0, 5),
		"WithRateLimit burst":            practice.WithRateLimit(5, 0),
		"WithLimiter":                    practice.WithLimiter(nil),
		"WithUserAgent":                  practice.WithUserAgent("a\nb"),
		"WithVendorPrefix":               practice.WithVendorPrefix(""),
		"WithStorageHosts":               practice.WithStorageHosts(),
		"WithBandwidth":                  practice.WithBandwidth(-1),
		"WithMaxBody":                    practice.WithMaxBody(0),
		"WithMaxRetryWait":               practice.WithMaxRetryWait(0),
		"WithTimeout":                    practice.WithTimeout(-1),
		"WithAttemptTimeout":             practice.WithAttemptTimeout(-1),
		"WithRetries":                    practice.WithRetries(21),
		"WithUserID":                     practice.WithUserID("a\nb"),
		"WithHeader":                     practice.WithHeader("x-api-key", "other"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), option)
			bad, ok := errors.AsType[*practice.ConfigError](err)
			require.True(t, ok, "%v", err)
			if setting, _, _ := strings.Cut(name, " "); setting != "nil" {
				assert.Equal(t, setting, bad.Setting)
			}
			assert.Contains(t, err.Error(), bad.Setting)
			assert.NotContains(t, err.Error(), "Evil", "a bad value is not repeated")
		})
	}
	for _, base := range []string{
		"", "api.example.test", "/v1", "ftp://api.example.test", "http://api.example.test", "https://u:p@api.example.test",
		"https://api.example.test?x=1", "https://api.example.test/v1?", "https://api.example.test#x", "https://api.example.test/../x", "https://%zz",
		"//api.example.test/v1", "https://api.example.test/%2e%2e/x", "https://api.example.test/..%2fx", `https://api.example.test\.evil.test`,
		`https://api.example.test/..\x`, "https://api.example.test/a\r\nb", "https://api.example.test/\x00", "https://api.example.test:x/v1",
		"https:api.example.test/v1", "https://:443/v1", "javascript:alert(1)", "https://api.example.test/a%2Fb",
	} {
		t.Run("base "+base, func(t *testing.T) {
			t.Parallel()
			_, err := practice.NewClient(base, practice.WithoutCredentials())
			bad, ok := errors.AsType[*practice.ConfigError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "base URL", bad.Setting)
		})
	}
	_, err := practice.NewClient("ftp://x", practice.WithAPIKey(""), practice.WithRetries(-1), practice.WithMaxBody(-1))
	for _, setting := range []string{"base URL", "WithAPIKey", "WithRetries", "WithMaxBody"} {
		assert.ErrorContains(t, err, setting, "all of them at once")
	}
	_, err = practice.NewClient("ftp://x", practice.WithRetries(-1))
	for _, setting := range []string{"base URL", "credentials", "WithRetries"} {
		assert.ErrorContains(t, err, setting, "all of them at once")
	}
}

// TestAClientHasCredentialsOrSaysThatItHasNone checks that a client without
// credentials needs the option for that, because the service would refuse all
// its requests.
func TestAClientHasCredentialsOrSaysThatItHasNone(t *testing.T) {
	t.Parallel()
	const base = "https://api.example.test/v1"
	key, token, none := practice.WithAPIKey("key"), practice.WithAccessToken("token"), practice.WithoutCredentials()
	for name, test := range map[string]struct {
		options               []practice.ClientOption
		refused               bool
		apiKey, authorization string
	}{
		"none":                  {refused: true},
		"none, said so":         {options: []practice.ClientOption{none}},
		"other options":         {options: []practice.ClientOption{practice.WithRetries(1), practice.WithUserAgent("a")}, refused: true},
		"a key":                 {options: []practice.ClientOption{key}, apiKey: "key"},
		"a token":               {options: []practice.ClientOption{token}, authorization: "Bearer token"},
		"both":                  {options: []practice.ClientOption{key, token}, apiKey: "key", authorization: "Bearer token"},
		"the later option wins": {options: []practice.ClientOption{key, token, none}},
		"also the other way":    {options: []practice.ClientOption{none, key, token}, apiKey: "key", authorization: "Bearer token"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := &testkit.Recorder{Status: http.StatusNoContent}
			client, err := practice.NewClient(base, append(test.options, practice.WithHTTPClient(&http.Client{Transport: service}))...)
			if test.refused {
				refused, ok := errors.AsType[*practice.ConfigError](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, "credentials", refused.Setting)
				assert.Contains(t, refused.Reason, "WithoutCredentials")
				return
			}
			require.NoError(t, err)
			_, err = client.Webhooks.Delete(t.Context(), testkit.SomeID)
			require.NoError(t, err)
			assert.Equal(t, test.apiKey, service.Asked[0].Header.Get("X-Api-Key"))
			assert.Equal(t, test.authorization, service.Asked[0].Header.Get("Authorization"))
		})
	}
}

func TestInsecureHTTPOnlyWhereItWasAllowed(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"http://localhost:8080", "http://127.0.0.1/v1", "http://[::1]:8080", "http://api.localhost"} {
		_, err := practice.NewClient(base, practice.WithoutCredentials())
		require.NoError(t, err, base)
	}
	for _, base := range []string{"http://localhost.example.test", "http://127.0.0.1.example.test", "http://10.0.0.1", "http://0.0.0.0"} {
		_, err := practice.NewClient(base, practice.WithoutCredentials())
		refused, ok := errors.AsType[*practice.ConfigError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, "base URL", refused.Setting)
		_, err = practice.NewClient(base, practice.WithoutCredentials(), practice.WithInsecureHTTP())
		require.NoError(t, err, base)
	}
}

func TestTheLaterOptionWins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithStrict(false))
		id, firm := server.Firm().StaffID, server.Firm()
		client := server.Client(t, practice.WithUserID("client-1"), practice.WithUserID(firm.UserID), practice.WithHeader("X-Trace", "client"))
		derived := client.With(practice.WithUserID("derived"))
		for _, test := range []struct {
			name   string
			client *practice.Client
			opts   []practice.CallOption
			userID string
		}{
			{"the client's", client, nil, firm.UserID},
			{"a derived client's", derived, nil, "derived"},
			{"the call's", derived, []practice.CallOption{practice.WithUserID("call")}, "call"},
			{"the call's last", client, []practice.CallOption{practice.WithUserID("call"), practice.WithUserID("last")}, "last"},
			{"an empty one takes it back", client, []practice.CallOption{practice.WithUserID("")}, ""},
			{"the client is as it was", client, nil, firm.UserID},
		} {
			server.ResetRequests()
			_ = testkit.Discard(test.client.Staff.Get(t.Context(), id, test.opts...)) // the service refuses unknown users
			assert.Equal(t, test.userID, server.Requests()[0].Header.Get("UserId"), test.name)
			assert.Equal(t, "client", server.Requests()[0].Header.Get("X-Trace"))
		}
	})
}

// TestWithHeaderRefusesEveryHeaderOfTheLibrary dresses a request with every
// option, and tries each header that arrives.
func TestWithHeaderRefusesEveryHeaderOfTheLibrary(t *testing.T) {
	t.Parallel()
	service := &testkit.Recorder{Status: 200}
	client := service.Client(t, testkit.OddBase, practice.WithAPIKey("key"))
	request := practice.Request{Method: http.MethodPost, Path: "/new/endpoint", Body: []byte("{}")}
	require.NoError(t, client.Do(t.Context(), request, nil, practice.WithRequestID("r"), practice.WithUserID("u"),
		practice.WithResourceID(testkit.UnknownID), practice.WithExternalID("e"), practice.WithVersion(7)))
	sent := service.Asked[0].Header
	require.Equal(t, "7", sent.Get("Version"), "an endpoint without a method may take any header")
	for _, h := range headers.All {
		require.NotEmpty(t, sent.Get(h.Name), "%s of internal/headers is not sent: pass %s in this test", h.Name, h.Option)
	}
	for name := range sent {
		for _, spelling := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			err := client.Do(t.Context(), request, nil, practice.WithHeader(spelling, "7"))
			var refused *practice.ConfigError
			require.ErrorAs(t, err, &refused, "%s is set by the library", spelling)
			assert.Equal(t, "WithHeader", refused.Setting)
		}
	}
	require.Len(t, service.Asked, 1, "nothing is sent with a header that is refused")
}

func TestHeadersOfCallsDoNotMeet(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithStrict(false))
	client := server.Client(t, practice.WithHeader("X-A", "1"), practice.WithHeader("X-B", "1"), practice.WithHeader("X-C", "1"))
	one := client.With(practice.WithHeader("X-One", "1"))
	two := client.With(practice.WithHeader("X-Two", "1"))
	require.NoError(t, testkit.Discard(one.Staff.Get(t.Context(), server.Firm().StaffID)))
	require.NoError(t, testkit.Discard(two.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithHeader("X-Call", "1"))))
	assert.Empty(t, server.Requests()[0].Header.Get("X-Two"))
	assert.Equal(t, "1", server.Requests()[1].Header.Get("X-Call"))
	assert.Empty(t, server.Requests()[1].Header.Get("X-One"))
}

func TestABadValueOfADerivedClientIsReportedByEveryCall(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client := server.Client(t)
	for name, derived := range map[string]*practice.Client{
		"With":              client.With(practice.WithRetries(-1)),
		"With nil":          client.With(nil),
		"With, again":       client.With(practice.WithRetries(-1)).With(practice.WithRetries(1)),
		"ForAccount empty":  client.ForAccount(""),
		"ForAccount slash":  client.ForAccount("a/b"),
		"ForAccount dots":   client.ForAccount(".."),
		"ForAccount, again": client.ForAccount("..").ForAccount(server.Firm().AccountID),
	} {
		err := testkit.Discard(derived.Staff.Get(t.Context(), server.Firm().StaffID))
		_, ok := errors.AsType[*practice.ConfigError](err)
		assert.True(t, ok, "%s: %v", name, err)
		_, err = practice.Collect(derived.Events.All(t.Context(), practice.EventListOptions{}))
		require.Error(t, err, name)
	}
	assert.Empty(t, server.Requests())
}

func TestForAccountPutsThePrefixInFront(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithMultiAccount(true))
	client := server.Client(t, testkit.ClientCredentials(server))
	firm := client.ForAccount(server.Firm().OtherAccountID).ForAccount(server.Firm().AccountID)
	member, err := firm.Staff.Get(t.Context(), server.Firm().StaffID)
	require.NoError(t, err)
	path := testkit.RequestsTo(server, practicetest.PartAPI)[0].Path
	assert.True(t, strings.HasSuffix(path, "/"+server.Firm().AccountID+"/staff/"+server.Firm().StaffID), path)
	assert.Equal(t, 1, strings.Count(path, "/staff/"))
	assert.NotContains(t, path, server.Firm().OtherAccountID, "the later account wins")
	assert.Contains(t, member.Href, server.Firm().AccountID, "links carry it too")

	var again models.StaffMember
	require.NoError(t, firm.Follow(t.Context(), models.Link{Href: member.Href}, &again))
	assert.Equal(t, member.ID, again.ID)
	require.ErrorIs(t, client.ForAccount(server.Firm().OtherAccountID).Follow(t.Context(), models.Link{Href: member.Href}, &again),
		practice.ErrForeignLink, "a link of another account")
}

func TestDerivedClientsShareTheToken(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithMultiAccount(true))
	client := server.Client(t, testkit.ClientCredentials(server)).ForAccount(server.Firm().AccountID)
	for _, c := range []*practice.Client{client, client.With(practice.WithRetries(1)), client.ForAccount(server.Firm().AccountID)} {
		require.NoError(t, testkit.Discard(c.Staff.Get(t.Context(), server.Firm().StaffID)))
	}
	assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), 1)
}

func TestAClientWithoutCredentialsIsRefusedUnlessItSaysSo(t *testing.T) {
	t.Parallel()
	const base = "https://api.example.test/v1"
	for _, options := range [][]practice.ClientOption{nil, {practice.WithUserAgent("x")}} {
		_, err := practice.NewClient(base, options...)
		_, ok := errors.AsType[*practice.ConfigError](err)
		require.True(t, ok, "%v", err)
		require.ErrorContains(t, err, "credentials are missing")
	}
	for _, option := range []practice.ClientOption{practice.WithoutCredentials(), practice.WithAPIKey("k"), practice.WithAccessToken("t")} {
		_, err := practice.NewClient(base, option)
		require.NoError(t, err)
	}
}

// countingJar counts requests for cookies.
type countingJar struct{ asked atomic.Int32 }

func (*countingJar) SetCookies(*url.URL, []*http.Cookie) {}

func (j *countingJar) Cookies(*url.URL) []*http.Cookie {
	j.asked.Add(1)
	return nil
}

func TestTheCallersHTTPClientIsUsedAndLeftAlone(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	jar, redirects := new(countingJar), 0
	callers := server.HTTPClient()
	next := callers.Transport
	callers.Transport = testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.URL.Path, "/redirected") {
			return next.RoundTrip(r)
		}
		return &http.Response{StatusCode: 307, Header: http.Header{"Location": {"/practice/v1/staff"}}, Body: http.NoBody, Request: r}, nil
	})
	callers.Jar, callers.Timeout = jar, time.Minute
	callers.CheckRedirect = func(*http.Request, []*http.Request) error { redirects++; return http.ErrUseLastResponse }
	before, checkRedirect := *callers, reflect.ValueOf(callers.CheckRedirect).Pointer()
	client := server.Client(t, practice.WithHTTPClient(callers))
	require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
	require.Error(t, testkit.Discard(client.Staff.Get(t.Context(), "redirected")))
	client.CloseIdleConnections()

	assert.Equal(t, 1, redirects)
	assert.EqualValues(t, 2, jar.asked.Load())
	assert.Equal(t, reflect.ValueOf(before.Transport).Pointer(), reflect.ValueOf(callers.Transport).Pointer())
	assert.Equal(t, before.Timeout, callers.Timeout)
	assert.Same(t, jar, callers.Jar)
	assert.Equal(t, checkRedirect, reflect.ValueOf(callers.CheckRedirect).Pointer())
}

func TestOptionStructsAreLeftAlone(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client := server.Client(t)
	update := models.RelationWrite{BusinessRole: models.Some("Bookkeeper")}
	require.NoError(t, testkit.Discard(client.Contacts.UpdateRelation(t.Context(), server.Firm().ContactID, server.Firm().RelatedContactID, update)))
	assert.Empty(t, update.RelatedContactID)
	options := practice.EventListOptions{From: testkit.SomeTime}
	before := options
	_, err := practice.Collect(client.Events.All(t.Context(), options))
	require.NoError(t, err)
	assert.Equal(t, before, options)
}

func TestTimeLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		opts    []practice.CallOption
		passed  time.Duration
		attempt int
	}{
		{"by default an attempt has 30 seconds", nil, 4 * 30 * time.Second, 4},
		{"an attempt", []practice.CallOption{practice.WithAttemptTimeout(time.Second), practice.WithRetries(0)}, time.Second, 1},
		{"the whole call", []practice.CallOption{practice.WithAttemptTimeout(0), practice.WithTimeout(5 * time.Second)}, 5 * time.Second, 1},
		{"by default the whole call has two minutes", []practice.CallOption{practice.WithAttemptTimeout(0)}, 2 * time.Minute, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				server.Inject(practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultStall, Times: -1})
				started := time.Now()
				var response practice.Response
				err := testkit.Discard(server.Client(t).Staff.Get(t.Context(), server.Firm().StaffID, append(test.opts, practice.WithResponse(&response))...))
				require.Error(t, err)
				assert.Len(t, response.Attempts, test.attempt)
				assert.InDelta(t, test.passed.Seconds(), time.Since(started).Seconds(), 5, "backoff aside")
				assert.LessOrEqual(t, time.Since(started), 2*time.Minute)
			})
		})
	}
}

func TestTheRateLimitIsShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithRateLimit(5, 5))
		client := server.Client(t, practice.WithRateLimit(5, 5))
		derived := client.With(practice.WithRetries(0))
		started := time.Now()
		for i := range 30 {
			c := client
			if i%2 == 1 {
				c = derived
			}
			require.NoError(t, testkit.Discard(c.Staff.Get(t.Context(), server.Firm().StaffID)))
		}
		assert.InDelta(t, 26/(5*0.99), time.Since(started).Seconds(), 0.1, "one of the burst is in reserve")
		for _, sent := range server.Requests() {
			assert.Equal(t, 200, sent.Status, "never too many")
		}
	})
}

// limiterFunc makes a function a Limiter.
type limiterFunc func(context.Context) error

func (f limiterFunc) Wait(ctx context.Context) error { return f(ctx) }

func TestALimiterOfTheCallerIsSharedByDerivedClients(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	asked, over := 0, errors.New("not today")
	client := server.Client(t, practice.WithLimiter(limiterFunc(func(context.Context) error {
		if asked++; asked > 2 {
			return over
		}
		return nil
	})))
	require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
	require.NoError(t, testkit.Discard(client.With(practice.WithRetries(0)).Staff.Get(t.Context(), server.Firm().StaffID)))
	err := testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))
	require.ErrorIs(t, err, over)
	_, ok := errors.AsType[*practice.NoAnswerError](err)
	assert.True(t, ok, "%v", err)
	assert.Len(t, server.Requests(), 2, "nothing was sent")
}

// TestAMiddlewareThatWritesToHeaderValuesChangesNoOtherCall checks a middleware
// that writes to the headers of its request in place, which a RoundTripper must
// not do.
func TestAMiddlewareThatWritesToHeaderValuesChangesNoOtherCall(t *testing.T) {
	t.Parallel()
	service := &testkit.Recorder{Status: 200, Body: `{"id":"1"}`}
	spoils := false
	client := service.Client(t, testkit.OddBase, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			for _, values := range req.Header {
				if spoils {
					values[0] = "spoilt"
				}
			}
			return next.RoundTrip(req)
		})
	}))
	for _, spoils = range []bool{false, true, false} {
		require.NoError(t, testkit.Creates["with a body"](t.Context(), client, practice.WithRequestID("one")))
	}
	require.Len(t, service.Asked, 3)
	assert.Equal(t, "spoilt", service.Asked[1].Header.Get("Accept"))
	assert.Equal(t, service.Asked[0].Header, service.Asked[2].Header)
}

func TestAMiddlewareThatWritesToHeadersChangesNoLaterAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var first http.Header
		var sent []http.Header
		client := (&testkit.Recorder{Status: 200, Body: `{"id":"1"}`}).Client(t, testkit.OddBase, practice.WithMiddleware(func(http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				sent = append(sent, req.Header.Clone())
				if first == nil {
					first = req.Header
					for _, values := range req.Header {
						values[0] = "spoilt"
					}
					req.Header.Del("Accept")
				}
				return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: http.NoBody}, nil
			})
		}))
		require.Error(t, testkit.Discard(client.Staff.Get(t.Context(), testkit.SomeID, practice.WithHeader("X-Own", "own"), practice.WithRequestID("one"))))
		require.Greater(t, len(sent), 2)
		for _, header := range sent {
			assert.Equal(t, sent[0], header)
		}
		for name := range first {
			assert.Equal(t, "spoilt", first.Get(name), "%s of the first attempt, which may still be read", name)
		}
	})
}

func TestMiddlewareAndUserAgent(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	seen := 0
	client := server.Client(t, practice.WithUserAgent("ledger-sync/2.1"), practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			seen++
			return next.RoundTrip(r)
		})
	}))
	require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
	assert.Equal(t, 1, seen)
	assert.True(t, strings.HasPrefix(server.Requests()[0].Header.Get("User-Agent"), "ledger-sync/2.1 practice-go/"))
}

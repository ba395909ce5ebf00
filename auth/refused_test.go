package auth_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// sharing is two programs with one store. The store holds a token that one
// program renewed and the service refuses, and the other program holds the one
// before.
type sharing struct {
	server *practicetest.Server
	store  auth.TokenStore
	behind *practice.Client
	ahead  *practice.Client
}

func newSharing(t *testing.T, credentials auth.Credentials, server *practicetest.Server, opts ...practice.ClientOption) sharing {
	t.Helper()
	s := sharing{server: server, store: auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}}
	tokens := practice.WithTokens(auth.Source{Credentials: credentials, Store: s.store})
	s.behind, s.ahead = server.Client(t, append(opts, tokens)...), server.Client(t, tokens)
	require.NoError(t, call(t, s.behind, server))
	s.renewedByAnother(t)
	server.ExpireTokens()
	server.ResetRequests()
	return s
}

// renewedByAnother replaces the tokens of the store.
func (s sharing) renewedByAnother(t *testing.T) {
	t.Helper()
	s.server.ExpireTokens()
	require.NoError(t, call(t, s.ahead, s.server))
}

// statuses returns the status of each attempt.
func statuses(response practice.Response) (statuses []int) {
	for _, attempt := range response.Attempts {
		statuses = append(statuses, attempt.Status)
	}
	return statuses
}

// before returns a middleware that calls what before each attempt is sent, with
// its number.
func before(what func(attempt int)) practice.ClientOption {
	var attempts atomic.Int32
	return practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			what(int(attempts.Add(1)))
			return next.RoundTrip(req)
		})
	})
}

func TestARefusedTokenOfTheStoreIsRenewed(t *testing.T) {
	t.Parallel()
	for grant, credentials := range map[string]func(*practicetest.Server) auth.Credentials{
		"client credentials": func(server *practicetest.Server) auth.Credentials { return testkit.ClientGrant(server) },
		"refresh token":      func(server *practicetest.Server) auth.Credentials { return testkit.RefreshGrant(server) },
	} {
		for _, id := range []string{"getStaff", "patchFee", "createFolder"} {
			operation, known := operations.ByID(id)
			require.True(t, known)
			t.Run(grant+" "+operation.Name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					server := practicetest.New(t, practicetest.WithOneTimeRefresh(true))
					s := newSharing(t, credentials(server), server)
					var response practice.Response
					started := time.Now()
					require.NoError(t, operation.Call(t.Context(), s.behind, server.Firm(), practice.WithResponse(&response), practice.WithRetries(0)))
					assert.Equal(t, []int{401, 401}, statuses(response)[:2])
					assert.Len(t, response.Attempts, 3)
					assert.Zero(t, time.Since(started).Truncate(time.Second), "without a wait")
					assert.Len(t, granted(t, server), 1)
				})
			})
		}
	}
}

func TestGoroutinesThatMeetARefusedTokenOfTheStoreRenewItOnce(t *testing.T) {
	t.Parallel()
	for _, latency := range []time.Duration{0, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			server := practicetest.New(t, practicetest.WithOneTimeRefresh(true))
			s := newSharing(t, testkit.RefreshGrant(server), server)
			server.Inject(practicetest.Fault{Operation: "token", Kind: practicetest.FaultLatency, Delay: latency, Times: -1})
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() { assert.NoError(t, call(t, s.behind, server)) })
			}
			all.Wait()
			assert.Len(t, granted(t, server), 1)
		})
	}
}

// TestARefusedTokenOfAnotherGoroutineIsRenewed checks a call whose token
// another goroutine replaced while the service was answering the call.
func TestARefusedTokenOfAnotherGoroutineIsRenewed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		valid    bool // whether the token of the other goroutine is valid
		statuses []int
		renewals int
	}{
		"valid":   {true, []int{401, 200}, 1},
		"refused": {false, []int{401, 401, 200}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				var client *practice.Client
				client = server.Client(t, testkit.RefreshToken(server), before(func(attempt int) {
					if attempt != 2 { // the first one is that which fetches a token
						return
					}
					server.ExpireTokens()
					assert.NoError(t, call(t, client, server))
					if !test.valid {
						server.ExpireTokens()
					}
				}))
				require.NoError(t, call(t, client, server))
				server.ResetRequests()
				var response practice.Response
				require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithResponse(&response))))
				assert.Equal(t, test.statuses, statuses(response))
				assert.Len(t, granted(t, server), test.renewals)
			})
		})
	}
}

// TestOthersThatRenewKeepNoCallAlive checks that a call ends although another
// process replaces the tokens before each attempt.
func TestOthersThatRenewKeepNoCallAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithOneTimeRefresh(true))
		var s sharing
		var racing atomic.Bool
		s = newSharing(t, testkit.RefreshGrant(server), server, before(func(int) {
			if racing.Load() {
				s.renewedByAnother(t)
				server.ExpireTokens()
			}
		}))
		racing.Store(true)
		var response practice.Response
		_, err := s.behind.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithResponse(&response))
		require.ErrorIs(t, err, practice.ErrUnauthorized)
		assert.Equal(t, []int{401, 401, 401}, statuses(response))
		assert.Len(t, granted(t, server), 3, "only the other process has renewed")

		racing.Store(false)
		require.NoError(t, call(t, s.behind, server))
	})
}

// TestACallRenewsOnce checks calls that the service refuses whatever their
// token is.
func TestACallRenewsOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		client   func(*testing.T, *practicetest.Server) *practice.Client
		attempts int
	}{
		"without a store": {func(t *testing.T, server *practicetest.Server) *practice.Client {
			client := server.Client(t, testkit.RefreshToken(server))
			require.NoError(t, call(t, client, server))
			return client
		}, 2},
		"with a store that has another token": {func(t *testing.T, server *practicetest.Server) *practice.Client {
			return newSharing(t, testkit.RefreshGrant(server), server).behind
		}, 3},
		"with a store that has the refused token": {func(t *testing.T, server *practicetest.Server) *practice.Client {
			return newSharing(t, testkit.RefreshGrant(server), server).ahead
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				client := test.client(t, server)
				server.ResetRequests()
				server.Inject(practicetest.Fault{Operation: "getStaff", Status: 401, Times: -1})
				require.ErrorIs(t, call(t, client, server), practice.ErrUnauthorized)
				assert.Len(t, testkit.RequestsTo(server, practicetest.PartAPI), test.attempts)
				assert.Len(t, granted(t, server), 1)
			})
		})
	}
}

// TestACallAfterA401WaitsForTheTokenEndpoint checks that a call whose token was
// refused waits for a failing token endpoint like a call that has no token.
func TestACallAfterA401WaitsForTheTokenEndpoint(t *testing.T) {
	t.Parallel()
	type result struct {
		asked     int  // token requests
		temporary bool // the error of the call is a temporary *TokenError
	}
	for name, test := range map[string]struct {
		fault practicetest.Fault
		opts  []practice.CallOption
		ended error
		want  result
	}{
		"it fails once":                  {fault: practicetest.Fault{Status: 503}, want: result{asked: 2}},
		"it fails three times":           {fault: practicetest.Fault{Status: 503, Times: 3}, want: result{asked: 4}},
		"the connection to it is reset":  {fault: practicetest.Fault{Kind: practicetest.FaultResetBefore}, want: result{asked: 2}},
		"it fails more often than tried": {fault: practicetest.Fault{Status: 503, Times: -1}, ended: practice.ErrUnauthorized, want: result{asked: 4, temporary: true}},
		"without retries":                {fault: practicetest.Fault{Status: 503, Times: -1}, opts: []practice.CallOption{practice.WithRetries(0)}, ended: practice.ErrUnauthorized, want: result{asked: 1, temporary: true}},
		"it refuses":                     {fault: practicetest.Fault{Status: 400}, ended: practice.ErrUnauthorized, want: result{asked: 1}},
	} {
		test.fault.Operation = "token"
		for _, id := range []string{"getStaff", "patchFee", "createFolder"} {
			operation, known := operations.ByID(id)
			require.True(t, known)
			t.Run(name+", "+id, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					server := practicetest.New(t)
					client := server.Client(t, testkit.RefreshToken(server))
					require.NoError(t, call(t, client, server))
					server.ExpireTokens()
					server.ResetRequests()
					server.Inject(test.fault)
					err := operation.Call(t.Context(), client, server.Firm(), test.opts...)
					require.ErrorIs(t, err, test.ended)
					failed, is := errors.AsType[*auth.TokenError](err)
					assert.Equal(t, test.ended != nil, is, "%v", err)
					assert.Equal(t, test.want, result{asked: len(testkit.RequestsTo(server, practicetest.PartToken)), temporary: is && failed.Temporary()})
				})
			})
		}
	}
}

// TestACauseIsThatOfTheLastAnswer checks that the failure of an earlier renewal
// is not in the error of another answer.
func TestACauseIsThatOfTheLastAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		client := server.Client(t, testkit.RefreshToken(server))
		require.NoError(t, call(t, client, server))
		server.ExpireTokens()
		server.Inject(practicetest.Fault{Operation: "token", Status: 503}, practicetest.Fault{Operation: "getStaff", Status: 403, Skip: 1})
		err := call(t, client, server)
		require.ErrorIs(t, err, practice.ErrForbidden)
		_, is := errors.AsType[*auth.TokenError](err)
		assert.False(t, is, "%v", err)
	})
}

// TestARefusedTokenThatCouldNotBeKeptAtFirstIsRenewed checks tokens that the
// program obtained for an earlier call and keeps, and thus uses, only now.
func TestARefusedTokenThatCouldNotBeKeptAtFirstIsRenewed(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	for name, source := range map[string]func(*testing.T, auth.Credentials) (source auth.Source, fail func(error)){
		"with a Store": func(t *testing.T, credentials auth.Credentials) (auth.Source, func(error)) {
			store := &failingStore{TokenFile: auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}}
			return auth.Source{Credentials: credentials, Store: store}, func(err error) {
				store.failing, store.from = map[string]error{"save": err}, store.saves+2 // the next one precedes the request
			}
		},
		"with a GrantStore": func(_ *testing.T, credentials auth.Credentials) (auth.Source, func(error)) {
			var failure error
			return auth.Source{Credentials: credentials, GrantStore: func(context.Context, auth.Grant) error { return failure }},
				func(err error) { failure = err }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t, practicetest.WithOneTimeRefresh(true))
				tokens, fail := source(t, testkit.RefreshGrant(server))
				client := server.Client(t, practice.WithTokens(tokens))
				require.NoError(t, call(t, client, server))
				server.ExpireTokens()
				fail(full)
				require.ErrorIs(t, call(t, client, server), full)
				server.ExpireTokens()
				fail(nil)
				<-time.After(time.Minute) // the client pauses after a failure
				server.ResetRequests()
				var response practice.Response
				require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithResponse(&response))))
				assert.Equal(t, []int{401, 401, 200}, statuses(response))
				assert.Len(t, granted(t, server), 1)
			})
		})
	}
}

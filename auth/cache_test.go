package auth_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestGrants(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		option func(*practicetest.Server) practice.ClientOption
		form   url.Values
	}{
		{"client credentials", testkit.ClientCredentials, url.Values{"grant_type": {"client_credentials"}}},
		{"refresh token", testkit.RefreshToken, url.Values{"grant_type": {"refresh_token"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				client := server.Client(t, test.option(server))
				_, err := client.Staff.Get(t.Context(), server.Firm().StaffID)
				require.NoError(t, err)

				asked := testkit.RequestsTo(server, practicetest.PartToken)
				require.Len(t, asked, 1)
				form, err := url.ParseQuery(string(asked[0].Body))
				require.NoError(t, err)
				assert.Equal(t, test.form.Get("grant_type"), form.Get("grant_type"))
				assert.Equal(t, []string{server.Credentials().ClientID}, form["client_id"], "in the form")
				basic := server.Credentials().ClientID + ":" + server.Credentials().ClientSecret
				assert.Equal(t, "Basic "+base64.StdEncoding.EncodeToString([]byte(basic)), asked[0].Header.Get("Authorization"), "and in the header")
				assert.Empty(t, form.Get("client_secret"))
				assert.Empty(t, asked[0].Header.Get("x-api-key"), "the API key is not for the token endpoint")
			})
		})
	}
}

// loginOf returns the sign-in settings for the embedded service.
func loginOf(server *practicetest.Server) auth.AuthorizationCode {
	return auth.AuthorizationCode{
		AuthURL: server.AuthorizeURL(), TokenURL: server.TokenURL(),
		ClientID: server.Credentials().ClientID, ClientSecret: models.NewSecret(server.Credentials().ClientSecret),
		RedirectURL: "https://app.example.test/back", HTTPClient: server.HTTPClient(),
	}
}

// broughtBack opens the sign-in page like a browser and returns the query of
// the callback.
func broughtBack(t *testing.T, server *practicetest.Server, address string) url.Values {
	t.Helper()
	browser := server.HTTPClient()
	browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := browser.Get(address)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	back, err := answer.Location()
	require.NoError(t, err)
	return back.Query()
}

// signedIn signs a user in and returns the credentials.
func signedIn(t *testing.T, server *practicetest.Server) auth.RefreshCredentials {
	t.Helper()
	login := loginOf(server)
	begun := login.Begin()
	back := broughtBack(t, server, begun.URL)

	_, err := login.Exchange(t.Context(), login.Begin(), back)
	require.ErrorIs(t, err, auth.ErrSignInState, "an answer to another sign-in")
	_, err = login.Exchange(t.Context(), begun, url.Values{"state": {begun.State}, "error": {"access_denied"}})
	refused, ok := errors.AsType[*auth.TokenError](err)
	require.True(t, ok)
	assert.Equal(t, "access_denied", refused.Code)

	credentials, err := login.Exchange(t.Context(), begun, back)
	require.NoError(t, err)
	return credentials
}

func TestAuthorizationCodeWithPKCELivesThroughEveryExpiry(t *testing.T) {
	t.Parallel()
	for _, once := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(once))
			client := server.Client(t, practice.WithTokens(signedIn(t, server)))
			server.ResetRequests()
			for i := range 5 {
				require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
				assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), i, "the first call uses the token of the sign-in")
				<-time.After(61 * time.Minute)
			}
		})
	}
}

func TestAGoodTokenIsUsedWhileItsSuccessorIsFetched(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]practicetest.Fault{
		"hanging": {Operation: "token", Kind: practicetest.FaultStall, Times: -1},
		"failing": {Operation: "token", Status: 503, Times: -1},
		"refused": {Operation: "token", Status: 400, Body: `{"error":"invalid_grant"}`, ContentType: "application/json", Times: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour))
				client := server.Client(t, testkit.ClientCredentials(server))
				require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
				server.Inject(fault)
				<-time.After(59*time.Minute + 30*time.Second)
				started := time.Now()
				for range 100 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Second)
					require.NoError(t, testkit.Discard(client.Staff.Get(ctx, server.Firm().StaffID)))
					cancel()
				}
				assert.Less(t, time.Since(started), time.Second, "no call waits")
				synctest.Wait() // the calls may end before the successor is requested
				assert.LessOrEqual(t, len(testkit.RequestsTo(server, practicetest.PartToken)), 2, "nor asks for a token of its own")
			})
		})
	}
}

func TestAFailingTokenEndpointIsNotAskedByEveryCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		server.Inject(practicetest.Fault{Operation: "token", Status: 400, Body: `{"error":"invalid_grant"}`, ContentType: "application/json", Times: -1})
		client := server.Client(t, testkit.RefreshToken(server))
		for range 100 {
			failed, ok := errors.AsType[*auth.TokenError](testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
			require.True(t, ok)
			assert.Equal(t, "invalid_grant", failed.Code)
		}
		assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), 1)
		server.ClearFaults()
		<-time.After(time.Minute)
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)), "the pause ends")
	})
}

// TestARotatedRefreshTokenIsNotLostWithItsCaller checks that a renewal
// continues when its caller leaves: its response may contain the only valid
// refresh token.
func TestARotatedRefreshTokenIsNotLostWithItsCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		server.Inject(practicetest.Fault{Operation: "token", Kind: practicetest.FaultLatency, Delay: 5 * time.Second, Times: -1})
		client := server.Client(t, testkit.RefreshToken(server))
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			require.ErrorIs(t, testkit.Discard(client.Staff.Get(ctx, server.Firm().StaffID)), context.DeadlineExceeded)
			cancel()
			<-time.After(10 * time.Second)
			require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithTimeout(time.Second))))
			<-time.After(2 * time.Hour)
		}
	})
}

func TestARevokedGrantIsFoundThroughThe401(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		client := server.Client(t, testkit.RefreshToken(server))
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		server.RevokeRefreshToken()
		server.ExpireTokens()
		for range 2 {
			err := testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))
			require.ErrorIs(t, err, practice.ErrUnauthorized)
			failed, ok := errors.AsType[*auth.TokenError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "invalid_grant", failed.Code)
			assert.Contains(t, err.Error(), "invalid_grant")
		}
	})
}

func TestTokensAreRenewedAMinuteEarlyAndOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour))
		client := server.Client(t, testkit.ClientCredentials(server))
		call := func() {
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					_, err := client.Staff.Get(t.Context(), server.Firm().StaffID)
					assert.NoError(t, err)
				})
			}
			all.Wait()
		}
		call()
		assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), 1, "one renewal for all goroutines")
		<-time.After(58 * time.Minute)
		call()
		assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), 1, "still good")
		<-time.After(90 * time.Second)
		call()
		synctest.Wait() // the calls do not wait for the renewal
		assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), 2, "half a minute before its end")
		for _, sent := range testkit.RequestsTo(server, practicetest.PartAPI) {
			assert.Equal(t, 200, sent.Status)
		}
	})
}

func TestAnEarlyRenewalThatFailsLeavesTheGoodToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour))
		client := server.Client(t, testkit.ClientCredentials(server))
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		<-time.After(59*time.Minute + 30*time.Second)
		server.Inject(practicetest.Fault{Operation: "token", Status: 503, Times: -1})
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		synctest.Wait() // the renewal has failed by now
	})
}

func TestATokenThatEndsInBetweenIsReplacedOnce(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"getStaff", "patchFee", "createFolder"} {
		class, known := operations.ByID(id)
		require.True(t, known)
		t.Run(class.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				client := server.Client(t, testkit.ClientCredentials(server))
				require.NoError(t, class.Call(t.Context(), client, server.Firm()))
				server.ExpireTokens()
				var response practice.Response
				started := time.Now()
				require.NoError(t, class.Call(t.Context(), client, server.Firm(), practice.WithResponse(&response), practice.WithRetries(0)))
				assert.Zero(t, time.Since(started).Truncate(time.Second), "without a wait")
				require.Len(t, response.Attempts, 2)
				assert.Equal(t, 401, response.Attempts[0].Status)
				assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), 2)
			})
		})
	}
}

func TestATokenSourceWithTheSameTokenEndsAfterOne401(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]practice.ClientOption{
		"fixed token":  practice.WithAccessToken("expired"),
		"token source": practice.WithTokens(auth.FromOAuth2(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "expired"}))),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				_, err := server.Client(t, option).Staff.Get(t.Context(), server.Firm().StaffID)
				require.ErrorIs(t, err, practice.ErrUnauthorized)
				assert.Len(t, testkit.RequestsTo(server, practicetest.PartAPI), 1)
			})
		})
	}
}

// TestAByteOrderMarkBeforeATokenIsPassedOver checks that a byte order mark
// before the response of the token endpoint is skipped, as for the service, and
// that token requests have the User-Agent.
func TestAByteOrderMarkBeforeATokenIsPassedOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		server.Inject(practicetest.Fault{Operation: "token", Status: 400, Body: "\ufeff" + `{"error":"invalid_scope"}`, ContentType: "application/json"},
			practicetest.Fault{
				Operation: "token", Status: 200, ContentType: "application/json",
				Body: "\ufeff" + fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":3600}`, server.Credentials().AccessToken),
			})
		client := server.Client(t, testkit.ClientCredentials(server), practice.WithUserAgent("ledger-sync/2.1"))
		refused, ok := errors.AsType[*auth.TokenError](testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		require.True(t, ok)
		assert.Equal(t, "invalid_scope", refused.Code)
		<-time.After(time.Minute)
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		for _, sent := range testkit.RequestsTo(server, practicetest.PartToken) {
			assert.Regexp(t, "^ledger-sync/2.1 practice-go/", sent.Header.Get("User-Agent"))
		}
	})
}

func TestTokenFailures(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		option func(*practicetest.Server) practice.ClientOption
		fault  practicetest.Fault
		status int
		code   string
		asked  int
	}{
		{"wrong secret", func(s *practicetest.Server) practice.ClientOption {
			return practice.WithTokens(auth.ClientCredentials{TokenURL: s.TokenURL(), ClientID: s.Credentials().ClientID, ClientSecret: models.NewSecret("wrong-secret")})
		}, practicetest.Fault{}, 401, "invalid_client", 1},
		{"refused grant", testkit.RefreshToken, practicetest.Fault{Operation: "token", Status: 400, Body: `{"error":"invalid_grant"}`, ContentType: "application/json"}, 400, "invalid_grant", 1},
		{"an unavailable endpoint is asked again", testkit.ClientCredentials, practicetest.Fault{Operation: "token", Status: 503, Times: -1}, 503, "", 4},
		{"a redirect is not followed", testkit.ClientCredentials, practicetest.Fault{Operation: "token", Status: 307}, 307, "", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				if test.fault.Operation != "" {
					server.Inject(test.fault)
				}
				client := server.Client(t, test.option(server))
				err := testkit.Discard(client.Documents.CreateFolder(t.Context(), server.Firm().MatterID, models.FolderWrite{Name: "x"}))
				failed, ok := errors.AsType[*auth.TokenError](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, test.status, failed.StatusCode)
				if test.code != "" {
					assert.Equal(t, test.code, failed.Code)
				}
				_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
				assert.False(t, ambiguous, "nothing was sent")
				assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), test.asked)
				assert.Empty(t, testkit.RequestsTo(server, practicetest.PartAPI))
				assert.NotContains(t, err.Error(), "wrong-secret")
				assert.NotContains(t, err.Error(), server.Credentials().RefreshToken)
			})
		})
	}
}

func TestAWaiterLeavesARenewalWithItsOwnContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		server.Inject(practicetest.Fault{Operation: "token", Kind: practicetest.FaultLatency, Delay: 5 * time.Second})
		client := server.Client(t, testkit.ClientCredentials(server))
		var both sync.WaitGroup
		both.Go(func() { // begins the renewal
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			started := time.Now()
			err := testkit.Discard(client.Staff.Get(ctx, server.Firm().StaffID))
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, time.Second, time.Since(started))
		})
		both.Go(func() { // joins the renewal
			<-time.After(time.Millisecond)
			assert.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		})
		both.Wait()
		assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), 1)
	})
}

func TestARenewalLivesOnWhenAllHaveLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		server.Inject(practicetest.Fault{Operation: "token", Kind: practicetest.FaultStall})
		client := server.Client(t, testkit.ClientCredentials(server))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, testkit.Discard(client.Staff.Get(ctx, server.Firm().StaffID)), context.DeadlineExceeded)
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)), "the next call begins another one")
	})
}

func TestAccessTokensThatDoNotFitAHeader(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"a b", "a\r\nX-Evil: 1", "ä", ""} {
		server := practicetest.New(t)
		client := server.Client(t, practice.WithTokens(auth.FromOAuth2(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: token}))))
		err := testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))
		_, ok := errors.AsType[*auth.TokenError](err)
		require.True(t, ok, "%q: %v", token, err)
		assert.Empty(t, server.Requests())
	}
}

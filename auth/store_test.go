package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// program returns a client as a new process creates it: it has the client id,
// and the user's tokens only from the store.
func program(t *testing.T, server *practicetest.Server, store auth.TokenStore) *practice.Client {
	t.Helper()
	return server.Client(t, practice.WithTokens(auth.Source{Credentials: withoutUser(server), Store: store}))
}

func withoutUser(server *practicetest.Server) auth.RefreshCredentials {
	return auth.RefreshCredentials{
		TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID,
		ClientSecret: models.NewSecret(server.Credentials().ClientSecret),
	}
}

// signInTo signs a user in and keeps the tokens in store.
func signInTo(t *testing.T, server *practicetest.Server, store auth.TokenStore) (auth.RefreshCredentials, error) {
	t.Helper()
	login := loginOf(server)
	login.TokenStore = store
	begun := login.Begin()
	return login.Exchange(t.Context(), begun, broughtBack(t, server, begun.URL))
}

func call(t *testing.T, client *practice.Client, server *practicetest.Server) error {
	t.Helper()
	return testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))
}

// granted returns the grant types of the token requests.
func granted(t *testing.T, server *practicetest.Server) (grants []string) {
	t.Helper()
	for _, request := range testkit.RequestsTo(server, practicetest.PartToken) {
		form, err := url.ParseQuery(string(request.Body))
		require.NoError(t, err)
		if grant := form.Get("grant_type"); grant != "" {
			grants = append(grants, grant)
		}
	}
	return grants
}

func TestAProgramThatStartsOftenFetchesNoTokenEachTime(t *testing.T) {
	t.Parallel()
	for name, credentials := range map[string]func(*practicetest.Server) auth.Credentials{
		"client credentials": func(server *practicetest.Server) auth.Credentials { return testkit.ClientGrant(server) },
		"refresh token":      func(server *practicetest.Server) auth.Credentials { return testkit.RefreshGrant(server) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
				file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "state", "tokens.json")}
				for run := range 60 { // five hours in total
					client := server.Client(t, practice.WithTokens(auth.Source{Credentials: credentials(server), Store: file}))
					require.NoError(t, call(t, client, server), run)
					<-time.After(5 * time.Minute)
				}
				assert.Len(t, granted(t, server), 5, "one for each lifetime")
			})
		})
	}
}

func TestProcessesShareOneTimeRefreshTokens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
		_, err := signInTo(t, server, file)
		require.NoError(t, err)
		server.Inject(practicetest.Fault{Operation: "token", Kind: practicetest.FaultLatency, Delay: 3 * time.Second, Times: -1})
		programs := make([]*practice.Client, 4)
		for i := range programs {
			programs[i] = program(t, server, file)
		}
		server.ResetRequests()
		const expiries = 12
		for expiry := range expiries {
			if expiry%2 == 0 {
				<-time.After(2 * time.Hour)
			} else {
				server.ExpireTokens() // before their expiry, so that a 401 reveals it
			}
			var running sync.WaitGroup
			for _, client := range programs {
				for range 3 {
					running.Go(func() { assert.NoError(t, call(t, client, server)) })
				}
			}
			running.Wait()
		}
		assert.Len(t, granted(t, server), expiries, "one process renews, the others take what it saved")
	})
}

func TestARunningClientGoesOnAfterANewSignIn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
		client := program(t, server, file)
		require.ErrorIs(t, call(t, client, server), auth.ErrNotSignedIn)
		assert.Empty(t, server.Requests(), "nothing is sent")

		for range 3 {
			_, err := signInTo(t, server, file)
			require.NoError(t, err)
			<-time.After(time.Minute) // a client pauses after a failure
			require.NoError(t, call(t, client, server))

			server.RevokeRefreshToken()
			<-time.After(2 * time.Hour)
			err = call(t, client, server)
			refused, ok := errors.AsType[*auth.TokenError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "invalid_grant", refused.Code)
			assert.False(t, refused.Temporary())
		}
	})
}

// failingStore is a store that fails on demand.
type failingStore struct {
	auth.TokenFile
	failing map[string]error
	saves   int
	from    int // number of the first Save that fails, from 1; 0: all
}

func (s *failingStore) Lock(ctx context.Context) (func(), error) {
	if err := s.failing["lock"]; err != nil {
		return nil, err
	}
	return s.TokenFile.Lock(ctx)
}

func (s *failingStore) Load(ctx context.Context) (auth.Tokens, error) {
	if err := s.failing["load"]; err != nil {
		return auth.Tokens{}, err
	}
	return s.TokenFile.Load(ctx)
}

func (s *failingStore) Save(ctx context.Context, tokens auth.Tokens) error {
	s.saves++
	if err := s.failing["save"]; err != nil && s.saves >= s.from {
		return errors.Join(err, errors.New("of "+tokens.Reveal()))
	}
	return s.TokenFile.Save(ctx, tokens)
}

func TestAStoreThatFailsLosesNoRefreshToken(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	for name, test := range map[string]struct {
		action string
		from   int
		asked  int // token requests while it fails
	}{
		"it cannot be locked":                       {"lock", 0, 0},
		"it cannot be read":                         {"load", 0, 0},
		"it cannot be written to":                   {"save", 0, 0},
		"it cannot be written to after the renewal": {"save", 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
				store := &failingStore{TokenFile: auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}}
				client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), Store: store}))
				store.failing, store.from = map[string]error{test.action: full}, test.from
				err := call(t, client, server)
				failed, ok := errors.AsType[*auth.TokenStoreError](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, test.action, failed.Action)
				require.ErrorIs(t, err, full)
				assert.NotContains(t, err.Error(), server.Credentials().RefreshToken)
				assert.Len(t, granted(t, server), test.asked, "nothing is spent that could not be kept")
				assert.Empty(t, testkit.RequestsTo(server, practicetest.PartAPI), "no token is used before it is kept")

				store.failing = nil
				<-time.After(time.Minute)
				require.NoError(t, call(t, client, server))
				assert.Len(t, granted(t, server), 1)
				require.NoError(t, call(t, program(t, server, store.TokenFile), server), "another process finds them")
				assert.Len(t, granted(t, server), 1)
			})
		})
	}
}

// TestACallThatEndsWhileItWaitsForATokenSaysWhy checks that the error names the
// lock that another process holds.
func TestACallThatEndsWhileItWaitsForATokenSaysWhy(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"its time limit": func(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} },
		"its caller": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeoutCause(ctx, 45*time.Second, context.Canceled)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
				unlock, err := file.Lock(t.Context())
				require.NoError(t, err)
				ctx, stop := end(t.Context())
				defer stop()
				client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), Store: file}))
				_, err = client.Staff.Get(ctx, server.Firm().StaffID)
				require.ErrorContains(t, err, "cannot lock the token store")
				assert.True(t, errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled), "%v", err)
				unlock()
				<-time.After(time.Minute) // the renewal ends on its own
			})
		})
	}
}

func TestASignInReplacesTokensThatCouldNotBeSaved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		store := &failingStore{TokenFile: auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}}
		client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), Store: store}))
		store.failing, store.from = map[string]error{"save": errors.New("the disk is full")}, 2
		require.Error(t, call(t, client, server))

		store.failing = nil
		fresh, err := signInTo(t, server, store.TokenFile)
		require.NoError(t, err)
		<-time.After(time.Minute)
		require.NoError(t, call(t, client, server))
		held, err := store.Load(t.Context())
		require.NoError(t, err)
		assert.True(t, held.RefreshToken.Equal(fresh.RefreshToken))
		used := testkit.RequestsTo(server, practicetest.PartAPI)
		assert.Equal(t, "Bearer "+fresh.AccessToken.Reveal(), used[len(used)-1].Header.Get("Authorization"))
	})
}

func TestASignInThatCannotBeKeptStillGivesItsCredentials(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	for _, action := range []string{"lock", "save"} {
		server := practicetest.New(t)
		store := &failingStore{TokenFile: auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}, failing: map[string]error{action: full}}
		credentials, err := signInTo(t, server, store)
		require.ErrorIs(t, err, full)
		assert.NotContains(t, err.Error(), credentials.RefreshToken.Reveal())
		require.NoError(t, call(t, server.Client(t, practice.WithTokens(credentials)), server))
	}
}

func TestTokensOfAnotherClientAreNotUsed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
		const owner = "refresh_token https://elsewhere.example.test/token another"
		save := func(tokens auth.Tokens) {
			unlock, err := file.Lock(t.Context())
			require.NoError(t, err)
			defer unlock()
			require.NoError(t, file.Save(t.Context(), tokens))
		}
		save(auth.Tokens{Owner: owner, RefreshToken: models.NewSecret("theirs"), AccessToken: models.NewSecret("theirs")})
		require.ErrorIs(t, call(t, server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), Store: file})), server), auth.ErrTokensOfAnother)
		assert.Empty(t, server.Requests())
		held, err := file.Load(t.Context())
		require.NoError(t, err)
		assert.Equal(t, owner, held.Owner, "a sign-in is not overwritten")

		save(auth.Tokens{Owner: owner, AccessToken: models.NewSecret("theirs")})
		require.NoError(t, call(t, server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.ClientGrant(server), Store: file})), server))
		assert.Equal(t, []string{"client_credentials"}, granted(t, server), "what can be had again is replaced")
	})
}

func TestAStoreThatIsEmptiedIsFilledAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
		client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), Store: file}))
		require.NoError(t, call(t, client, server))
		require.NoError(t, os.Remove(file.Path))
		<-time.After(2 * time.Hour)
		require.NoError(t, call(t, client, server), "the client knows the refresh token that counts")
		require.NoError(t, call(t, program(t, server, file), server))
	})
}

func TestATokenStoreNeedsAGrantThatRenews(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
	grant := testkit.RefreshGrant(server)
	for says, source := range map[string]practice.TokenSource{
		"auth.Source requires credentials":                 auth.Source{Store: file},
		"auth.Source requires a TokenFile with a Path":     auth.Source{Credentials: grant, Store: auth.TokenFile{}},
		"requires RefreshCredentials or ClientCredentials": auth.Source{Credentials: auth.FromOAuth2(oauth2.StaticTokenSource(&oauth2.Token{})), Store: file},
		"the Store already stores the grants":              auth.Source{Credentials: grant, Store: file, GrantStore: func(context.Context, auth.Grant) error { return nil }},
		"RefreshCredentials requires a client id":          auth.Source{Credentials: auth.RefreshCredentials{TokenURL: server.TokenURL()}, Store: file},
	} {
		_, err := practice.NewClient(server.BaseURL(), practice.WithAPIKey("k"), practice.WithTokens(source))
		require.ErrorContains(t, err, says)
	}
}

func TestTokensAsText(t *testing.T) {
	t.Parallel()
	tokens := auth.Tokens{
		Owner: "refresh_token https://x.example.test c", AccessToken: models.NewSecret("a\"1"), RefreshToken: models.NewSecret("r1"),
		Expiry: time.Date(2026, 3, 2, 9, 0, 0, 5, time.UTC),
	}
	read, err := auth.ParseTokens(tokens.Reveal())
	require.NoError(t, err)
	assert.Equal(t, tokens.Reveal(), read.Reveal())
	assert.True(t, read.AccessToken.Equal(tokens.AccessToken) && read.RefreshToken.Equal(tokens.RefreshToken) && read.Expiry.Equal(tokens.Expiry))
	for _, more := range []string{`,"scope":["matters"]`, `,"version":2,"grant":{"id":"g"}`, `,"old":null`} {
		read, err = auth.ParseTokens(strings.TrimSuffix(tokens.Reveal(), "}") + more + "}")
		require.NoError(t, err, "members of a later version")
		assert.Equal(t, tokens.Reveal(), read.Reveal())
	}
	empty, err := auth.ParseTokens("")
	require.NoError(t, err)
	assert.Zero(t, empty)
	for _, text := range []string{"hush-hush", `{"accessToken":`, `{"expiry":"hush-hush"}`, `{"owner":["hush-hush"]}`} {
		_, err = auth.ParseTokens(text)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "hush")
	}
}

// TestAFileOfTokensThatCannotBeReadIsToldAtOnce checks that an unreadable file
// is reported without retries, since no retry could read it.
func TestAFileOfTokensThatCannotBeReadIsToldAtOnce(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]auth.TokenFile{
		"of something else":       {},
		"with a key of no length": {Key: func(context.Context) ([]byte, error) { return nil, nil }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
				file.Path = filepath.Join(t.TempDir(), "tokens.json")
				require.NoError(t, os.WriteFile(file.Path, []byte("{}"), 0o600))
				client, begun := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), Store: file})), time.Now()
				err := call(t, client, server)
				failed, is := errors.AsType[*auth.TokenStoreError](err)
				require.True(t, is, "%v", err)
				assert.Contains(t, failed.Error(), file.Path)
				assert.Zero(t, time.Since(begun))
			})
		})
	}
}

func TestADeletedFileSignsOutAProgramThatLivesFromTheStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
		_, err := signInTo(t, server, file)
		require.NoError(t, err)
		client := program(t, server, file)
		require.NoError(t, call(t, client, server))
		asked := granted(t, server)

		require.NoError(t, os.Remove(file.Path))
		<-time.After(2 * time.Hour)
		require.ErrorIs(t, call(t, client, server), auth.ErrNotSignedIn)
		assert.Equal(t, asked, granted(t, server), "the refresh token of the user is not sent")
		assert.NoFileExists(t, file.Path)
	})
}

func TestACallbackWithoutACodeIsNotSent(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	begun := loginOf(server).Begin()
	_, err := loginOf(server).Exchange(t.Context(), begun, url.Values{"state": {begun.State}})
	_, is := errors.AsType[*auth.TokenError](err)
	require.True(t, is, "%v", err)
	assert.Empty(t, server.Requests())
}

// TestASignInIsKeptWithASession checks that another replica can parse the text
// of a sign-in.
func TestASignInIsKeptWithASession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		replica := func() auth.AuthorizationCode { return loginOf(server) }
		sessions := map[string]string{}
		for _, user := range []string{"Alice", "Bob"} {
			sessions[user] = replica().Begin().Reveal()
		}
		for user, text := range sessions {
			begun, err := auth.ParseSignIn(text)
			require.NoError(t, err)
			assert.Equal(t, text, begun.Reveal())
			_, err = replica().Exchange(t.Context(), begun, broughtBack(t, server, begun.URL))
			require.NoError(t, err, user)
		}

		alice, err := auth.ParseSignIn(sessions["Alice"])
		require.NoError(t, err)
		bob, err := auth.ParseSignIn(sessions["Bob"])
		require.NoError(t, err)
		_, err = replica().Exchange(t.Context(), alice, broughtBack(t, server, bob.URL))
		require.ErrorIs(t, err, auth.ErrSignInState, "one user comes back in the session of another")

		lost, err := json.Marshal(alice)
		require.NoError(t, err)
		assert.NotContains(t, string(lost), alice.Verifier.Reveal())
		require.ErrorContains(t, json.Unmarshal(lost, new(auth.SignIn)), "mask of a secret", "it would end with invalid_grant")
		for _, bad := range []string{"", "{}", string(lost), `{"state":"s"}`, `{"verifier":"v"}`, `[1]`, sessions["Bob"][1:]} {
			_, err := auth.ParseSignIn(bad)
			require.Error(t, err, bad)
			assert.NotContains(t, err.Error(), bob.Verifier.Reveal())
		}
	})
}

// TestTheCallAfterANewSignInSucceeds checks that a program without a sign-in,
// or with a revoked grant, succeeds at the first call after a new sign-in,
// no matter who made it.
func TestTheCallAfterANewSignInSucceeds(t *testing.T) {
	t.Parallel()
	for _, failures := range []int{1, 2, 9} {
		synctest.Test(t, func(t *testing.T) {
			server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
			file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
			replicas := []*practice.Client{program(t, server, file), program(t, server, file)}
			failing := func(want func(error) bool) {
				for range failures {
					for _, client := range replicas {
						err := call(t, client, server)
						require.True(t, want(err), "%v", err)
					}
				}
			}
			failing(func(err error) bool { return errors.Is(err, auth.ErrNotSignedIn) })
			assert.Empty(t, server.Requests(), "nothing is sent")
			for range 3 {
				_, err := signInTo(t, server, file)
				require.NoError(t, err)
				for _, client := range replicas {
					require.NoError(t, call(t, client, server))
				}
				server.RevokeRefreshToken()
				<-time.After(2 * time.Hour)
				asked := len(testkit.RequestsTo(server, practicetest.PartToken))
				failing(func(err error) bool {
					refused, is := errors.AsType[*auth.TokenError](err)
					return is && refused.Code == "invalid_grant"
				})
				assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), asked+len(replicas), "each asks once, and keeps to its pause")
				<-time.After(time.Minute)
				failing(func(err error) bool { return err != nil })
				assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), asked+2*len(replicas), "and once more after it")
			}
		})
	}
}

package auth_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// desktop is a machine with a browser and a service that is reachable over TCP.
type desktop struct {
	*testing.T
	server  *practicetest.Server
	browser *http.Client
	pages   []string // pages that the user has seen
}

func newDesktop(t *testing.T) *desktop {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	d := &desktop{T: t, server: server, browser: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() {
		d.browser.CloseIdleConnections()
		require.NoError(t, server.Close())
	})
	return d
}

func (d *desktop) login() auth.AuthorizationCode {
	return auth.AuthorizationCode{
		AuthURL: d.server.AuthorizeURL(), TokenURL: d.server.TokenURL(),
		ClientID: d.server.Credentials().ClientID, ClientSecret: models.NewSecret(d.server.Credentials().ClientSecret),
	}
}

// visit opens an address like a browser and follows its redirects.
func (d *desktop) visit(method, address string) (status int) {
	d.Helper()
	request, err := http.NewRequestWithContext(d.Context(), method, address, nil)
	require.NoError(d, err)
	answer, err := d.browser.Do(request)
	require.NoError(d, err)
	page, err := io.ReadAll(answer.Body)
	require.NoError(d, errors.Join(err, answer.Body.Close()))
	d.pages = append(d.pages, string(page))
	return answer.StatusCode
}

// open plays the function that opens the browser.
func (d *desktop) open(address string) error {
	d.visit(http.MethodGet, address)
	return nil
}

// back returns the address to which the sign-in page redirects the browser.
func (d *desktop) back(address string, query url.Values) string {
	d.Helper()
	page, err := url.Parse(address)
	require.NoError(d, err)
	if query.Get("state") == "" {
		query.Set("state", page.Query().Get("state"))
	}
	return page.Query().Get("redirect_uri") + "?" + query.Encode()
}

func TestAUserSignsInOnThisMachine(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*auth.AuthorizationCode){
		"on any port":                  func(*auth.AuthorizationCode) {},
		"on a path of the program":     func(a *auth.AuthorizationCode) { a.RedirectURL = "http://127.0.0.1:0/done" },
		"on an address without a path": func(a *auth.AuthorizationCode) { a.RedirectURL = "http://localhost" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesktop(t)
			login := d.login()
			change(&login)
			file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
			login.TokenStore = file
			credentials, err := login.Loopback(t.Context(), d.open)
			require.NoError(t, err)
			require.Len(t, d.pages, 1)
			assert.Contains(t, d.pages[0], "You are signed in.")

			held, err := file.Load(t.Context())
			require.NoError(t, err)
			assert.True(t, held.RefreshToken.Equal(credentials.RefreshToken))
			client, err := practice.NewClient(d.server.BaseURL(), practice.WithAPIKey(d.server.Credentials().APIKey), practice.WithTokens(credentials))
			require.NoError(t, err)
			defer client.CloseIdleConnections()
			require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), d.server.Firm().StaffID)))
		})
	}
}

func TestOnlyTheAnswerToASignInEndsIt(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	_, err := d.login().Loopback(t.Context(), func(address string) error {
		assert.Equal(t, 400, d.visit(http.MethodGet, d.back(address, url.Values{"code": {"stolen"}, "state": {"another"}})))
		assert.Equal(t, 400, d.visit(http.MethodGet, strings.Split(d.back(address, url.Values{}), "?")[0]))
		assert.Equal(t, 400, d.visit(http.MethodGet, d.back(address, url.Values{})), "it has no code")
		elsewhere := strings.Replace(d.back(address, url.Values{"code": {"stolen"}}), "127.0.0.1", "localhost", 1)
		assert.Equal(t, 421, d.visit(http.MethodGet, elsewhere), "another name of this machine")
		assert.Equal(t, 405, d.visit(http.MethodPost, d.back(address, url.Values{"code": {"c"}})))
		home, err := url.Parse(d.back(address, url.Values{}))
		require.NoError(t, err)
		assert.Equal(t, 404, d.visit(http.MethodGet, "http://"+home.Host+"/favicon.ico"))
		return d.open(address)
	})
	require.NoError(t, err)
	assert.Len(t, testkit.RequestsTo(d.server, practicetest.PartToken), 2, "the page and the code: a code of somebody else is not exchanged")
}

func TestASignInThatIsRefused(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	_, err := d.login().Loopback(t.Context(), func(address string) error {
		d.visit(http.MethodGet, d.back(address, url.Values{"error": {"access_denied"}, "error_description": {"<b>No</b>"}}))
		return nil
	})
	refused, ok := errors.AsType[*auth.TokenError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, "access_denied", refused.Code)
	assert.Contains(t, d.pages[0], "You are not signed in.")
	assert.NotContains(t, d.pages[0], "<b>", "the page repeats nothing that it was sent")
}

func TestASignInThatNobodyFinishes(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var listening string
	_, err := d.login().Loopback(ctx, func(address string) error {
		home, err := url.Parse(d.back(address, url.Values{}))
		listening = home.Host
		return err
	})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = net.Dial("tcp", listening)
	require.Error(t, err, "it listens no more")

	noBrowser := errors.New("there is no browser")
	_, err = d.login().Loopback(t.Context(), func(string) error { return noBrowser })
	require.ErrorIs(t, err, noBrowser)
}

func TestASignInThatCannotBegin(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, taken.Close()) }()
	for says, change := range map[string]func(*auth.AuthorizationCode){
		"redirect URL on this machine":               func(a *auth.AuthorizationCode) { a.RedirectURL = "http://app.example.test/back" },
		"without a query":                            func(a *auth.AuthorizationCode) { a.RedirectURL = "http://127.0.0.1/back?x=1" },
		"requires an https URL for the sign-in page": func(a *auth.AuthorizationCode) { a.AuthURL = "http://login.example.test/" },
		"token URL":              func(a *auth.AuthorizationCode) { a.TokenURL = "http://login.example.test/" },
		"address already in use": func(a *auth.AuthorizationCode) { a.RedirectURL = "http://" + taken.Addr().String() + "/back" },
	} {
		login := d.login()
		change(&login)
		_, err := login.Loopback(t.Context(), func(string) error { t.Error("nothing is opened"); return nil })
		require.ErrorContains(t, err, says)
	}
	_, err = d.login().Loopback(t.Context(), nil)
	require.ErrorContains(t, err, "requires a function")
}

// endingStore cancels the sign-in as soon as it has stored the tokens.
type endingStore struct {
	auth.TokenStore
	end context.CancelFunc
}

func (s endingStore) Save(ctx context.Context, tokens auth.Tokens) error {
	defer s.end()
	return s.TokenStore.Save(ctx, tokens)
}

// TestASignInThatSucceededIsNotLostWithItsContext checks that a context that
// ends after the tokens were granted does not lose them.
func TestASignInThatSucceededIsNotLostWithItsContext(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	for range 10 {
		ctx, end := context.WithCancel(t.Context())
		login := d.login()
		login.TokenStore = endingStore{auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}, end}
		credentials, err := login.Loopback(ctx, d.open)
		require.NoError(t, err)
		assert.False(t, credentials.RefreshToken.IsZero())
	}
}

// TestASignInThatPanicsEnds checks two panics: one in the goroutine that serves
// the browser must reach the caller, and one in the caller's own function must
// close the listener.
func TestASignInThatPanicsEnds(t *testing.T) {
	t.Parallel()
	t.Run("in the store of tokens", func(t *testing.T) {
		t.Parallel()
		d, trapped := newDesktop(t), &testkit.Trap{}
		login := d.login()
		login.TokenStore = testkit.TrapStore{TokenStore: auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens")}, OnSave: trapped.Step}
		value, _ := trapped.Set(1, func() error { return testkit.Discard(login.Loopback(t.Context(), d.open)) })
		err, is := value.(error)
		require.True(t, is, "%v", value)
		require.ErrorIs(t, err, testkit.ErrTrap)
	})
	t.Run("in open", func(t *testing.T) {
		t.Parallel()
		d, trapped, back := newDesktop(t), &testkit.Trap{}, ""
		_, _ = trapped.Set(1, func() error {
			return testkit.Discard(d.login().Loopback(t.Context(), func(address string) error {
				back = d.back(address, url.Values{})
				trapped.Step()
				return nil
			}))
		})
		require.NotEmpty(t, back)
		address, err := url.Parse(back)
		require.NoError(t, err)
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address.Host)
		if !assert.Error(t, err, "nobody listens") {
			assert.NoError(t, connection.Close())
		}
	})
}

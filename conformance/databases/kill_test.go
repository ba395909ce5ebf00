package databases_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/auth/authsql"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

var kills = flag.Int("kills", soak.Times(3, 200), "how many times TestKilledProcessesLoseNoRefreshToken kills a process")

// isCaller is the environment variable that makes this test binary a program
// that calls the service for two firms in a loop.
const isCaller = "PRACTICE_TEST_CALLER"

// processHeader tells the token endpoint which process sends a request.
const processHeader = "X-Test-Process"

// caller holds the settings of such a program.
type caller struct {
	Process        string
	Driver, Source string
	Numbered       bool
	Lease          time.Duration
	Firms          []firmSettings
}

type firmSettings struct{ Name, BaseURL, TokenURL, APIKey, ClientID, ClientSecret, RefreshToken, StaffID string }

// RoundTrip names the process in each request.
func (c *caller) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set(processHeader, c.Process)
	return http.DefaultTransport.RoundTrip(req)
}

// runCaller is the program, if this process is one. It ends by a kill.
func runCaller() {
	text := os.Getenv(isCaller)
	if text == "" {
		return
	}
	var c caller
	err := json.Unmarshal([]byte(text), &c)
	if err == nil {
		err = c.call(context.Background())
	}
	fmt.Println(err)
	os.Exit(1)
}

// call prints a line for each call: the process, the firm, and "ok" or the
// error.
func (c *caller) call(ctx context.Context) error {
	db, err := sql.Open(c.Driver, c.Source)
	if err != nil {
		return err
	}
	tokens, err := authsql.Open(ctx, db, authsql.Options{Numbered: c.Numbered, Lease: c.Lease})
	if err != nil {
		return err
	}
	clients := make([]*practice.Client, len(c.Firms))
	for i, f := range c.Firms {
		clients[i], err = practice.NewClient(f.BaseURL, practice.WithAPIKey(f.APIKey), practice.WithHTTPClient(&http.Client{Transport: c}),
			practice.WithTokens(auth.Source{
				Credentials: auth.RefreshCredentials{TokenURL: f.TokenURL, ClientID: f.ClientID,
					ClientSecret: models.NewSecret(f.ClientSecret), RefreshToken: models.NewSecret(f.RefreshToken)},
				Store: tokens.Store(f.Name),
			}))
		if err != nil {
			return err
		}
	}
	for i := 0; ; i = (i + 1) % len(clients) {
		said := "ok"
		if _, err := clients[i].Staff.Get(ctx, c.Firms[i].StaffID); err != nil {
			said = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(c.Process, i, said)
		<-time.After(2 * time.Millisecond)
	}
}

// killed is a world of two firms and of processes that are killed.
type killed struct {
	t     *testing.T
	place place
	lease time.Duration
	firms []*killedFirm

	exchange sync.Mutex // held while a refresh token is spent and the next one saved, and during a kill
	dead     map[string]bool

	mu    sync.Mutex
	calls map[string]int // successful calls, by process and firm
	wrong []string
}

type killedFirm struct {
	name   string
	server *practicetest.Server
	proxy  *httptest.Server
	store  *authsql.Store
	spent  map[string]int // how often each refresh token arrived
}

func newKilled(t *testing.T, p place, lease time.Duration) *killed {
	t.Helper()
	k := &killed{t: t, place: p, lease: lease, dead: map[string]bool{}, calls: map[string]int{}}
	tokens := p.tokens(t, authsql.Options{})
	for _, name := range []string{"firm 1", "firm 2"} {
		server, err := practicetest.Start(practicetest.WithOneTimeRefresh(true), practicetest.WithRequestLog(1))
		require.NoError(t, err)
		t.Cleanup(func() {
			http.DefaultClient.CloseIdleConnections()
			require.NoError(t, server.Close())
		})
		firm := &killedFirm{name: name, server: server, store: tokens.Store(name), spent: map[string]int{}}
		firm.proxy = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { k.renew(firm, w, r) }))
		t.Cleanup(firm.proxy.Close)
		k.firms = append(k.firms, firm)
	}
	return k
}

// renew passes a token request on, unless its process was killed before it
// arrived. It then waits until the new refresh token is in the database: in
// between, a kill would lose it in any store.
func (k *killed) renew(firm *killedFirm, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	k.exchange.Lock()
	defer k.exchange.Unlock()
	if err != nil || k.dead[r.Header.Get(processHeader)] {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	form, _ := url.ParseQuery(string(body)) // the service refuses another form
	firm.spent[form.Get("refresh_token")]++
	request, err := http.NewRequestWithContext(k.t.Context(), r.Method, firm.server.TokenURL(), bytes.NewReader(body))
	if err != nil {
		k.fail(err.Error())
		return
	}
	request.Header = r.Header.Clone()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		k.fail(err.Error())
		return
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	var issued struct {
		RefreshToken string `json:"refresh_token"`
	}
	if err != nil || json.Unmarshal(said, &issued) != nil || issued.RefreshToken == "" {
		k.fail(fmt.Sprintf("the token endpoint returned %d", response.StatusCode))
	}
	w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
	w.Header().Set("Content-Length", strconv.Itoa(len(said)))
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(said)
	_ = http.NewResponseController(w).Flush()
	for range 60_000 {
		held, err := firm.store.Load(k.t.Context())
		if err == nil && held.RefreshToken.Reveal() == issued.RefreshToken {
			return
		}
		<-time.After(time.Millisecond)
	}
	k.fail("a refresh token was not saved")
}

func (k *killed) fail(what string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wrong = append(k.wrong, what)
}

// start starts a process and reads what it prints.
func (k *killed) start(name string) *exec.Cmd {
	k.t.Helper()
	settings := caller{Process: name, Driver: k.place.driver, Source: k.place.source, Numbered: k.place.numbered, Lease: k.lease}
	for _, f := range k.firms {
		own := f.server.Credentials()
		settings.Firms = append(settings.Firms, firmSettings{f.name, f.server.BaseURL(), f.proxy.URL, own.APIKey, own.ClientID, own.ClientSecret, own.RefreshToken, f.server.Firm().StaffID})
	}
	text, err := json.Marshal(settings)
	require.NoError(k.t, err)
	binary, err := os.Executable()
	require.NoError(k.t, err)
	process := exec.CommandContext(k.t.Context(), binary)
	process.Env = append(os.Environ(), isCaller+"="+string(text))
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	require.NoError(k.t, err)
	require.NoError(k.t, process.Start())
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			caller, isCall := strings.CutSuffix(lines.Text(), " ok")
			if !isCall {
				k.fail(lines.Text())
				continue
			}
			k.mu.Lock()
			k.calls[caller]++
			k.mu.Unlock()
		}
	}()
	return process
}

// kill ends a process at any moment except during an exchange.
func (k *killed) kill(name string, process *exec.Cmd) {
	k.exchange.Lock()
	defer k.exchange.Unlock()
	k.dead[name] = true
	_ = process.Process.Kill()
	_ = process.Wait() // the error reports the kill
}

// goOn waits until each process has called both firms.
func (k *killed) goOn(names []string) {
	k.t.Helper()
	k.mu.Lock()
	before := make(map[string]int)
	for caller, calls := range k.calls {
		before[caller] = calls
	}
	k.mu.Unlock()
	require.Eventually(k.t, func() bool {
		k.mu.Lock()
		defer k.mu.Unlock()
		for _, name := range names {
			for i := range k.firms {
				caller := fmt.Sprint(name, " ", i)
				if k.calls[caller] < before[caller]+2 { // one may have begun before
					return false
				}
			}
		}
		return true
	}, 2*time.Minute, time.Millisecond, "%v", k.wrong)
}

// TestKilledProcessesLoseNoRefreshToken runs two processes that share the tokens
// of two firms, whose refresh tokens can be used once. They are killed at any
// moment but one: between the spending of a refresh token and the save of the
// next one, which is then lost in any store.
func TestKilledProcessesLoseNoRefreshToken(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"SQLite", "PostgreSQL"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			lease := 15 * time.Second // a process that stands still for so long loses its lock
			if *kills > 50 {
				lease = 5 * time.Second
			}
			k := newKilled(t, kinds[kind](t), lease)
			random := rand.New(rand.NewPCG(45, 200))
			names, processes := []string{"a", "b"}, []*exec.Cmd{}
			for _, name := range names {
				processes = append(processes, k.start(name))
			}
			for kill := range *kills {
				k.goOn(names)
				for _, firm := range k.firms {
					firm.server.ExpireTokens()
				}
				<-time.After(time.Duration(random.IntN(15_000)) * time.Microsecond)
				k.kill(names[kill%2], processes[kill%2])
				names[kill%2] = fmt.Sprint("process ", kill)
				processes[kill%2] = k.start(names[kill%2])
			}
			k.goOn(names)
			for i, name := range names {
				k.kill(name, processes[i])
			}
			assert.Empty(t, k.wrong)
			renewals := 0
			for _, firm := range k.firms {
				for token, times := range firm.spent {
					assert.Equal(t, 1, times, "a refresh token was sent again")
					renewals += times
					held, err := firm.store.Load(t.Context())
					require.NoError(t, err)
					assert.NotEqual(t, token, held.RefreshToken.Reveal(), "the last one is unspent")
				}
			}
			assert.Greater(t, renewals, *kills)
			t.Logf("%d kills, %d renewals", *kills, renewals)
		})
	}
}

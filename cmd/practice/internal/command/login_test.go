package command

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	gokeyring "github.com/zalando/go-keyring"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/atomicfile"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// visit simulates the user of the embedded service, who grants everything.
func visit(address string) {
	page, err := http.Get(address)
	if err == nil {
		_ = page.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
}

// stranger is an embedded service and a machine on which no user has signed in.
type stranger struct {
	*practicetest.Server
	env map[string]string
}

func newStranger(t testing.TB, opts ...practicetest.Option) *stranger {
	t.Helper()
	server, err := practicetest.Start(append(opts, practicetest.WithMatters(2), practicetest.WithEvents(5), practicetest.WithStrict(true))...)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	return &stranger{server, map[string]string{"PRACTICE_CONFIG_DIR": filepath.Join(t.TempDir(), "practice")}}
}

// secrets returns the texts that no output may contain.
func (s *stranger) secrets() []string {
	own := s.Credentials()
	return slices.DeleteFunc([]string{own.ClientSecret, own.APIKey, own.AccessToken, own.RefreshToken}, func(secret string) bool { return secret == "" })
}

// addresses returns the flags with the URLs of the service.
func (s *stranger) addresses() []string {
	return []string{
		"--base-url", s.BaseURL(), "--authorize-url", s.AuthorizeURL(), "--token-url", s.TokenURL(), "--client-id", s.Credentials().ClientID,
	}
}

// environment returns the same as variables, with the secrets.
func (s *stranger) environment() map[string]string {
	own := s.Credentials()
	return map[string]string{
		"PRACTICE_BASE_URL": s.BaseURL(), "PRACTICE_AUTHORIZE_URL": s.AuthorizeURL(), "PRACTICE_TOKEN_URL": s.TokenURL(),
		"PRACTICE_CLIENT_ID": own.ClientID, "PRACTICE_CLIENT_SECRET": own.ClientSecret, "PRACTICE_API_KEY": own.APIKey,
	}
}

// run executes a command on the machine, with visit as its browser.
func (s *stranger) run(t testing.TB, stdin io.Reader, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	a := &app{Streams: Streams{stdin, &out, &err}, env: variables(t, s.env), open: func(address string) error { visit(address); return nil }}
	defer a.close()
	code := a.execute(t.Context(), args)
	for _, secret := range s.secrets() {
		assert.NotContains(t, out.String()+err.String(), secret, args)
	}
	return result{code, out.String(), err.String()}
}

// forgeConfig changes the configuration by hand.
func (s *stranger) forgeConfig(old, now string) error {
	path := filepath.Join(s.env["PRACTICE_CONFIG_DIR"], "config.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, bytes.ReplaceAll(text, []byte(old), []byte(now)), 0o600)
}

// login signs in with a profile.
func (s *stranger) login(t testing.TB, args ...string) result {
	t.Helper()
	own := s.Credentials()
	got := s.run(t, strings.NewReader(own.APIKey+"\n"+own.ClientSecret+"\n"), append(append([]string{"login"}, s.addresses()...), args...)...)
	require.Equal(t, exitDone, got.code, got.err)
	return got
}

// files returns the content of all files of the configuration folder.
func (s *stranger) files(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	folder := os.DirFS(s.env["PRACTICE_CONFIG_DIR"])
	require.NoError(t, fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(folder, name)
		if info, infoErr := entry.Info(); assert.NoError(t, infoErr) && runtime.GOOS != "windows" {
			assert.Equal(t, fs.FileMode(0o600), info.Mode().Perm(), name)
		}
		all[name] = string(text)
		return err
	}))
	return all
}

func TestASignInServesLaterCommandsUntilTheSignOut(t *testing.T) {
	for name, row := range map[string]struct {
		flags     []string
		encrypted bool
		opts      []practicetest.Option
	}{
		"with the browser":              {nil, true, nil},
		"without a keyring":             {[]string{"--no-keyring"}, false, nil},
		"as a program":                  {[]string{"--client-credentials"}, true, nil},
		"as a program in a file":        {[]string{"--client-credentials", "--no-keyring"}, false, nil},
		"with scopes":                   {[]string{"--scopes", "matters/read,firm/read"}, true, nil},
		"as a public client":            {nil, true, []practicetest.Option{practicetest.WithPublicClient(true)}},
		"with one-time refresh tokens":  {nil, true, []practicetest.Option{practicetest.WithOneTimeRefresh(true)}},
		"with a name for the profile":   {[]string{"--profile", "office"}, true, nil},
		"for an address on the machine": {[]string{"--redirect-url", "http://127.0.0.1:0/back"}, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			gokeyring.MockInit()
			s := newStranger(t, row.opts...)
			got := s.login(t, row.flags...)
			assert.Contains(t, got.err, "Signed in to ")
			assert.Empty(t, got.out)

			for file, text := range s.files(t) {
				if row.encrypted || file == "config.json" {
					for _, secret := range s.secrets() {
						assert.NotContains(t, text, secret, file)
					}
				}
			}
			for range 2 {
				listed := s.run(t, nil, "matters", "list", "-o", "jsonl")
				require.Equal(t, exitDone, listed.code, listed.err)
				s.ExpireTokens()
			}
			who := s.run(t, nil, "whoami", "-o", "json")
			require.Equal(t, exitDone, who.code, who.err)
			assert.Contains(t, who.out, s.BaseURL())
			assert.Contains(t, who.out, `"expires": "20`)
			if row.flags != nil && row.flags[0] == "--scopes" {
				assert.Contains(t, who.out, `"matters/read"`)
			}

			out := s.run(t, nil, "logout")
			require.Equal(t, exitDone, out.code, out.err)
			for file, text := range s.files(t) {
				assert.True(t, file == "config.json" || text == "", file)
			}
			gone := s.run(t, nil, "matters", "list")
			assert.Equal(t, exitNotAllowed, gone.code)
			assert.Contains(t, gone.err, "practice login")
		})
	}
}

// pastes answers the question for the redirect URL with that of a browser on
// another machine.
type pastes struct {
	*stranger
	asked *bytes.Buffer
	lines io.Reader
}

func (p *pastes) Read(into []byte) (int, error) {
	if p.lines == nil {
		address := regexp.MustCompile(`Sign in here: (\S+)`).FindStringSubmatch(p.asked.String())[1]
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		page, err := client.Get(address)
		if err != nil {
			return 0, err
		}
		_ = page.Body.Close()
		client.CloseIdleConnections()
		p.lines = strings.NewReader(page.Header.Get("Location") + "\n")
	}
	return p.lines.Read(into)
}

func TestASignInWithTheBrowserOfAnotherMachine(t *testing.T) {
	s := newStranger(t)
	for name, value := range s.environment() {
		s.env[name] = value
	}
	var out, said bytes.Buffer
	a := &app{Streams: Streams{&pastes{stranger: s, asked: &said}, &out, &said}, env: variables(t, s.env)}
	root := a.command()
	root.SetArgs([]string{"login", "--no-browser"})
	require.Equal(t, exitDone, a.report(root.ExecuteContext(t.Context())), said.String())
	assert.Contains(t, said.String(), "Signed in to ")
	assert.Contains(t, said.String(), "Commands use the environment while PRACTICE_BASE_URL is set. To use this profile, pass --profile default.")
	for name := range s.environment() {
		delete(s.env, name)
	}
	assert.Equal(t, exitDone, s.run(t, nil, "matters", "list").code)
}

func TestASignInThatFailsLeavesNothing(t *testing.T) {
	for name, row := range map[string]struct {
		stdin string
		flags []string
		code  int
		says  string
	}{
		"nobody gives the API key":       {"", nil, exitMisused, "API key is missing"},
		"a wrong API key":                {"wrong\nSECRET\n", nil, exitNotAllowed, "status 40"},
		"a wrong client secret":          {"KEY\nwrong\n", nil, exitNotAllowed, "invalid_client"},
		"a wrong secret of a program":    {"KEY\nwrong\n", []string{"--client-credentials"}, exitNotAllowed, "invalid_client"},
		"no secret of a program":         {"KEY\n", []string{"--client-credentials"}, exitMisused, "Client secret"},
		"a scope that there is not":      {"KEY\nSECRET\n", []string{"--scopes", "all"}, exitNotAllowed, "invalid_scope"},
		"a name that is a path":          {"KEY\nSECRET\n", []string{"--profile", "../x"}, exitMisused, "not a valid profile name"},
		"a name of capitals":             {"KEY\nSECRET\n", []string{"--profile", "Office"}, exitMisused, "not a valid profile name"},
		"an address without encryption":  {"KEY\nSECRET\n", []string{"--token-url", "http://example.test/token"}, exitMisused, "https"},
		"a secret is no argument":        {"", []string{"hush"}, exitMisused, "unexpected argument"},
		"a redirect to another machine":  {"KEY\nSECRET\n", []string{"--redirect-url", "http://example.test/"}, exitMisused, "this machine"},
		"an address that was not pasted": {"KEY\nSECRET\nhttp://127.0.0.1:8976/signed-in?code=x&state=y\n", []string{"--no-browser"}, exitNotAllowed, "state"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStranger(t)
			own := s.Credentials()
			stdin := strings.NewReplacer("KEY", own.APIKey, "SECRET", own.ClientSecret).Replace(row.stdin)
			var got result
			s.Tolerate(func() {
				got = s.run(t, strings.NewReader(stdin), append(append([]string{"login"}, s.addresses()...), row.flags...)...)
			})
			assert.Equal(t, row.code, got.code, got.err)
			assert.Contains(t, got.err, row.says)
			if _, err := os.Stat(s.env["PRACTICE_CONFIG_DIR"]); err == nil {
				for file, text := range s.files(t) {
					assert.Empty(t, text, file)
				}
			}
		})
	}
}

func TestASignInThatFailsLeavesTheOneBefore(t *testing.T) {
	s := newStranger(t)
	s.login(t)
	before := s.files(t)
	var failed result
	s.Tolerate(func() {
		failed = s.run(t, strings.NewReader("wrong\n"+s.Credentials().ClientSecret+"\n"), append([]string{"login"}, s.addresses()...)...)
	})
	assert.Equal(t, exitNotAllowed, failed.code)
	assert.Equal(t, before, s.files(t))
	assert.Equal(t, exitDone, s.run(t, nil, "matters", "list").code)
}

func TestProfilesAreChosenAndRemoved(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--profile", "office")
	s.login(t, "--profile", "nightly", "--client-credentials", "--read-only")

	listed := s.run(t, nil, "config", "-o", "csv", "--columns", "name,current,readOnly")
	assert.Equal(t, "name,current,readOnly\nnightly,true,true\noffice,false,\n", listed.out)
	require.Equal(t, exitDone, s.run(t, nil, "config", "use", "office").code)
	assert.Contains(t, s.run(t, nil, "whoami").out, `"office"`)
	assert.Contains(t, s.run(t, nil, "--profile", "nightly", "whoami").out, `"nightly"`)
	s.env["PRACTICE_PROFILE"] = "nightly"
	assert.Contains(t, s.run(t, nil, "whoami").out, `"nightly"`)
	s.env["PRACTICE_PROFILE"] = "nightyl"
	assert.Contains(t, s.run(t, nil, "whoami").err, "did you mean nightly?")
	delete(s.env, "PRACTICE_PROFILE")

	require.Equal(t, exitDone, s.run(t, nil, "config", "remove", "office").code)
	assert.Equal(t, exitNotAllowed, s.run(t, nil, "whoami").code, "no profile is current")
	for file := range s.files(t) {
		assert.NotRegexp(t, `office\.json$`, file)
	}
	for _, wrong := range [][]string{{"config", "use"}, {"config", "use", "office"}, {"config", "read-only", "nightly", "maybe"}, {"config", "us", "x"}} {
		assert.Equal(t, exitMisused, s.run(t, nil, wrong...).code, wrong)
	}
}

// TestAConfigurationOfANewerVersionLosesNothing adds members that this version
// does not know: commands use the profiles, and none changes the file.
func TestAConfigurationOfANewerVersionLosesNothing(t *testing.T) {
	for _, member := range []string{`"current"`, `"baseUrl"`} {
		s := newStranger(t)
		s.login(t)
		require.NoError(t, s.forgeConfig(member, `"later": true, `+member))
		kept := s.files(t)
		require.Contains(t, kept["config.json"], "later")
		require.Equal(t, exitDone, s.run(t, nil, "matters", "list").code)
		s.ResetRequests()
		for _, line := range [][]string{{"login"}, {"config", "use", "default"}, {"config", "read-only", "default", "on"}, {"config", "remove", "default"}} {
			got := s.run(t, nil, line...)
			assert.Equal(t, exitFailed, got.code, line)
			assert.Contains(t, got.err, "written by another version of practice", line)
		}
		assert.Empty(t, s.Requests(), "nobody is signed in for nothing")
		assert.Equal(t, kept, s.files(t))
	}
}

func TestAConfigurationMayBeginWithAByteOrderMark(t *testing.T) {
	s := newStranger(t)
	s.login(t)
	require.NoError(t, s.forgeConfig("{\n  \"current\"", "\ufeff{\n  \"current\""))
	assert.Equal(t, exitDone, s.run(t, nil, "matters", "list").code)
	assert.Equal(t, exitDone, s.run(t, nil, "config", "read-only", "default", "on").code)
}

func TestAProfileThatIsReadOnlySendsNoWrite(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--read-only")
	s.ResetRequests()
	matter := s.Firm().MatterID
	for _, write := range [][]string{
		{"memos", "create", matter, "--set", "title=x"}, {"matters", "delete", matter, "--yes"}, {"api", "POST", "/matters"}, {"api", "DELETE", "/matters/" + matter, "--yes"},
	} {
		got := s.run(t, nil, write...)
		assert.Equal(t, exitNotAllowed, got.code, write)
		assert.Contains(t, got.err, "profile default")
		assert.Contains(t, got.err, "To allow writes, run practice config read-only default off.")
		s.env["PRACTICE_READ_ONLY"] = "1"
		got = s.run(t, nil, write...)
		delete(s.env, "PRACTICE_READ_ONLY")
		assert.Equal(t, exitNotAllowed, got.code, write)
		assert.Contains(t, got.err, "PRACTICE_READ_ONLY blocks writes.")
	}
	assert.Empty(t, s.Requests())
	assert.Equal(t, exitDone, s.run(t, nil, "api", "GET", "/matters").code)
	require.Equal(t, exitDone, s.run(t, nil, "config", "read-only", "default", "off").code)
	memo := []string{"memos", "create", matter, "--set", "title=x", "--set", "text=y"}
	s.env["PRACTICE_READ_ONLY"] = "1"
	assert.Equal(t, exitNotAllowed, s.run(t, nil, memo...).code, "the variable is of every profile")
	delete(s.env, "PRACTICE_READ_ONLY")
	assert.Equal(t, exitDone, s.run(t, nil, memo...).code)
}

func TestTheEnvironmentIsAProfile(t *testing.T) {
	s := newStranger(t)
	own := s.Credentials()
	base := map[string]string{"PRACTICE_BASE_URL": s.BaseURL(), "PRACTICE_API_KEY": own.APIKey}
	for name, row := range map[string]struct {
		more map[string]string
		code int
		says string
	}{
		"a token":               {map[string]string{"PRACTICE_ACCESS_TOKEN": own.AccessToken}, exitDone, ""},
		"client credentials":    {map[string]string{"PRACTICE_TOKEN_URL": s.TokenURL(), "PRACTICE_CLIENT_ID": own.ClientID, "PRACTICE_CLIENT_SECRET": own.ClientSecret}, exitDone, ""},
		"nothing of a token":    {nil, exitMisused, "PRACTICE_ACCESS_TOKEN or all of PRACTICE_TOKEN_URL"},
		"no API key":            {map[string]string{"PRACTICE_API_KEY": ""}, exitMisused, "PRACTICE_API_KEY"},
		"a profile by its name": {map[string]string{"PRACTICE_PROFILE": "office"}, exitMisused, "does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{}
			for _, from := range []map[string]string{base, row.more} {
				for name, value := range from {
					env[name] = value
				}
			}
			got := execute(t, "", env, "matters", "list", "-o", "jsonl")
			assert.Equal(t, row.code, got.code, got.err)
			assert.Contains(t, got.err, row.says)
		})
	}
	t.Run("it is read-only", func(t *testing.T) {
		env := map[string]string{"PRACTICE_ACCESS_TOKEN": own.AccessToken, "PRACTICE_READ_ONLY": "yes"}
		for name, value := range base {
			env[name] = value
		}
		assert.Equal(t, exitNotAllowed, execute(t, "", env, "memos", "create", s.Firm().MatterID, "--set", "title=x").code)
		assert.Contains(t, execute(t, "", env, "whoami").out, `"environment"`)
	})
}

// A one-time refresh token is used once, however many commands find that the
// access token has expired.
func TestTokensAreRenewedOnceForAllCommands(t *testing.T) {
	s := newStranger(t, practicetest.WithOneTimeRefresh(true))
	s.login(t)
	for range 3 {
		s.ExpireTokens()
		s.ResetRequests()
		var running sync.WaitGroup
		for range 4 {
			running.Go(func() {
				got := s.run(t, nil, "matters", "list")
				assert.Equal(t, exitDone, got.code, got.err)
			})
		}
		running.Wait()
		renewals := 0
		for _, request := range s.Requests() {
			if request.Part == practicetest.PartToken {
				renewals++
			}
		}
		assert.Equal(t, 1, renewals)
	}
}

func TestADryRunReadsNoSecrets(t *testing.T) {
	s := newStranger(t)
	s.login(t)
	for file := range s.files(t) {
		if file != "config.json" {
			require.NoError(t, atomicfile.WriteFile(filepath.Join(s.env["PRACTICE_CONFIG_DIR"], file), []byte("broken")))
		}
	}
	s.ResetRequests()
	got := s.run(t, nil, "matters", "list", "--dry-run")
	assert.Equal(t, exitDone, got.code, got.err)
	assert.Contains(t, got.out, "GET "+s.BaseURL()+"/matters")
	assert.Empty(t, s.Requests())
}

func TestACrashShowsNoSecret(t *testing.T) {
	var said bytes.Buffer
	a := &app{Streams: Streams{Err: &said}}
	a.hide(keysOf("hush")...)
	a.wrote = written{class: practice.OperationCreate, sending: true}
	assert.Equal(t, exitUnknown, a.report(phaseSend.of(defect{broken: "a panic with hush in it"})))
	assert.NotContains(t, said.String(), "hush")
	assert.Contains(t, said.String(), "a panic with")
}

func keysOf(texts ...string) (all []models.Secret) {
	for _, text := range texts {
		all = append(all, models.NewSecret(text))
	}
	return all
}

package command

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The key, the secret and the user of the other firm in these tests.
const otherKey, otherSecret = "key-of-the-other-firm", "secret-of-the-other-firm"

// received returns what a service was sent: headers and bodies.
func (s *stranger) received() string {
	var b strings.Builder
	for _, r := range s.Requests() {
		for name, values := range r.Header {
			b.WriteString(name + ": " + strings.Join(values, " ") + "\n")
		}
		b.WriteString(r.Path + "?" + r.RawQuery + "\n" + string(r.Body) + "\n")
	}
	return b.String()
}

// TestNoSecretGoesToAnAddressThatItWasNotGivenWith signs in to one firm and
// tries to make the program send its secrets to another one, and those of the
// environment to either.
func TestNoSecretGoesToAnAddressThatItWasNotGivenWith(t *testing.T) {
	mine := newStranger(t)
	mine.login(t, "--profile", "office", "--client-credentials", "--no-keyring")
	kept := mine.files(t)
	other := newStranger(t)
	flag := func(name string) []string {
		i := slices.Index(other.addresses(), name)
		return other.addresses()[i : i+2]
	}
	for name, row := range map[string]struct {
		flags []string
		env   map[string]string
		stdin string
		says  string
	}{
		"another service":           {flags: flag("--base-url"), says: "--token-url is missing"},
		"another token endpoint":    {flags: flag("--token-url"), says: "--base-url is missing"},
		"two of three":              {flags: slices.Concat(flag("--base-url"), flag("--token-url")), says: "--client-id is missing"},
		"all of another firm":       {flags: other.addresses(), says: "API key is missing"},
		"a key of the environment":  {env: map[string]string{"PRACTICE_API_KEY": otherKey}, says: "PRACTICE_API_KEY does not belong to the URLs and client id of profile office"},
		"a secret of it":            {env: map[string]string{"PRACTICE_CLIENT_SECRET": otherSecret}, says: "PRACTICE_CLIENT_SECRET does not belong to"},
		"flags and its key":         {flags: other.addresses(), env: map[string]string{"PRACTICE_API_KEY": otherKey}, says: "unset it"},
		"flags and its address":     {flags: slices.Concat([]string{"--profile", "new"}, flag("--token-url")), env: map[string]string{"PRACTICE_BASE_URL": other.BaseURL()}, says: "--base-url is missing: all settings of a profile must come from the same source"},
		"an address and a lone key": {flags: slices.Concat([]string{"--profile", "new"}, other.addresses()), env: map[string]string{"PRACTICE_API_KEY": otherKey}, says: "unset it"},
	} {
		t.Run(name, func(t *testing.T) {
			mine.ResetRequests()
			other.ResetRequests()
			env := maps.Clone(mine.env)
			maps.Copy(env, row.env)
			for _, more := range [][]string{nil, {"--dry-run"}} {
				line := slices.Concat([]string{"login", "--profile", "office", "--client-credentials", "--no-keyring"}, row.flags, more)
				got := execute(t, row.stdin, env, line...)
				assert.Equal(t, exitMisused, got.code, got.err)
				if more == nil {
					assert.Contains(t, got.err, row.says)
				}
			}
			assert.Empty(t, mine.received(), "exit 2: nothing was sent")
			assert.Empty(t, other.received())
			assert.Equal(t, kept, mine.files(t), "nothing is changed")
		})
	}
	assert.Equal(t, exitDone, mine.run(t, nil, "--profile", "office", "matters", "list").code)
}

// TestAProfileThatWasChangedByHandSendsNoSecret moves the address of a profile
// in its file, as a foreign or torn configuration could.
func TestAProfileThatWasChangedByHandSendsNoSecret(t *testing.T) {
	for _, encrypted := range []string{"--no-keyring=false", "--no-keyring"} {
		mine, other := newStranger(t), newStranger(t)
		mine.login(t, encrypted)
		require.NoError(t, mine.forgeConfig(mine.BaseURL(), other.BaseURL()))
		got := mine.run(t, nil, "matters", "list")
		assert.Equal(t, exitNotAllowed, got.code, got.err)
		assert.Contains(t, got.err, "another URL")
		assert.Empty(t, other.received())
	}
}

// TestASignInAsksTheService signs in with a wrong secret while the tokens of
// the right one are stored.
func TestASignInAsksTheService(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--client-credentials")
	s.ResetRequests()
	var got result
	s.Tolerate(func() {
		got = s.run(t, strings.NewReader(s.Credentials().APIKey+"\nwrong\n"), append([]string{"login", "--client-credentials"}, s.addresses()...)...)
	})
	assert.Equal(t, exitNotAllowed, got.code, got.err)
	assert.NotEmpty(t, s.Requests())
	assert.Equal(t, exitDone, s.run(t, nil, "matters", "list").code, "the one before is kept")

	s.ResetRequests()
	again := s.run(t, nil, "login")
	require.Equal(t, exitDone, again.code, again.err)
	assert.Len(t, s.Requests(), 2, "a token and the firm")
}

func TestAProfileChangesItsWayOfSigningIn(t *testing.T) {
	s := newStranger(t)
	s.login(t)
	got := s.run(t, nil, "login", "--client-credentials")
	require.Equal(t, exitDone, got.code, got.err)
	assert.Contains(t, s.files(t)["config.json"], grantClient)
	assert.Equal(t, exitDone, s.run(t, nil, "matters", "list").code)
	got = s.run(t, nil, "login", "--client-credentials=false")
	require.Equal(t, exitDone, got.code, got.err)
	assert.Contains(t, s.files(t)["config.json"], grantCode)
	assert.Equal(t, exitDone, s.run(t, nil, "matters", "list").code)
}

func TestWhoamiSpeaksOfTheProfileThatCommandsUse(t *testing.T) {
	s := newStranger(t)
	s.login(t)
	jwt := "e30.eyJzdWIiOiJzb21lYm9keSBlbHNlIn0.x" // {"sub":"somebody else"}
	s.env["PRACTICE_ACCESS_TOKEN"] = jwt
	for _, line := range [][]string{{"whoami", "--profile", "default"}, {"whoami", "--sandbox"}} {
		got := s.run(t, nil, line...)
		require.Equal(t, exitDone, got.code, got.err)
		assert.NotContains(t, got.out, "somebody else", line)
	}
	s.env["PRACTICE_BASE_URL"], s.env["PRACTICE_API_KEY"] = s.BaseURL(), s.Credentials().APIKey
	got := s.run(t, nil, "logout")
	assert.Equal(t, exitMisused, got.code, "commands use the environment")
	assert.Contains(t, got.err, "--profile")
	assert.Equal(t, exitMisused, s.run(t, nil, "whoami", "--sandbox", "--profile", "default").code)
	used := s.run(t, nil, "config", "use", "default")
	assert.Contains(t, used.err, "PRACTICE_BASE_URL is set")
}

func TestADryRunStartsNoSignIn(t *testing.T) {
	s := newStranger(t)
	s.login(t)
	kept := s.files(t)
	s.ResetRequests()
	for _, line := range [][]string{
		append([]string{"login"}, s.addresses()...), {"logout"}, {"config", "remove", "default"}, {"config", "use", "default"},
	} {
		assert.Equal(t, exitMisused, s.run(t, strings.NewReader("a\nb\n"), append(line, "--dry-run")...).code, line)
	}
	assert.Equal(t, exitDone, s.run(t, nil, "whoami", "--dry-run").code)
	assert.Empty(t, s.Requests())
	assert.Equal(t, kept, s.files(t))
}

package setup

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// environment holds variables by their names without the prefix.
func environment(variables map[string]string) Env {
	return func(name string) string {
		for short, value := range variables {
			if Variable(short) == name {
				return value
			}
		}
		return ""
	}
}

func TestWithoutABaseAddressTheEmbeddedServiceIsStarted(t *testing.T) {
	t.Parallel()
	env := environment(map[string]string{"STAFF_ID": " chosen ", "API_KEY": "not for it"})
	service, err := Open(env, Options{Program: "test", Service: []practicetest.Option{practicetest.WithEvents(3)}})
	require.NoError(t, err)
	assert.True(t, service.Embedded)
	assert.True(t, Loopback(service.BaseURL))
	assert.Equal(t, "chosen", service.ID("STAFF_ID"), "a variable wins")
	assert.NotEmpty(t, service.ID("MATTER_ID"), "the firm is known")
	assert.Empty(t, service.ID("NONSENSE"))
	page, err := service.Client.Events.List(t.Context(), practice.EventListOptions{})
	require.NoError(t, err)
	assert.LessOrEqual(t, len(page.Items), 3, "the settings of the service count")
	require.NoError(t, service.Close())
	_, err = service.Client.Events.List(t.Context(), practice.EventListOptions{}, practice.WithRetries(0))
	assert.Error(t, err, "it has ended")
}

func TestTheVariablesNameAService(t *testing.T) {
	t.Parallel()
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	c := server.Credentials()
	token := map[string]string{"BASE_URL": server.BaseURL(), "API_KEY": c.APIKey, "ACCESS_TOKEN": c.AccessToken}
	credentials := map[string]string{
		"BASE_URL": server.BaseURL(), "API_KEY": c.APIKey, "TOKEN_URL": server.TokenURL(), "CLIENT_ID": c.ClientID, "CLIENT_SECRET": c.ClientSecret,
	}
	both := maps.Clone(credentials)
	both["ACCESS_TOKEN"] = "of yesterday"
	tests := map[string]struct {
		variables map[string]string
		signIn    string
	}{
		"an access token":           {token, "an access token"},
		"client credentials":        {credentials, "client credentials"},
		"both, and the former wins": {both, "client credentials"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			service, err := Open(environment(tt.variables), Options{Program: "test-program"})
			require.NoError(t, err)
			assert.Equal(t, tt.signIn, service.SignIn)
			assert.False(t, service.Embedded)
			assert.Empty(t, service.ID("MATTER_ID"), "the firm is not known")
			_, err = service.Client.Webhooks.ListTypes(t.Context(), practice.EventTypeListOptions{})
			require.NoError(t, err)
			require.NoError(t, service.Close())
			sent := server.Requests()
			assert.Contains(t, sent[len(sent)-1].Header.Get("User-Agent"), "test-program ")
		})
	}
	assert.Empty(t, server.Violations())
}

func TestWhatIsMissingIsNamedAndNoSecretIs(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t"
	tests := map[string]struct {
		variables map[string]string
		says      string
	}{
		"the api key": {
			map[string]string{"ACCESS_TOKEN": secret},
			"PRACTICE_BASE_URL is set, but PRACTICE_API_KEY is not",
		},
		"any sign-in": {
			map[string]string{"API_KEY": secret},
			"PRACTICE_BASE_URL is set, but PRACTICE_TOKEN_URL, PRACTICE_CLIENT_ID, PRACTICE_CLIENT_SECRET is not; PRACTICE_ACCESS_TOKEN would do as well",
		},
		"a part of the client credentials": {
			map[string]string{"API_KEY": secret, "CLIENT_ID": "me", "CLIENT_SECRET": secret},
			"PRACTICE_BASE_URL is set, but PRACTICE_TOKEN_URL is not; PRACTICE_ACCESS_TOKEN would do as well",
		},
		"a scheme that keeps secrets": {
			map[string]string{"API_KEY": secret, "ACCESS_TOKEN": secret, "BASE_URL": "http://practice.example.test"},
			"must have the scheme https",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			variables := map[string]string{"BASE_URL": "https://practice.example.test"}
			maps.Copy(variables, tt.variables)
			_, err := Open(environment(variables), Options{Program: "test"})
			require.ErrorContains(t, err, tt.says)
			assert.NotContains(t, err.Error(), secret)
		})
	}
}

func TestTheIdentifiersAreThoseThatTheSandboxPrints(t *testing.T) {
	t.Parallel()
	server, err := practicetest.Start()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	ids := identifiers(server)
	for _, fact := range operations.Facts(server.Firm()) {
		assert.NotEmpty(t, ids[fact.Name], fact.Name)
	}
	assert.Equal(t, server.Firm().MatterID, ids["MATTER_ID"])
	assert.Equal(t, server.Credentials().UserID, ids["USER_ID"])
}

func TestLoopbackIsThisMachineOnly(t *testing.T) {
	t.Parallel()
	for address, here := range map[string]bool{
		"http://127.0.0.1:8080/v1": true, "http://127.8.9.10": true, "http://[::1]:80": true, "http://localhost/v1": true,
		"http://api.localhost": true, "https://practice.example.test": false, "http://localhost.example.test": false,
		"https://127.0.0.1.example.test": false, "http://10.0.0.1": false, "http://0.0.0.0": false, "": false, "http://%zz": false,
		"http://127.0.0.1@practice.example.test": false,
	} {
		assert.Equal(t, here, Loopback(address), address)
	}
}

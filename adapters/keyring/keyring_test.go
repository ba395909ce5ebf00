package keyring_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	gokeyring "github.com/zalando/go-keyring"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/keyring"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) {
	gokeyring.MockInit() // a keyring in memory instead of that of the developer
	goleak.VerifyTestMain(m)
}

func save(t *testing.T, file auth.TokenFile, text string) error {
	t.Helper()
	unlock, err := file.Lock(t.Context())
	require.NoError(t, err)
	defer unlock()
	return file.Save(t.Context(), auth.Tokens{Owner: "o", RefreshToken: models.NewSecret(text)})
}

func TestTheKeyringHoldsTheKeyAndTheFileTheTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	empty, err := keyring.TokenFile(path, "program", t.Name()).Load(t.Context())
	require.NoError(t, err)
	assert.Zero(t, empty)
	_, err = gokeyring.Get("program", t.Name())
	require.ErrorIs(t, err, gokeyring.ErrNotFound, "nothing is made before it is needed")

	require.NoError(t, save(t, keyring.TokenFile(path, "program", t.Name()), "hush"))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(content), "hush")
	held, err := keyring.TokenFile(path, "program", t.Name()).Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "hush", held.RefreshToken.Reveal())

	_, err = keyring.TokenFile(path, "program", "another").Load(t.Context())
	require.ErrorContains(t, err, "another key")
}

func TestAnEntryThatIsNoKeyIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	require.NoError(t, gokeyring.Set("program", t.Name(), "a password of somebody"))
	require.ErrorIs(t, save(t, keyring.TokenFile(path, "program", t.Name()), "hush"), keyring.ErrKey)
	assert.NoFileExists(t, path)
	kept, err := gokeyring.Get("program", t.Name())
	require.NoError(t, err)
	assert.Equal(t, "a password of somebody", kept, "and not overwritten")
}

func TestAClientKeepsItsTokensThere(t *testing.T) {
	server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
	file := keyring.TokenFile(filepath.Join(t.TempDir(), "tokens.json"), "program", t.Name())
	for range 3 {
		client := server.Client(t, practice.WithTokens(auth.Source{Store: file, Credentials: auth.RefreshCredentials{
			TokenURL: server.TokenURL(), ClientID: server.Credentials().ClientID,
			ClientSecret: models.NewSecret(server.Credentials().ClientSecret), RefreshToken: models.NewSecret(server.Credentials().RefreshToken),
		}}))
		_, err := client.Webhooks.ListTypes(t.Context(), practice.EventTypeListOptions{})
		require.NoError(t, err)
	}
	asked := 0
	for _, request := range server.Requests() {
		if request.Part == practicetest.PartToken {
			asked++
		}
	}
	assert.Equal(t, 1, asked)
}

func TestAKeyringThatFails(t *testing.T) {
	locked := errors.New("locked")
	gokeyring.MockInitWithError(locked)
	t.Cleanup(gokeyring.MockInit)
	_, err := keyring.Key("program", t.Name())(t.Context())
	require.ErrorIs(t, err, locked)
}

func TestNothingIsAskedAfterTheContextHasEnded(t *testing.T) {
	gone := errors.New("the user has gone")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	_, err := keyring.Key("program", t.Name())(ended)
	require.ErrorIs(t, err, gone)
	_, err = gokeyring.Get("program", t.Name())
	require.ErrorIs(t, err, gokeyring.ErrNotFound)
}

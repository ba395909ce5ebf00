package auth_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
)

func someTokens(text string) auth.Tokens {
	return auth.Tokens{Owner: "o", AccessToken: models.NewSecret("access-" + text), RefreshToken: models.NewSecret("refresh-" + text)}
}

func keyOf(text byte) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) { return bytes.Repeat([]byte{text}, 32), nil }
}

func save(t *testing.T, file auth.TokenFile, tokens auth.Tokens) {
	t.Helper()
	unlock, err := file.Lock(t.Context())
	require.NoError(t, err)
	defer unlock()
	require.NoError(t, file.Save(t.Context(), tokens))
}

func TestAFileOfTokensIsNeverReadHalfWritten(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]func(context.Context) ([]byte, error){"as text": nil, "encrypted": keyOf(1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json"), Key: key}
			empty, err := file.Load(t.Context())
			require.NoError(t, err)
			assert.Zero(t, empty)
			save(t, file, someTokens("0"))
			long := someTokens(string(bytes.Repeat([]byte("x"), 8000)))
			var writing sync.WaitGroup
			writing.Go(func() {
				for i := range 60 {
					save(t, file, []auth.Tokens{someTokens("0"), long}[i%2])
				}
			})
			for range 300 {
				held, err := file.Load(t.Context())
				require.NoError(t, err)
				assert.Contains(t, []string{someTokens("0").Reveal(), long.Reveal()}, held.Reveal())
			}
			writing.Wait()
		})
	}
}

func TestTheLockOfAFileHasOneHolder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
		unlock, err := file.Lock(t.Context())
		require.NoError(t, err)

		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = file.Lock(impatient)
		require.ErrorIs(t, err, context.DeadlineExceeded)

		began := time.Now()
		time.AfterFunc(10*time.Second, unlock)
		second, err := file.Lock(t.Context())
		require.NoError(t, err)
		second()
		assert.InDelta(t, 10, time.Since(began).Seconds(), 0.5)
	})
}

func TestAnEncryptedFileOfTokensShowsNothing(t *testing.T) {
	t.Parallel()
	file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json"), Key: keyOf(1)}
	save(t, file, someTokens("1"))
	first, err := os.ReadFile(file.Path)
	require.NoError(t, err)
	assert.NotContains(t, string(first), "ccess")
	save(t, file, someTokens("1"))
	second, err := os.ReadFile(file.Path)
	require.NoError(t, err)
	assert.NotEqual(t, first, second, "not even that nothing has changed")
	held, err := file.Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, someTokens("1").Reveal(), held.Reveal())
}

func TestAFileOfTokensThatCannotBeRead(t *testing.T) {
	t.Parallel()
	locked := errors.New("the keyring is locked")
	withoutKey := func(context.Context) ([]byte, error) { return nil, locked }
	shortKey := func(context.Context) ([]byte, error) { return []byte("short"), nil }
	sealed := auth.TokenFile{Path: filepath.Join(t.TempDir(), "sealed.json"), Key: keyOf(1)}
	save(t, sealed, someTokens("hush"))
	encrypted, err := os.ReadFile(sealed.Path)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		content string
		key     func(context.Context) ([]byte, error)
		says    string
	}{
		"no JSON":                              {`hush`, nil, "does not contain tokens"},
		"empty, as after a power failure":      {``, nil, "does not contain tokens"},
		"JSON without tokens":                  {`{"hush":1}`, nil, "does not contain tokens"},
		"encrypted, and there is no key":       {string(encrypted), nil, "does not contain tokens"},
		"encrypted with another key":           {string(encrypted), keyOf(2), "another key"},
		"changed by somebody without the key":  {`{"sealed":"aHVzaA=="}`, keyOf(1), "another key"},
		"not encrypted, as it should be":       {someTokens("hush").Reveal(), keyOf(1), "another key"},
		"no JSON where it should be encrypted": {`hush`, keyOf(1), "another key"},
		"the key cannot be had":                {string(encrypted), withoutKey, "the keyring is locked"},
		"a key of no good length":              {string(encrypted), shortKey, "invalid key size"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json"), Key: test.key}
			require.NoError(t, os.WriteFile(file.Path, []byte(test.content), 0o600))
			_, err := file.Load(t.Context())
			require.ErrorContains(t, err, test.says)
			assert.NotContains(t, err.Error(), "hush")
			if test.key == nil {
				save(t, file, someTokens("fresh")) // a new sign-in replaces the tokens
				_, err := file.Load(t.Context())
				require.NoError(t, err)
			}
		})
	}
	for _, key := range []func(context.Context) ([]byte, error){withoutKey, shortKey} {
		file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json"), Key: key}
		require.Error(t, file.Save(t.Context(), someTokens("1")))
		assert.NoFileExists(t, file.Path)
	}
}

func TestAFileOfTokensInAnImpossiblePlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	for _, path := range []string{filepath.Join(dir, "file", "tokens.json"), dir} {
		file := auth.TokenFile{Path: path}
		unlock, err := file.Lock(t.Context())
		if err == nil {
			err = file.Save(t.Context(), someTokens("1"))
			unlock()
		}
		require.Error(t, err)
		_, err = file.Load(t.Context())
		require.Error(t, err)
		assert.NoFileExists(t, path+".new")
	}
}

// Package sqltokens tests the store of package auth/authsql in a real database.
package sqltokens

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite" // the driver, in pure Go

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/auth/authsql"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// opened opens a file like a separate process, with its own pool.
func opened(t *testing.T, path string, options authsql.Options) *authsql.Database {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=busy_timeout(60000)&_txlock=immediate")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	tokens, err := authsql.Open(t.Context(), db, options)
	require.NoError(t, err)
	return tokens
}

func TestTwoProcessesSpendEachRefreshTokenOnce(t *testing.T) {
	t.Parallel()
	for style, numbered := range map[string]bool{"question marks": false, "numbers": true} {
		t.Run(style, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "tokens.db")
			server := practicetest.New(t, practicetest.WithOneTimeRefresh(true))
			grant := testkit.RefreshGrant(server)
			var clients []*practice.Client
			for range 2 {
				store := opened(t, path, authsql.Options{Numbered: numbered}).Store("firm 1")
				clients = append(clients, server.Client(t, practice.WithTokens(auth.Source{Credentials: grant, Store: store})))
			}
			for range 10 {
				var calls sync.WaitGroup
				for _, client := range clients {
					for range 3 {
						calls.Go(func() { assert.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))) })
					}
				}
				calls.Wait()
				server.ExpireTokens()
			}
			assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), 10)
		})
	}
}

func TestUsersAndTablesAreApart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens.db")
	stores := map[string]*authsql.Store{}
	for _, table := range []string{"", "others"} {
		tokens := opened(t, path, authsql.Options{Table: table})
		for _, firm := range []string{"firm 1", "Firm 1", "firm 2", "'; DROP TABLE auth_tokens; --"} {
			stores[table+" "+firm] = tokens.Store(firm)
		}
	}
	for name, store := range stores {
		held, err := store.Load(t.Context())
		require.NoError(t, err)
		assert.Zero(t, held, "before the first sign-in")
		unlock, err := store.Lock(t.Context())
		require.NoError(t, err, "the lock of another user does not count")
		defer unlock()
		require.NoError(t, store.Save(t.Context(), auth.Tokens{Owner: "o", RefreshToken: models.NewSecret(name)}))
	}
	for name, store := range stores {
		held, err := store.Load(t.Context())
		require.NoError(t, err)
		assert.Equal(t, name, held.RefreshToken.Reveal())
	}
	first := stores[" firm 1"]
	require.NoError(t, first.Delete(t.Context()))
	held, err := first.Load(t.Context())
	require.NoError(t, err)
	assert.Zero(t, held)
	require.NoError(t, first.Save(t.Context(), auth.Tokens{RefreshToken: models.NewSecret("r")}), "it has still the lock")
}

// TestALockOfADeadProcessEndsAndItsHolderIsFenced checks a process that stands
// still for longer than its lease and then goes on.
func TestALockOfADeadProcessEndsAndItsHolderIsFenced(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "tokens.db")
		still, other := opened(t, path, authsql.Options{}).Store("firm"), opened(t, path, authsql.Options{}).Store("firm")
		unlockStill, err := still.Lock(t.Context())
		require.NoError(t, err)

		ctx, cancel := context.WithTimeout(t.Context(), authsql.DefaultLease-time.Second)
		defer cancel()
		_, err = other.Lock(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		unlock, err := other.Lock(t.Context())
		require.NoError(t, err)
		require.NoError(t, other.Save(t.Context(), auth.Tokens{RefreshToken: models.NewSecret("new")}))

		require.ErrorIs(t, still.Save(t.Context(), auth.Tokens{RefreshToken: models.NewSecret("old")}), authsql.ErrOvertaken)
		unlockStill()
		require.NoError(t, other.Save(t.Context(), auth.Tokens{RefreshToken: models.NewSecret("new")}), "the unlock of the former holder changes nothing")
		unlock()
		held, err := still.Load(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "new", held.RefreshToken.Reveal())
		require.ErrorIs(t, still.Save(t.Context(), held), authsql.ErrOvertaken, "without a lock")
	})
}

func TestATableHasAPlainName(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(t.TempDir(), "tokens.db")))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	for _, name := range []string{"a b", `"a"`, "a;b", "1a", "%"} {
		_, err := authsql.Open(t.Context(), db, authsql.Options{Table: name})
		require.ErrorContains(t, err, "no name of a table", fmt.Sprint(name))
	}
}

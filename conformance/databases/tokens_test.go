package databases_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/auth/authsql"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// tokens opens the tokens like a process of its own.
func (p place) tokens(t *testing.T, options authsql.Options) *authsql.Database {
	t.Helper()
	options.Numbered = p.numbered
	tokens, err := authsql.Open(t.Context(), p.pool(t, 4), options)
	require.NoError(t, err)
	return tokens
}

func TestTwoProcessesSpendEachRefreshTokenOnce(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p place) {
		server := practicetest.New(t, practicetest.WithOneTimeRefresh(true))
		grant := testkit.RefreshGrant(server)
		var clients []*practice.Client
		for range 2 {
			store := p.tokens(t, authsql.Options{}).Store("firm 1")
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

func TestUsersAndTablesAreApart(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p place) {
		stores := map[string]*authsql.Store{}
		for _, table := range []string{"", "others"} {
			tokens := p.tokens(t, authsql.Options{Table: table})
			for _, firm := range []string{"firm 1", "Firm 1", "firm 1 ", "firm 2", "", "'; DROP TABLE auth_tokens; --"} {
				stores[table+"/"+firm] = tokens.Store(firm)
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
		first := stores["/firm 1"]
		require.NoError(t, first.Delete(t.Context()))
		held, err := first.Load(t.Context())
		require.NoError(t, err)
		assert.Zero(t, held)
		require.NoError(t, first.Save(t.Context(), auth.Tokens{RefreshToken: models.NewSecret("r")}), "it has still the lock")
	})
}

// TestALockOfADeadProcessEndsAndItsHolderIsFenced checks a process that stands
// still for longer than its lease and then goes on.
func TestALockOfADeadProcessEndsAndItsHolderIsFenced(t *testing.T) {
	t.Parallel()
	inBubbles(t, func(t *testing.T, p place) {
		still, other := p.tokens(t, authsql.Options{}).Store("firm"), p.tokens(t, authsql.Options{}).Store("firm")
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

func TestATableOfTokensHasAPlainName(t *testing.T) {
	t.Parallel()
	db := sqlite(t, false).pool(t, 1)
	for _, name := range []string{"a b", `"a"`, "a;b", "1a", "%"} {
		_, err := authsql.Open(t.Context(), db, authsql.Options{Table: name})
		require.ErrorContains(t, err, "not a valid table name")
	}
}

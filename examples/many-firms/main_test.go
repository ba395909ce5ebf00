package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/time/rate"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// replicas returns processes that share a database.
func replicas(t *testing.T, n int) (all []*replica) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokens.db")
	for range n {
		db, err := openDatabase(t.Context(), file, schema)
		require.NoError(t, err)
		r := &replica{db, rate.NewLimiter(rate.Inf, 1), map[string]*practice.Client{}}
		t.Cleanup(func() {
			for _, client := range r.clients {
				client.CloseIdleConnections()
			}
			require.NoError(t, db.Close())
		})
		all = append(all, r)
	}
	return all
}

func start(t *testing.T) (*practicetest.Server, app) {
	t.Helper()
	service, err := practicetest.Start(practicetest.WithStrict(true), practicetest.WithOneTimeRefresh(true))
	require.NoError(t, err)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		require.NoError(t, service.Close())
	})
	return service, appOf(service)
}

func TestReplicasSpendEachRefreshTokenOnce(t *testing.T) {
	t.Parallel()
	all := replicas(t, 4)
	service, a := start(t)
	require.NoError(t, a.signIn(t.Context(), newStore(all[0].db, "firm")))
	service.ResetRequests()
	const expiries = 5
	for range expiries {
		service.ExpireTokens()
		var visits sync.WaitGroup
		for _, r := range all {
			client, err := r.client("firm", a)
			require.NoError(t, err)
			for range 3 {
				visits.Go(func() {
					_, err := client.Firm.Get(t.Context())
					assert.NoError(t, err)
				})
			}
		}
		visits.Wait()
	}
	spent := map[string]int{}
	for _, request := range service.Requests() {
		if form, err := url.ParseQuery(string(request.Body)); err == nil && form.Get("grant_type") == "refresh_token" {
			spent[form.Get("refresh_token")]++
		}
	}
	assert.Len(t, spent, expiries)
	for _, times := range spent {
		assert.Equal(t, 1, times)
	}
}

func TestAFirmThatMustSignInAgainStopsNoOther(t *testing.T) {
	t.Parallel()
	r := replicas(t, 1)[0]
	for i := range 3 {
		firm := fmt.Sprint("firm ", i)
		service, a := start(t)
		if i > 0 { // the first one was never signed in
			require.NoError(t, a.signIn(t.Context(), newStore(r.db, firm)))
		}
		if i == 1 {
			service.RevokeRefreshToken()
		}
		service.ExpireTokens()
		found, err := r.visit(t.Context(), firm, a)
		require.NoError(t, err)
		assert.Equal(t, i < 2, found == "its user has to sign in again", found)
		require.NoError(t, a.signIn(t.Context(), newStore(r.db, firm)))
		again, err := r.visit(t.Context(), firm, a)
		require.NoError(t, err)
		assert.NotEqual(t, "its user has to sign in again", again, "a sign-in serves running clients")
	}
}

// The lease of a dead process delays the others, but only until it expires.
func TestTheLockOfADeadProcessEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens.db")
	synctest.Test(t, func(t *testing.T) {
		db, err := openDatabase(t.Context(), file, schema)
		require.NoError(t, err)
		defer db.Close()
		dead, living := newStore(db, "firm"), newStore(db, "firm")
		_, err = dead.Lock(t.Context())
		require.NoError(t, err)
		require.NoError(t, dead.Save(t.Context(), auth.Tokens{AccessToken: models.NewSecret("first")}))

		soon, cancel := context.WithTimeout(t.Context(), lease/2)
		defer cancel()
		_, err = living.Lock(soon)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		began := time.Now()
		unlock, err := living.Lock(t.Context())
		require.NoError(t, err)
		assert.LessOrEqual(t, time.Since(began), lease/2+time.Second)

		require.ErrorIs(t, dead.Save(t.Context(), auth.Tokens{AccessToken: models.NewSecret("late")}), errLockLost)
		unlock()
		require.ErrorIs(t, living.Save(t.Context(), auth.Tokens{}), errLockLost, "without the lock")
		tokens, err := living.Load(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "first", tokens.AccessToken.Reveal())
	})
}

package main

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/time/rate"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth/authsql"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// replicas returns processes that share a database.
func replicas(t *testing.T, n int) (all []*replica) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokens.db")
	for range n {
		db, err := openDatabase(t.Context(), file, "")
		require.NoError(t, err)
		tokens, err := authsql.Open(t.Context(), db, authsql.Options{})
		require.NoError(t, err)
		r := &replica{tokens, rate.NewLimiter(rate.Inf, 1), map[string]*practice.Client{}}
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
	require.NoError(t, a.signIn(t.Context(), all[0].tokens.Store("firm")))
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
			require.NoError(t, a.signIn(t.Context(), r.tokens.Store(firm)))
		}
		if i == 1 {
			service.RevokeRefreshToken()
		}
		service.ExpireTokens()
		found, err := r.visit(t.Context(), firm, a)
		require.NoError(t, err)
		assert.Equal(t, i < 2, found == "its user has to sign in again", found)
		require.NoError(t, a.signIn(t.Context(), r.tokens.Store(firm)))
		again, err := r.visit(t.Context(), firm, a)
		require.NoError(t, err)
		assert.NotEqual(t, "its user has to sign in again", again, "a sign-in serves running clients")
	}
}

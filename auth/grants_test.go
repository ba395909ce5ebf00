package auth_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAGrantThatCannotBeStoredIsToldAndKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		full := errors.New("the disk is full")
		stored, failing := "", true
		client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantStore: func(_ context.Context, g auth.Grant) error {
			if failing {
				return full
			}
			stored = g.RefreshToken.Reveal()
			return nil
		}}))
		err := testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))
		require.ErrorIs(t, err, full)
		_, ok := errors.AsType[*auth.TokenError](err)
		require.True(t, ok)
		assert.Empty(t, testkit.RequestsTo(server, practicetest.PartAPI), "the token is not used before its grant is stored")

		failing = false
		<-time.After(time.Minute)
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		assert.Len(t, testkit.RequestsTo(server, practicetest.PartToken), 1, "and no other one is asked for")
		assert.NotEmpty(t, stored)
	})
}

func TestAGrantStoreThatRepeatsTheRefreshTokenTellsNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		var secret string
		client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantStore: func(_ context.Context, g auth.Grant) error {
			secret = g.RefreshToken.Reveal()
			return fmt.Errorf("insert into grants values ('%s'): the disk is full", secret)
		}}))
		err := testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))
		_, ok := errors.AsType[*auth.GrantStoreError](err)
		require.True(t, ok)
		require.NotEmpty(t, secret)
		assert.NotContains(t, err.Error(), secret)
		assert.Contains(t, err.Error(), "the disk is full")
	})
}

func TestGrantHooksComeOneAtATimeAndInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		var running atomic.Int32
		var told []auth.Grant
		client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantHook: func(g auth.Grant) {
			assert.EqualValues(t, 1, running.Add(1))
			if g.First {
				<-time.After(3 * time.Hour) // the store takes three hours
			}
			told = append(told, g)
			running.Add(-1)
		}}))
		for range 3 {
			require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
			<-time.After(61 * time.Minute)
		}
		<-time.After(3 * time.Hour)
		synctest.Wait()
		require.Len(t, told, 3)
		assert.True(t, told[0].First)
		assert.False(t, told[1].First || told[2].First)
	})
}

func TestTheGrantHookFiresOnEveryNewGrant(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour), practicetest.WithOneTimeRefresh(true))
		var grants []auth.Grant
		var client *practice.Client
		var made sync.WaitGroup
		client = server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantHook: func(g auth.Grant) {
			grants = append(grants, g)
			// The hook may make a call, because the token is published and no
			// lock is held.
			assert.NoError(t, testkit.Discard(client.Webhooks.List(t.Context(), practice.WebhookSubscriptionListOptions{})))
			made.Done()
		}}))
		made.Add(1)
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		made.Wait()
		require.Len(t, grants, 1)
		assert.True(t, grants[0].First)
		first := grants[0].RefreshToken.Reveal()
		assert.NotEqual(t, server.Credentials().RefreshToken, first, "used once, replaced")

		made.Add(1)
		<-time.After(time.Hour)
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		made.Wait()
		require.Len(t, grants, 2)
		assert.False(t, grants[1].First)
		assert.NotEqual(t, first, grants[1].RefreshToken.Reveal())
	})
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithTokenLifetime(time.Hour))
		var fired atomic.Int32
		client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantHook: func(auth.Grant) { fired.Add(1) }}))
		for range 3 {
			require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
			<-time.After(time.Hour)
		}
		synctest.Wait()
		assert.EqualValues(t, 1, fired.Load(), "a kept refresh token is not a new grant")
	})
}

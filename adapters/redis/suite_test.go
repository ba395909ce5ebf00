package redis_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/webhooktest"
)

// opener opens a store on a server for one test of the suite, as seen by two
// processes.
func opener[S any](s *server, as func(*redis.Store) S) func(*testing.T, webhooktest.Conditions) webhooktest.Instance[S] {
	return func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[S] {
		options := []redis.Option{redis.WithPrefix(t.Name() + ":"), redis.WithRetention(c.Retention)}
		store, err := redis.NewStore(s.client(t), options...)
		require.NoError(t, err)
		other, err := redis.NewStore(s.client(t), options...)
		require.NoError(t, err)
		return webhooktest.Instance[S]{Store: as(store), Other: as(other)}
	}
}

// killable returns an opener whose instances have a server of their own, which
// Reopen kills and starts again.
func killable[S any](as func(*redis.Store) S) func(*testing.T, webhooktest.Conditions) webhooktest.Instance[S] {
	return func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[S] {
		s := startServer(t)
		i := opener(s, as)(t, c)
		i.Reopen = func() S {
			s.kill()
			require.True(t, s.start(t))
			return opener(s, as)(t, c).Store
		}
		return i
	}
}

func TestDeduplicatorPassesTheSuite(t *testing.T) {
	t.Parallel()
	webhooktest.Deduplicator(t, killable(func(s *redis.Store) webhook.Deduplicator { return s }))
}

func TestTrackerStorePassesTheSuite(t *testing.T) {
	t.Parallel()
	webhooktest.TrackerStore(t, opener(startServer(t), func(s *redis.Store) webhook.TrackerStore { return s }))
}

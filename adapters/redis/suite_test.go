package redis_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/webhooktest"
)

// opener opens a store on a server for one test of the suite, as two processes
// see it.
func opener[S any, R *T, T any](
	s *server, open func(goredis.UniversalClient, ...redis.StoreOption) (R, error), as func(R) S,
) func(*testing.T, webhooktest.Conditions) webhooktest.Instance[S] {
	return func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[S] {
		options := []redis.StoreOption{redis.WithPrefix(t.Name() + ":"), redis.WithRetention(c.Retention)}
		store, err := open(s.client(t), options...)
		require.NoError(t, err)
		other, err := open(s.client(t), options...)
		require.NoError(t, err)
		return webhooktest.Instance[S]{Store: as(store), Other: as(other)}
	}
}

func TestDeduplicatorPassesTheSuite(t *testing.T) {
	t.Parallel()
	webhooktest.Deduplicator(t, opener(startServer(t), redis.NewDeduplicator,
		func(d *redis.Deduplicator) webhook.Deduplicator { return d }))
}

func TestSequencerPassesTheSuite(t *testing.T) {
	t.Parallel()
	webhooktest.Sequencer(t, opener(startServer(t), redis.NewSequencer,
		func(s *redis.Sequencer) webhook.Sequencer { return s }))
}

func TestTrackerStorePassesTheSuite(t *testing.T) {
	t.Parallel()
	webhooktest.TrackerStore(t, opener(startServer(t), redis.NewTrackerStore,
		func(s *redis.TrackerStore) webhook.TrackerStore { return s }))
}

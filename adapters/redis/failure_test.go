package redis_test

import (
	"context"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

const key = "13eecfca569950019310bf202aba8df913eecfca569950019310bf202aba8df9"

func position(at models.Ticks) webhook.Position {
	return webhook.Position{Resource: key, Timestamp: at, Identity: key}
}

// stores are the stores of one process.
type stores struct {
	seen   *redis.Deduplicator
	order  *redis.Sequencer
	writes *redis.TrackerStore
}

func openStores(t *testing.T, s *server) stores {
	t.Helper()
	client := s.client(t)
	seen, err := redis.NewDeduplicator(client)
	require.NoError(t, err)
	order, err := redis.NewSequencer(client)
	require.NoError(t, err)
	writes, err := redis.NewTrackerStore(client)
	require.NoError(t, err)
	return stores{seen, order, writes}
}

// do calls every method, and checks every answer with check.
func (s stores) do(ctx context.Context, check func(name string, err error)) {
	_, err := s.seen.Claim(ctx, key, "a", time.Minute)
	check("claim", err)
	check("commit", s.seen.Commit(ctx, key))
	check("release", s.seen.Release(ctx, key, "a"))
	_, err = s.order.Check(ctx, position(1))
	check("check", err)
	check("advance", s.order.Advance(ctx, position(1)))
	check("register", s.writes.Register(ctx, key, time.Now()))
	check("record", s.writes.Record(ctx, key, webhook.TrackedEvent{Type: "n"}))
	_, err = s.writes.Load(ctx, key)
	check("load", err)
}

func TestWithoutRedisNothingIsGuessed(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	all := openStores(t, s)
	all.do(t.Context(), func(name string, err error) { require.NoError(t, err, name) })
	require.NoError(t, all.order.Advance(t.Context(), position(2)))

	s.kill()
	all.do(t.Context(), func(name string, err error) {
		require.Error(t, err, name)
		assert.NotErrorIs(t, err, webhook.ErrNotTracked, name)
	})

	require.True(t, s.start(t))
	require.Eventually(t, func() bool { // go-redis looks for the server once a second
		claim, err := all.seen.Claim(t.Context(), key, "b", time.Minute)
		return err == nil && assert.Equal(t, webhook.ClaimDone, claim, "it was written down")
	}, time.Minute, 10*time.Millisecond)
	order, err := all.order.Check(t.Context(), position(1))
	require.NoError(t, err)
	assert.Equal(t, webhook.OrderStale, order)
	record, err := all.writes.Load(t.Context(), key)
	require.NoError(t, err)
	assert.NotNil(t, record.Observed)
}

func TestConnectionsThatAreLostAreMadeAgain(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	all, other := openStores(t, s), s.client(t)
	for range 20 {
		all.do(t.Context(), func(name string, err error) { require.NoError(t, err, name) })
		require.NoError(t, other.ClientKillByFilter(t.Context(), "TYPE", "normal", "SKIPME", "yes").Err())
	}
}

func TestEverythingIsForgottenInTheEnd(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	client := s.client(t)
	storeAll(t, client, time.Hour)
	keys, err := client.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 5)
	for _, key := range keys {
		left := client.PTTL(t.Context(), key).Val()
		assert.Positive(t, left, key)
		assert.LessOrEqual(t, left, time.Hour+time.Second, key)
	}

	require.NoError(t, client.FlushAll(t.Context()).Err())
	storeAll(t, client, time.Second)
	require.Eventually(t, func() bool { return client.DBSize(t.Context()).Val() == 0 }, 2*time.Minute, 20*time.Millisecond)
}

// storeAll has everything stored that there is for a while, and a rate limit of
// one turn in it.
func storeAll(t *testing.T, client *goredis.Client, retention time.Duration) {
	t.Helper()
	seen, err := redis.NewDeduplicator(client, redis.WithRetention(retention))
	require.NoError(t, err)
	order, err := redis.NewSequencer(client, redis.WithRetention(retention))
	require.NoError(t, err)
	writes, err := redis.NewTrackerStore(client, redis.WithRetention(retention))
	require.NoError(t, err)
	limiter, err := redis.NewLimiter(client, 1/(0.99*retention.Seconds()), 5)
	require.NoError(t, err)
	redis.SetAskLimit(limiter, patient)
	require.NoError(t, limiter.Wait(t.Context()))
	_, err = seen.Claim(t.Context(), key, "a", retention)
	require.NoError(t, err)
	require.NoError(t, seen.Commit(t.Context(), key+"0"))
	require.NoError(t, order.Advance(t.Context(), position(1)))
	require.NoError(t, writes.Register(t.Context(), key, time.Now()))
	require.NoError(t, writes.Record(t.Context(), key, webhook.TrackedEvent{Type: "n"}))
}

func TestValuesOfSomebodyElseAreErrors(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	all, client := openStores(t, s), s.client(t)
	for _, value := range []string{"", " ", "x", "99999999999999999999 "} {
		require.NoError(t, client.Set(t.Context(), redis.DefaultPrefix+"order:"+key, value, time.Minute).Err())
		_, err := all.order.Check(t.Context(), position(1))
		require.Error(t, err, value)
	}
	for field, value := range map[string]string{"registered": "yesterday", "failed": "{", "observed": "1"} {
		require.NoError(t, client.Del(t.Context(), redis.DefaultPrefix+"write:"+key).Err())
		require.NoError(t, all.writes.Register(t.Context(), key, time.Now()))
		require.NoError(t, client.HSet(t.Context(), redis.DefaultPrefix+"write:"+key, field, value).Err())
		_, err := all.writes.Load(t.Context(), key)
		require.Error(t, err, field)
	}
}

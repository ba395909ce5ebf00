package redis_test

import (
	"context"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/webhook"
)

const key = "13eecfca569950019310bf202aba8df913eecfca569950019310bf202aba8df9"

func openStore(t *testing.T, s *server) *redis.Store {
	t.Helper()
	store, err := redis.NewStore(s.client(t))
	require.NoError(t, err)
	return store
}

// callAll calls every method, and passes each result to check.
func callAll(ctx context.Context, s *redis.Store, check func(name string, err error)) {
	_, err := s.Claim(ctx, key, "a", time.Minute)
	check("claim", err)
	check("commit", s.Commit(ctx, key))
	check("release", s.Release(ctx, key, "a"))
	check("register", s.Register(ctx, key))
	check("record", s.Record(ctx, key, webhook.WriteError{Message: "no"}))
	_, err = s.Load(ctx, key)
	check("load", err)
}

func TestWithoutRedisNothingIsGuessed(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	all := openStore(t, s)
	callAll(t.Context(), all, func(name string, err error) { require.NoError(t, err, name) })

	s.kill()
	callAll(t.Context(), all, func(name string, err error) {
		require.Error(t, err, name)
		assert.NotErrorIs(t, err, webhook.ErrNotTracked, name)
	})

	require.True(t, s.start(t))
	require.Eventually(t, func() bool { // go-redis reconnects once a second
		claim, err := all.Claim(t.Context(), key, "b", time.Minute)
		return err == nil && assert.Equal(t, webhook.ClaimDone, claim, "it was written down")
	}, time.Minute, 10*time.Millisecond)
	failure, err := all.Load(t.Context(), key)
	require.NoError(t, err)
	assert.NotNil(t, failure)
}

func TestConnectionsThatAreLostAreMadeAgain(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	all, other := openStore(t, s), s.client(t)
	for range 20 {
		callAll(t.Context(), all, func(name string, err error) { require.NoError(t, err, name) })
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
	require.Len(t, keys, 4)
	for _, key := range keys {
		left := client.PTTL(t.Context(), key).Val()
		assert.Positive(t, left, key)
		assert.LessOrEqual(t, left, time.Hour+time.Second, key)
	}

	require.NoError(t, client.FlushAll(t.Context()).Err())
	storeAll(t, client, time.Second)
	require.Eventually(t, func() bool { return client.DBSize(t.Context()).Val() == 0 }, 2*time.Minute, 20*time.Millisecond)
}

// storeAll stores a value of each kind for the retention time, and sets a rate
// limit of one turn in that time.
func storeAll(t *testing.T, client *goredis.Client, retention time.Duration) {
	t.Helper()
	store, err := redis.NewStore(client, redis.WithRetention(retention))
	require.NoError(t, err)
	limiter, err := redis.NewLimiter(client, 1/(0.99*retention.Seconds()), 5)
	require.NoError(t, err)
	redis.SetAskLimit(limiter, patient)
	require.NoError(t, limiter.Wait(t.Context()))
	_, err = store.Claim(t.Context(), key, "a", retention)
	require.NoError(t, err)
	require.NoError(t, store.Commit(t.Context(), key+"0"))
	require.NoError(t, store.Register(t.Context(), key))
	require.NoError(t, store.Record(t.Context(), key, webhook.WriteError{Message: "no"}))
}

func TestValuesOfSomebodyElseAreErrors(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	all, client := openStore(t, s), s.client(t)
	for _, value := range []string{"", " ", "x", "{", "1", `"pending"`} {
		require.NoError(t, client.Set(t.Context(), redis.DefaultPrefix+"write:"+key, value, time.Minute).Err())
		_, err := all.Load(t.Context(), key)
		require.Error(t, err, value)
	}
	require.NoError(t, client.Del(t.Context(), redis.DefaultPrefix+"write:"+key).Err())
	require.NoError(t, client.HSet(t.Context(), redis.DefaultPrefix+"write:"+key, "registered", "yesterday").Err())
	_, err := all.Load(t.Context(), key)
	require.Error(t, err, "a hash")
}

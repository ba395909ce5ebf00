package redis_test

import (
	"context"
	"errors"
	"testing"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/webhook"
)

func TestSettingsThatCannotBeUsedAreRefused(t *testing.T) {
	t.Parallel()
	client := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:1"}) // it does not connect yet
	t.Cleanup(func() { _ = client.Close() })
	store := func(client goredis.UniversalClient, options ...redis.Option) error {
		_, err := redis.NewStore(client, options...)
		return err
	}
	limiter := func(client goredis.UniversalClient, perSecond float64, burst int, options ...redis.Option) error {
		_, err := redis.NewLimiter(client, perSecond, burst, options...)
		return err
	}
	for name, err := range map[string]error{
		"client of a store":      store(nil),
		"client of a limiter":    limiter(nil, 5, 5),
		"WithPrefix, store":      store(client, redis.WithPrefix("")),
		"WithPrefix, limiter":    limiter(client, 5, 5, redis.WithPrefix("")),
		"WithRetention":          store(client, redis.WithRetention(0)),
		"WithErrorHook":          limiter(client, 5, 5, redis.WithErrorHook(nil)),
		"WithErrorHook, store":   store(client, redis.WithErrorHook(func(context.Context, error) {})),
		"WithRetention, limiter": limiter(client, 5, 5, redis.WithRetention(1)),
		"perSecond, zero":        limiter(client, 0, 5),
		"perSecond, no number":   limiter(client, nan(), 5),
		"perSecond, over 10000":  limiter(client, 10_001, 5),
		"burst":                  limiter(client, 5, 0),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad, ok := errors.AsType[*webhook.ConfigError](err)
			require.True(t, ok, "%v", err)
			assert.Contains(t, name, bad.Name)
		})
	}
	require.NoError(t, limiter(client, 5, 5, redis.WithErrorHook(func(context.Context, error) {})))
}

func nan() float64 {
	var zero float64
	return zero / zero
}

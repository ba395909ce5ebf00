package redis_test

import (
	"context"
	"log"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/webhook"
)

// Two integrations on one Redis have different prefixes. The limiter continues
// without Redis when that is down, and reports it.
func ExampleWithPrefix() {
	client := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:6379", ContextTimeoutEnabled: true})
	prefix := redis.WithPrefix(redis.DefaultPrefix + "ledger:")
	store, err := redis.NewStore(client, prefix, redis.WithRetention(24*time.Hour))
	if err != nil {
		log.Panic(err)
	}
	limiter, err := redis.NewLimiter(client, 5, 5, prefix, redis.WithErrorHook(func(_ context.Context, err error) { log.Print(err) }))
	if err != nil {
		log.Panic(err)
	}
	var handled webhook.Deduplicator = store
	var writes webhook.TrackerStore = store
	_, _, _ = handled, writes, limiter
}

package redis_test

import (
	"log"

	goredis "github.com/redis/go-redis/v9"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/webhook"
)

// All processes of an integration share a limit and their knowledge of events.
func Example() {
	client := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:6379", ContextTimeoutEnabled: true})
	limiter, err := redis.NewLimiter(client, 5, 5)
	if err != nil {
		log.Panic(err)
	}
	api, err := practice.NewClient("https://api.example.test/v1",
		practice.WithAPIKey("key"), practice.WithAccessToken("token"), practice.WithLimiter(limiter))
	if err != nil {
		log.Panic(err)
	}
	store, err := redis.NewStore(client)
	if err != nil {
		log.Panic(err)
	}
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("k-0123456789"),
		webhook.WithDeduplicator(store))
	if err != nil {
		log.Panic(err)
	}
	_, _ = api, receiver
}

// Package redis lets several processes of an integration share state through a
// Redis server: the handled events, the failures of asynchronous writes, and
// the rate limit.
//
//	client := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:6379", ContextTimeoutEnabled: true})
//	store, err := redis.NewStore(client)
//	limiter, err := redis.NewLimiter(client, 5, 5)
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithDeduplicator(store))
//	api, err := practice.NewClient(baseURL, practice.WithLimiter(limiter))
//
// You can use any go-redis client, for one server, a cluster or sentinels; you
// must close it yourself. Set its option ContextTimeoutEnabled; otherwise,
// calls ignore their context and wait for the client's timeouts. Each change is
// one command or one script on one key, and is therefore atomic.
//
// # Requirements
//
// Redis must be version 5 or later. The adapter stores nothing elsewhere. A
// restart without persistence, or a failover with asynchronous replication,
// loses the latest changes, and an event may then be handled again. Turn on the
// append-only file, and set maxmemory-policy to noeviction. If an event must
// take effect exactly once, store its identity in the same transaction as the
// changes that it causes; see package webhook.
//
// # When Redis is down
//
// The methods of a [Store] then return an error. A receiver then either handles
// events anyway (it fails open) or does not handle them (it fails closed):
//
//   - If a [webhook.Deduplicator] fails within a request, the receiver fails
//     open, because the service may not send the event again and handling it
//     twice is better than losing it. For an event from a queue, the receiver
//     fails closed.
//   - If a [webhook.TrackerStore] fails, the receiver fails closed. An error
//     event within a request gets status 503, and an error event from a queue
//     waits. If a write could not be registered, do not send it.
//
// A [Limiter] fails open: without its store, each process continues with a
// tenth of the limit.
package redis

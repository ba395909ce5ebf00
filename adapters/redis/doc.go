// Package redis shares the state of an integration that runs as several
// processes through a Redis server: the handled events, the
// failures of asynchronous writes, and the rate limit.
//
//	client := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:6379", ContextTimeoutEnabled: true})
//	store, err := redis.NewStore(client)
//	limiter, err := redis.NewLimiter(client, 5, 5)
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithDeduplicator(store))
//	api, err := practice.NewClient(baseURL, practice.WithLimiter(limiter))
//
// Any client of go-redis works, for one server, a cluster or sentinels; the
// caller closes it. Set its option ContextTimeoutEnabled: otherwise calls
// ignore their context and wait for the timeouts of the client. Each change is
// one command or one script on one key, so it is atomic.
//
// # Requirements
//
// Redis must be version 5 or later. The adapter stores nothing elsewhere:
// without persistence a restart, and with asynchronous replication a failover,
// loses the latest changes, and an event may then be handled again. Turn on the
// append-only file, and set maxmemory-policy to noeviction. If an event must
// take effect exactly once, its handler stores the identity of the event in the
// transaction that writes its effect, see package webhook.
//
// # When Redis is down
//
// The methods of a [Store] return the error. A receiver then either handles
// events (open) or does not (closed):
//
//   - [webhook.Deduplicator]: open within a request, because the service may
//     not send the event again and handling it twice is better than losing it;
//     closed from a queue.
//   - [webhook.TrackerStore]: closed. An error event within a request gets
//     status 503, and one from a queue waits. Do not send a write that could
//     not be registered.
//
// A [Limiter] stays open, with the share of the limit that each process used.
package redis

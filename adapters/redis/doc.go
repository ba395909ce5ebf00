// Package redis shares the state of an integration that runs as several
// processes through a Redis server: which events were handled, in which order,
// what became of asynchronous writes, and how many requests the service has
// room for.
//
//	client := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:6379", ContextTimeoutEnabled: true})
//	store, err := redis.NewStore(client)
//	limiter, err := redis.NewLimiter(client, 5, 5)
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithDeduplicator(store), webhook.WithSequencer(store))
//	api, err := practice.NewClient(baseURL, practice.WithLimiter(limiter))
//
// Any client of go-redis serves, for one server, a cluster or sentinels; it
// stays the caller's, who closes it. Set its option ContextTimeoutEnabled:
// without it a call waits for the time-outs of the client whatever its context.
// A change is one command or one script on one key, so that it happens wholly
// or not at all.
//
// # What Redis must be
//
// Redis 5 or later. The adapter keeps nothing elsewhere: without persistence a
// restart, and with asynchronous replication a change of the primary, loses the
// latest changes; an event may then be handled again. Turn on the append-only
// file, and set maxmemory-policy to noeviction. Where an event must take effect
// exactly once its handler stores the identity of the event in the transaction
// that writes its effect, see package webhook.
//
// # When Redis is down
//
// The methods of a [Store] return the error. A receiver then handles events
// (open) or not (closed):
//
//   - [webhook.Deduplicator]: open within a request, because the service may
//     not send the event again and handling it twice is better than losing it;
//     closed from a queue.
//   - [webhook.Sequencer]: open, without advice. Only the comparison in the
//     transaction of the handler makes an effect safe.
//   - [webhook.TrackerStore]: closed for error events within a request, which
//     are answered with 503; open from a queue. An outcome is an error instead
//     of pending. Do not send a write that could not be registered.
//
// A [Limiter] stays open, with the share of the limit that each process had.
package redis

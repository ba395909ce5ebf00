// Package nats stores webhook deliveries, and the state of their handling, in
// NATS JetStream. By default, the server runs inside the process and stores its
// data in a directory, so you do not have to install anything. With one option,
// the same code uses a NATS server or cluster instead, which several processes
// can share.
//
//	engine, err := nats.Open(ctx, "var/deliveries")                                  // or
//	engine, err := nats.Open(ctx, "", nats.WithServers("nats://nats.example.test"))
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key),
//		webhook.WithQueue(engine.Queue()), webhook.WithDeduplicator(engine.Store()))
//
// Shut down the HTTP server first, then the receiver, then the engine; see
// [Engine.Close].
//
// # What is promised
//
// An acknowledged delivery has been stored. The server inside the process syncs
// a write to disk before it acknowledges the write; any other server stores a
// write as configured, on as many machines as [WithReplicas] sets. A message is
// leased until it has been handled or becomes a dead letter. If its worker
// dies, it is leased again when the lease expires. A message may be handled
// twice; a [Deduplicator] drops events that have been handled. No option
// deletes messages.
//
// If the server runs inside the process, the queue uses at most seven eighths
// of the server's storage. If the account on another server has a limit and
// holds nothing else, the queue uses at most seven eighths of that limit. The
// Deduplicator needs the rest, so that the workers can always empty a full
// queue. In all other cases, set a limit for the account, or monitor the free
// space.
//
// The bodies of deliveries are stored unencrypted: protect the directory and
// the server as you protect the firm's records.
package nats

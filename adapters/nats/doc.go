// Package nats stores webhook deliveries, and the state of their handling, in
// NATS JetStream. By default the server runs inside the process and stores its
// data in a directory, so nothing has to be installed. With one option the same
// code uses a NATS server or cluster instead, which several processes can
// share.
//
//	engine, err := nats.Open(ctx, "var/deliveries")                                  // or
//	engine, err := nats.Open(ctx, "", nats.WithServers("nats://nats.example.test"))
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key),
//		webhook.WithQueue(engine.Queue()), webhook.WithDeduplicator(engine.Store()))
//
// Shut down in this order: the HTTP server, the receiver, the engine; see
// [Engine.Close].
//
// # What is promised
//
// An acknowledged delivery is stored. The server inside the process syncs a
// write to the disk before it acknowledges it; another server stores it as
// configured, on as many machines as [WithReplicas] sets. A message is leased
// until it is done or a dead letter. If its worker dies, it is leased again
// when the lease expires. It may be handled twice; a [Deduplicator] drops
// handled events. No option deletes messages.
//
// The queue takes at most seven eighths of the storage of the server inside the
// process, or of the account if that has a limit and holds nothing else, so
// that a full queue can always be worked off: the Deduplicator needs the rest.
// Elsewhere give the account a limit, or watch the room.
//
// The bodies of deliveries are stored unencrypted: protect the directory and
// the server like the records of the firm.
package nats

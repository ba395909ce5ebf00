// Package nats stores webhook deliveries, and the state of their handling, in
// NATS JetStream. The server runs inside the process and keeps its data in a
// directory: there is nothing to install. One option names a NATS server or
// cluster instead, and several processes then share the work, with the same
// code.
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
// until it is done or a dead letter, and leased again after its lease when its
// worker dies. It may be handled twice; a [Deduplicator] drops handled events.
//
// The bodies of the deliveries are stored in the clear: keep the directory and
// the server as safe as the records of the firm. A server needs NATS 2.10 or
// later; the module requires the version of the one inside the process.
package nats

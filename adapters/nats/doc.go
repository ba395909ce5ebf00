// Package nats stores webhook deliveries, and the state of their handling, in NATS JetStream. The server runs inside
// the process and keeps its data in a directory: there is nothing to install. One option names a NATS server or cluster
// instead, and several processes then share the work, with the same code.
//
//	engine, err := nats.Open(ctx, "var/deliveries")                                  // or
//	engine, err := nats.Open(ctx, "", nats.WithServers("nats://nats.example.test"))
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key),
//		webhook.WithQueue(engine.Queue()), webhook.WithDeduplicator(engine.Deduplicator()))
//
// Then end in this order: the HTTP server, the receiver, the engine; see [Engine.Close].
//
// # What is promised
//
// A delivery that was acknowledged is stored: inside the process every write is synced to the disk before it is
// acknowledged; elsewhere it is stored as the server is configured to, on as many machines as [WithReplicas] says.
// A message is given out until it is done or buried, and again when its worker dies, once its lease is over. It may be
// given out twice; a [Deduplicator] drops what was handled.
//
// What is stored are the bodies of the deliveries, in the clear: keep the directory, and the server, as safe as the
// records of the firm. NATS 2.10 or later is needed; the server inside the process is of the version that the module
// requires.
package nats

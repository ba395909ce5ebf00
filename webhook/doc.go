// Package webhook receives the notifications of the practice management service: it verifies their signature, decodes
// them and hands them to typed handlers.
//
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(current, previous))
//	webhook.On(receiver, models.EventTypeMatterUpdated,
//		func(ctx context.Context, e *webhook.Event[models.MatterPayload]) error { … })
//	http.Handle("POST /hooks", receiver)
//
// # What is verified
//
// The signature is an HMAC-SHA256 over the headers Timestamp and RequestId and the client id. It covers neither the
// body nor the address. Whoever gets hold of the headers of one delivery can send any body with them until they are
// too old, see [WithTolerance]. Therefore take a payload as a hint, and read the record from the service before doing
// anything that matters. [Verified] names what was verified; [WithAlarmHook] tells of a signature that came with two
// bodies.
//
// # Answers
//
// The sender gets a status with its usual text and never the reason; [WithErrorHook] gets the reason.
//
//	200  all handlers succeeded, or none is for the event
//	400  ErrMalformed, ErrBodyUnreadable
//	401  ErrNoSignature, ErrBadSignature, ErrBadTimestamp, ErrTooOld, ErrTooNew
//	405  ErrMethod; Allow names POST
//	413  ErrBodyTooLarge
//	500  ErrHandler: a handler returned an error or panicked
//	503  ErrUnfinished: the time was over before the handlers were done
//	503  ErrInProgress: another delivery of the event is being handled
//	503  ErrStore: the queue is full or failed, or the tracker failed for an error event
//
// The specification does not say whether the service sends a delivery again after an answer other than 2xx.
//
// # Handlers
//
// The service waits 10 seconds. Without a queue the handlers run within the request, and their context ends a little
// earlier, see [WithDeadline]; then the delivery is answered whether they heed it or not. With a queue, see
// [WithQueue], a delivery is stored and acknowledged, and [Receiver.Run] calls the handlers later, with retries and
// dead letters. Shut down in two steps: first the HTTP server, then [Receiver.Shutdown] for handlers that are still at
// work and for a queue that does not survive the process.
//
// # Duplicates and order
//
// An event may come more than once, and events may come in another order than they happened. A [Deduplicator] drops
// what was handled before, and a [Sequencer] advises on the order; both come with a bounded default in memory, and as
// adapters for state that machines share. Neither makes an effect atomic: a process can die between the effect of a
// handler and the note of it. A handler that must take effect exactly once, and never after a newer event of its
// resource, stores [Event.Identity] and compares Event.Timestamp with that of the record in the transaction that
// writes its effect.
//
// # Own changes
//
// [IgnoreOwn] drops the events that this integration caused itself, by the RequestIds that package requestid signs.
// A [Tracker] tells what became of writes that the service carries out later.
//
// A receiver does not limit how slowly a request may come in: set ReadHeaderTimeout and ReadTimeout of the
// [http.Server].
//
// Specification, Events.
package webhook

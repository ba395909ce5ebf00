// Package webhook receives the notifications of the practice management
// service: it verifies their signature, decodes them and hands them to typed
// handlers.
//
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(current, previous))
//	webhook.On(receiver, models.EventTypeMatterUpdated,
//		func(ctx context.Context, e *webhook.Event[models.MatterPayload]) error { … })
//	http.Handle("POST /hooks", receiver)
//
// # What is verified
//
// The signature is an HMAC-SHA256 over the headers Timestamp and RequestId and
// the client id. It covers neither the body nor the address. Anyone who
// captures the headers of a delivery can send them with another body until they
// are too old, see [WithTolerance]. So take a payload as a hint, and read the
// record from the service before acting on it, as package fetch does.
// [Verified] holds what the signature covers; [WithAlarmHook] reports a
// signature that came with two bodies.
//
// # Answers
//
// The sender gets a status, with its usual text if it is an error;
// [WithErrorHook] gets the reason.
//
//	200  all handlers succeeded, or none is for the event, or one gave it up for good; with a queue: it is stored
//	400  ErrMalformed, ErrBodyUnreadable
//	401  ErrNoSignature, ErrBadSignature, ErrBadTimestamp, ErrTooOld, ErrTooNew, ErrWrongAccount, ErrSecondBody
//	405  ErrMethod; Allow names POST
//	413  ErrBodyTooLarge
//	500  ErrHandler: a handler returned an error or panicked; 503 with Retry-After when it said RetryAfter
//	503  ErrUnfinished: the deadline passed before the handlers were done
//	503  ErrInProgress: another delivery of the event is being handled
//	503  ErrStore: the queue is full or failed, the tracker failed for an error event, or the source of keys failed
//	503  ErrBusy: as many deliveries as WithMaxDeliveries allows are being handled
//
// The service does not say whether it sends a delivery again after an answer
// other than 2xx.
//
// # Handlers
//
// The service waits 10 seconds for an answer. Without a queue the handlers run
// within the request. Their context ends a little earlier (see [WithDeadline]),
// and the delivery is then answered even if they still run. With a queue (see
// [WithQueue]) a delivery is stored and acknowledged, and [Receiver.Run] calls
// the handlers later, with retries and dead letters. Shut down the HTTP server
// first, then call [Receiver.Shutdown], which waits for running handlers and
// drains a queue that does not survive the process.
//
// # Duplicates and order
//
// An event may come more than once, and events may come out of order. A
// [Deduplicator] drops handled events, and a [Sequencer] advises on the order;
// each has a bounded implementation in memory, and adapters share their state
// between machines. Neither makes an effect atomic: a process can die between
// the effect of a handler and the note of it. A handler that must take effect
// exactly once and in order of its events stores [Event.Identity] and compares
// Event.Timestamp with that of the record in the transaction that writes its
// effect.
//
// # Own changes
//
// [IgnoreOwn] drops the events that this integration caused, by the RequestIds
// that package requestid signs. A [Tracker] reports failures of writes that the
// service carries out later.
package webhook

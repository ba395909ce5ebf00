// Package webhook receives the notifications of the practice management
// service: it verifies their signatures, decodes them and passes them to typed
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
// the client id. It covers neither the body nor the URL. Anyone who captures a
// delivery's headers can send them with another body until they are too old
// (see [WithTolerance]). Therefore, treat a payload as a hint, and read the
// record from the service before you act on it, as package fetch does.
// [Verified] holds the values that the signature covers; [WithAlarmHook]
// reports a signature that arrived with two bodies.
//
// # Responses
//
// The sender receives a status code, with its standard text if it is an error.
// [WithErrorHook] receives the reason.
//
//	200  all handlers succeeded, there is no handler, or one returned a Permanent error; with a queue: the delivery is stored
//	400  ErrMalformed, ErrBodyUnreadable
//	401  ErrNoSignature, ErrBadSignature, ErrBadTimestamp, ErrTooOld, ErrTooNew, ErrWrongAccount, ErrSecondBody
//	405  ErrMethod; Allow names POST
//	413  ErrBodyTooLarge
//	500  ErrHandler: a handler returned an error or panicked; 503 with Retry-After if it returned RetryAfter
//	503  ErrUnfinished: the deadline passed before the handlers returned
//	503  ErrInProgress: another delivery of the event is being handled
//	503  ErrStore: the queue is full or failed, the tracker failed for an error event, or the source of keys failed
//	503  ErrBusy: as many deliveries as WithMaxDeliveries allows are being handled
//
// It is not documented whether the service sends a delivery again after a
// status other than 2xx.
//
// # Handlers
//
// The service waits 10 seconds for a response. Without a queue, the handlers
// run within the request. The handlers' context ends a little earlier (see
// [WithDeadline]), and then the receiver responds even if they are still
// running. With a queue (see [WithQueue]), a delivery is stored and
// acknowledged, and [Receiver.Run] calls the handlers later, with retries and
// dead letters. Shut down the HTTP server first, then call [Receiver.Shutdown],
// which waits for running handlers and drains a queue that does not survive the
// process.
//
// # Duplicates and order
//
// An event may arrive more than once, and events may arrive out of order. A
// [Deduplicator] drops events that have already been handled. This package has
// a bounded implementation in memory; the adapters have implementations that
// several machines can share. A Deduplicator does not make an effect atomic: a
// process can die after a handler's effect and before recording it. If an
// effect must happen exactly once and in order, the handler stores
// [Event.Identity], and compares Event.Timestamp with the record's timestamp,
// in the transaction that writes the effect. With [WithSerialRecords], a queue
// preserves the order in which the events of each record arrive.
//
// # Own changes
//
// [IgnoreOwn] drops the events that this integration caused. It recognises the
// RequestIds that package requestid signs. A [Tracker] reports failures of
// writes that the service carries out later.
package webhook

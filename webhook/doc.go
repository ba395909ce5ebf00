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
//
// The specification does not say whether the service sends a delivery again after an answer other than 2xx.
//
// # Handlers
//
// The service waits 10 seconds. The handlers run within the request, and their context ends a little earlier, see
// [WithDeadline]; then the delivery is answered whether they heed it or not. Shut down in two steps: first the HTTP
// server, then [Receiver.Shutdown] for handlers that did not heed their context.
//
// An event may come more than once, and events may come in another order than they happened. Event.Timestamp orders
// them. A handler may run again after it succeeded, and for several deliveries at once.
//
// A receiver does not limit how slowly a request may come in: set ReadHeaderTimeout and ReadTimeout of the
// [http.Server].
//
// Specification, Events.
package webhook

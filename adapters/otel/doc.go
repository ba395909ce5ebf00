// Package otel reports the work of a client and of a webhook receiver to
// OpenTelemetry, as spans and metrics.
//
//	telemetry, err := otel.New()
//	client, err := practice.NewClient(baseURL, practice.WithTracer(telemetry))
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key))
//	registration, err := telemetry.WatchReceiver(receiver)
//
// Without options it uses the global providers and the global propagator.
//
// # Spans
//
// A call has a span of kind internal with the name of its operation, such as
// "Staff.Get". Each attempt has a child span of kind client, named by the
// semantic conventions for HTTP, such as "GET /staff/{id}". The propagator may
// send the context of the attempt to the service, but it is never sent to the
// file storage, where another header would invalidate the signature of the URL.
// Requests to the token endpoint are spans of kind client below the call that
// first needed the token; no context is sent there either.
//
// A method that makes several calls has a span above theirs: a transfer, whose
// attempts are exchanges with the storage; each file of a directory; an
// iterator, whose pages are calls. The span of an iterator has the number of
// yielded records in practice.records and the reason for its end in
// practice.reason. Waits of a millisecond or more are spans too: "wait token",
// "wait rate_limit" and "wait retry", with the attribute practice.wait.
//
// error.type is an HTTP status, or a word for a known failure: dns,
// connection_refused, connection_reset, tls, timeout, canceled, token or
// token_400 (with the status of the token endpoint), rate_limit_wait,
// ambiguous_write, argument, configuration, unreadable_answer,
// unreadable_record, incomplete_list and some more; otherwise the type of the
// error.
//
// With WebhookMiddleware the handlers of an event have a span of kind consumer,
// such as "handle matter.updated". For an event from a queue it is linked to
// the delivery, whose trace WebhookPropagator carries.
//
// # Metrics
//
// From the semantic conventions, with one measurement for each attempt:
//
//   - http.client.request.duration, in seconds
//   - http.client.request.body.size and http.client.response.body.size, in
//     bytes on the wire; empty bodies are omitted
//
// Metrics of this package for calls, by the attribute practice.operation:
//
//   - practice.client.call.duration, in seconds: whole calls with
//     attempts and waits
//   - practice.client.walk.duration, in seconds: iterators, including the time
//     of their callers
//   - practice.client.wait.duration, in seconds: waits of calls, by
//     practice.wait
//   - practice.client.retries: attempts after the first
//   - practice.client.rate_limited: attempts with status 429
//   - practice.client.pages: received pages of lists
//   - practice.client.records: records of these pages; with error.type
//     unreadable_record those that could not be decoded
//
// Metrics of this package for receivers, by the attribute
// practice.webhook.outcome:
//
//   - practice.webhook.deliveries: accepted and refused, by error.type
//   - practice.webhook.events: handled, failed, duplicate and own
//   - practice.webhook.messages: queued, queue_full, retried and dead_letter
//   - practice.webhook.alarms
//   - practice.webhook.queue.messages, and practice.webhook.queue.age in
//     seconds, for a queue that can measure them
//   - practice.webhook.handler.duration, in seconds, by practice.webhook.type;
//     error.type is handler or panic
//
// # Omitted data
//
// URLs appear as a template, such as "/staff/{id}", with host and port in
// separate attributes. url.full is omitted, although the conventions require
// it, because it would contain ids of persons and matters, and for the storage
// a signature that grants access. Texts of the service are omitted as well. The
// request id links a span to the log, which contains both.
package otel

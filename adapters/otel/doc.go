// Package otel reports the work of a client and of a webhook receiver to
// OpenTelemetry, as spans and metrics.
//
//	telemetry, err := otel.New()
//	client, err := practice.NewClient(baseURL, practice.WithTracer(telemetry))
//	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key))
//	registration, err := telemetry.WatchReceiver(receiver)
//
// Without options, it uses the global providers and the global propagator.
//
// # Spans
//
// Each call has a span of kind internal that is named after its operation, such
// as "Staff.Get". Each attempt has a child span of kind client that is named
// according to the semantic conventions for HTTP, such as "GET /staff/{id}".
// The propagator may send the attempt's context to the service, but never to
// the file storage, where an additional header would invalidate the URL's
// signature. Requests to the token endpoint are spans of kind client below the
// call that first needed the token; no context is sent to that endpoint either.
//
// If a method makes several calls, they have a common parent span. Such a span
// represents a transfer, whose attempts are exchanges with the storage; a file
// in a directory; or an iterator, whose pages are calls. An iterator's span
// contains the number of yielded records in practice.records and the reason for
// its end in practice.reason. Waits of a millisecond or more are also spans:
// "wait token", "wait rate_limit" and "wait retry", with the attribute
// practice.wait.
//
// The attribute error.type is an HTTP status or a word for a known failure:
// dns, connection_refused, connection_reset, tls, timeout, canceled, token or
// token_400 (with the status of the token endpoint), rate_limit_wait,
// ambiguous_write, argument, configuration, unreadable_answer,
// unreadable_record, incomplete_list and others. For any other error, it is the
// error's Go type.
//
// With WebhookMiddleware, an event's handlers have a span of kind consumer,
// such as "handle matter.updated". If the event comes from a queue,
// WebhookPropagator carries the trace of the delivery, and the span is linked
// to it.
//
// # Metrics
//
// The semantic conventions define these metrics, which are measured for each
// attempt:
//
//   - http.client.request.duration, in seconds
//   - http.client.request.body.size and http.client.response.body.size, in
//     bytes on the wire; empty bodies are omitted
//
// This package defines these metrics for calls, by the attribute
// practice.operation:
//
//   - practice.client.call.duration, in seconds: whole calls, including
//     attempts and waits
//   - practice.client.walk.duration, in seconds: iterators, including the time
//     that their callers take
//   - practice.client.wait.duration, in seconds: waits of calls, by
//     practice.wait
//   - practice.client.retries: attempts after the first
//   - practice.client.rate_limited: attempts with status 429
//   - practice.client.pages: received pages of lists
//   - practice.client.records: records on these pages; error.type is
//     unreadable_record for those that could not be decoded
//
// It defines these metrics for receivers, by the attribute
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
// URLs appear as templates, such as "/staff/{id}", with host and port in
// separate attributes. Although the conventions require url.full, it is
// omitted, because it would contain ids of persons and matters, and for the
// storage a signature that grants access. Messages from the service are also
// omitted. To find the URL and the messages, use the request id, which links a
// span to the log.
package otel

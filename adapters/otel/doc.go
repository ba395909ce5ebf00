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
// "Staff.Get". Each attempt has one of kind client below it, named as the
// semantic conventions for HTTP want it, such as "GET /staff/{id}". The context
// of the attempt is sent to the service, as far as the propagator does so, but
// never to the file storage: a header more would break the signature of the
// address. Requests to the token endpoint are spans of kind client below the
// call that needed the token first, and no context is sent there either.
//
// A method that makes several calls has a span with these below it: a transfer,
// whose attempts are exchanges with the storage; each file of a directory; an
// iterator, whose pages are calls below it and which has in practice.records
// how many records it yielded and in practice.reason why it ended. Waits of a
// millisecond or more are spans too: "wait token", "wait rate_limit" and "wait
// retry", with the attribute practice.wait.
//
// error.type is an HTTP status, or a word for what is known: dns,
// connection_refused, connection_reset, tls, timeout, canceled, token or
// token_400 (with the status of the token endpoint), rate_limit_wait,
// ambiguous_write, argument, configuration, unreadable_answer,
// unreadable_record, incomplete_list and some more; otherwise the type of the
// error.
//
// The handlers of an event have a span of kind consumer with WebhookMiddleware,
// such as "handle matter.updated". Behind a queue it is linked to the delivery,
// whose trace WebhookPropagator carries.
//
// # Metrics
//
// From the semantic conventions, with one measurement for each attempt:
//
//   - http.client.request.duration, in seconds
//   - http.client.request.body.size and http.client.response.body.size, in
//     bytes as they went over the wire; bodies without any are left out
//
// And of our own, by the attribute practice.operation:
//
//   - practice.client.call.duration, in seconds: whole calls with
//     attempts and waits
//   - practice.client.walk.duration, in seconds: iterators, with the time of
//     their callers
//   - practice.client.wait.duration, in seconds: waits of calls, by
//     practice.wait
//   - practice.client.retries: attempts after the first
//   - practice.client.rate_limited: attempts that were answered with 429
//   - practice.client.pages: pages of lists that arrived
//   - practice.client.records: records of these pages; with error.type
//     unreadable_record those that could not be read
//
// And of receivers, by the attribute practice.webhook.outcome:
//
//   - practice.webhook.deliveries: accepted and refused, by error.type
//   - practice.webhook.events: handled, failed, duplicate and own
//   - practice.webhook.messages: queued, queue_full, retried and dead_letter
//   - practice.webhook.alarms
//   - practice.webhook.queue.messages, and practice.webhook.queue.age in
//     seconds, of a queue that is a [webhook.Measurer]
//   - practice.webhook.handler.duration, in seconds, by practice.webhook.type;
//     error.type is handler or panic
//
// # What is kept out
//
// Addresses appear as a template, such as "/staff/{id}", with host and port
// beside it. There is no url.full, although the conventions want it: it would
// hold identifiers of persons and matters, and in front of the storage a
// signature that is as good as a password. Neither is there any text of the
// service. The request id links a span to the log, which has them.
package otel

// Package otel reports the work of a client and of a webhook receiver to OpenTelemetry, as spans and metrics.
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
// A call has a span of kind internal with the name of its operation, such as "Staff.Get". Each attempt has one of kind
// client below it, named as the semantic conventions for HTTP want it, such as "GET /staff/{id}". The context of the
// attempt is sent to the service, as far as the propagator does so, but never to the file storage: a header more would
// break the signature of the address. A transfer is a call too; its attempts are exchanges with the storage, and what
// it asks the service is a call below it.
//
// # Metrics
//
// From the semantic conventions, with one measurement for each attempt:
//
//   - http.client.request.duration, in seconds
//   - http.client.request.body.size and http.client.response.body.size, in bytes; bodies without any are left out
//
// And of our own, by the attribute practice.operation:
//
//   - practice.client.call.duration, in seconds: whole calls with all attempts and waits
//   - practice.client.retries: attempts after the first
//   - practice.client.rate_limited: attempts that were answered with 429
//   - practice.client.pages: pages of lists that arrived
//
// And of receivers, by the attribute practice.webhook.outcome:
//
//   - practice.webhook.deliveries: accepted and refused; error.type says why
//   - practice.webhook.events: handled, failed, duplicate and own
//   - practice.webhook.messages: queued, queue_full, retried and dead_letter
//   - practice.webhook.alarms
//
// # What is kept out
//
// Addresses appear as a template, such as "/staff/{id}", with host and port beside it. There is no url.full, although
// the conventions want it: it would hold identifiers of persons and matters, and in front of the storage a signature
// that is as good as a password. Neither is there any text of the service. The request id links a span to the log,
// which has them.
package otel

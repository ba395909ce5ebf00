// Package practice is a client of a legal practice management service: bank
// accounts, documents, fees, expenses, contacts, staff, calendar, portal
// messages, roles, subscriptions and webhooks of a firm.
//
// Make one [Client] and share it between all goroutines:
//
//	client, err := practice.NewClient(baseURL,
//		practice.WithAPIKey(key),
//		practice.WithClientCredentials(practice.ClientCredentials{
//			TokenURL: tokenURL, ClientID: id, ClientSecret: models.NewSecret(secret),
//		}),
//		practice.WithRateLimit(5, 5))
//
// Each area of the service is a field of the client, and each operation a
// method:
//
//	member, err := client.Staff.Get(ctx, staffID)
//
// # Lists
//
// List returns one [Page]. All walks over every record, requesting pages
// ahead while the caller works:
//
//	for event, err := range client.Events.All(ctx, options, practice.WithPrefetch(4)) {
//
// A walk never ends silently before its end: what it cannot be sure of is an
// error. A record that cannot be read costs that record only, reported as a
// [*RecordError].
//
// # Errors
//
// An answer that is no success is an [*Error], which equals the sentinel of
// its status: errors.Is(err, practice.ErrNotFound). A call without an answer
// is a [*NoAnswerError]. Both name the operation, the request id and every attempt
// with the reason why it was, or was not, followed by another. Bad arguments
// are an [*ArgumentError], and nothing is sent.
//
// # Retries
//
// Reads and idempotent writes are repeated after failures that may pass. A
// create is repeated only when it is certain that the service did not execute
// it; otherwise it ends in an [*AmbiguousWriteError], and the caller looks
// before calling again. net/http by itself may also repeat a request on a
// connection that turned out to be dead, but only when nothing of it was
// written, or when it is a read.
//
// [WithAttemptTimeout] bounds one attempt, [WithTimeout] the whole call with
// all attempts and waits; the context bounds everything.
//
// # Asynchronous writes
//
// The service queues most writes: a success says that the write was accepted.
// Reading at once may show the old state, and a write that fails later is
// reported by an `error` notification only, which carries the RequestId of the
// write. Package webhook receives notifications.
//
// # Secrets
//
// Credentials go to the base address and nowhere else: not to another host,
// not along a redirect, not to the storage of files. Secrets are held as
// [models.Secret], which no formatting, logging or marshalling reveals.
//
// # Testing
//
// Package practicetest is an embedded copy of the service, for tests of your
// own code without a network.
package practice

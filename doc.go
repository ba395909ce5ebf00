// Package practice is a client of a legal practice management service: the
// matters, contacts, roles, tasks, events, memos, documents, portal messages
// and intake forms of a law firm, its fees, expenses, invoices, activity codes
// and bank accounts, its staff, users, groups and search, matter types, stages,
// layouts, policies and referral types, and the subscriptions, plugins,
// notifications and webhooks of an integration.
//
// The service is described in api/openapi.yaml of this module, and, page by
// page, in docs/reference. The comment of each method ends with its operation.
//
// Create one [Client] and share it between goroutines:
//
//	client, err := practice.NewClient(baseURL,
//		practice.WithAPIKey(key),
//		practice.WithTokens(auth.ClientCredentials{
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
// List returns one [Page]. All iterates over every record and requests pages
// ahead:
//
//	for event, err := range client.Events.All(ctx, options, practice.WithPrefetch(4)) {
//
// An iterator yields records in order and never stops early without an error.
// For a record that cannot be decoded it yields a [*RecordError] and continues.
//
// # Errors
//
// A response that is not a success is an [*Error], which matches the sentinel
// of its status: errors.Is(err, practice.ErrNotFound). A call without response
// fails with a [*NoAnswerError]. Both contain the operation, the request id and
// every attempt, with the reason why it was, or was not, followed by another.
// For a bad argument the error is an [*ArgumentError], and nothing is sent.
//
// # Functions of your own
//
// Your functions, such as an observer, a middleware, a token source or a
// progress function, may be called in goroutines of the library. If one of them
// panics there, the goroutine of your call panics with an error that contains
// the original value and its stack. A panic during a token renewal in the
// background occurs in the next call. A call that panicked may have been
// executed. The client remains usable.
//
// # Retries
//
// The client retries reads and idempotent writes after temporary failures. It
// retries a create only if the service certainly did not execute it. Otherwise
// the create fails with an [*AmbiguousWriteError]; look for the record before
// you call again. net/http itself may also retry a request on a dead
// connection, but only a read, or a request of which nothing was written.
//
// [WithAttemptTimeout] limits one attempt, [WithTimeout] the whole call with
// all attempts and waits. The context limits everything.
//
// # Asynchronous writes
//
// The service queues most writes: a success means that the write was accepted.
// A read right after it may return the old state. A write that fails later is
// reported only by an `error` notification, with the RequestId of the write.
// Package webhook receives notifications.
//
// # Secrets
//
// The client sends credentials only to the base address: not to another host,
// not along a redirect, not to the file storage. Secrets are held as
// [models.Secret], which formatting, logging and marshalling never reveal.
//
// # Testing
//
// Package practicetest is an embedded copy of the service, for tests of your
// own code without a network.
package practice

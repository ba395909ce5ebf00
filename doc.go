// Package practice is a client for a legal practice management service. It
// covers the matters, contacts, roles, tasks, events, memos, documents, portal
// messages and intake forms of a law firm, its fees, expenses, invoices,
// activity codes and bank accounts, its staff, users, groups and search, matter
// types, stages, layouts, policies and referral types, and the subscriptions,
// plugins, notifications and webhooks of an integration.
//
// The file api/openapi.yaml in this module describes the API, and
// docs/reference describes each operation. Each method's comment ends with its
// operation.
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
// Each area of the service is a field of the client, and each operation is a
// method of that field:
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
// If a record cannot be decoded, the iterator yields a [*RecordError] and
// continues.
//
// # Errors
//
// If a response is not a success, the call returns an [*Error], which matches
// the sentinel of its status, as in errors.Is(err, practice.ErrNotFound). If
// there is no response, the call returns a [*NoAnswerError]. Each of these
// errors contains the operation, the request id and every attempt, with the
// reason why it was or was not followed by another. If an argument is invalid,
// the call returns an [*ArgumentError] and sends nothing.
//
// # Functions of your own
//
// The library may call your functions, such as an observer, a middleware, a
// token source or a progress function, in goroutines of its own. If one of them
// panics there, the goroutine of your call panics with an error that contains
// the original value and its stack. If a function panics during a token renewal
// in the background, the next call panics. A call that panicked may have been
// executed. The client remains usable.
//
// # Retries
//
// The client retries reads and idempotent writes after temporary failures. It
// retries a create request only if the service certainly did not execute the
// request. Otherwise, the call returns an [*AmbiguousWriteError]; look for the
// record before you repeat the call. net/http itself may also retry a request
// on a dead connection, but only if the request is a read or no part of it was
// written.
//
// [WithAttemptTimeout] limits one attempt, and [WithTimeout] limits the whole
// call, including all attempts and waits. The context limits everything.
//
// # Asynchronous writes
//
// The service queues most writes: a success means that the write was accepted.
// A read immediately afterwards may return the old state. If a write fails
// later, only an `error` notification reports the failure, with the write's
// RequestId. Package webhook receives notifications.
//
// # Secrets
//
// The client sends credentials only to the base URL: not to another host, to
// the target of a redirect, or to the file storage. Secrets are held as
// [models.Secret]; formatting, logging and marshalling never reveal them.
//
// # Testing
//
// Package practicetest is an embedded copy of the service. Use it to test your
// own code without a network.
package practice

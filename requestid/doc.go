// Package requestid creates RequestIds that every instance of an integration
// recognises. The instances need to share only a key.
//
//	signer, err := requestid.NewSigner(key)
//	client, err := practice.NewClient(baseURL, practice.WithRequestIDSigner(signer), …)
//	receiver, err := webhook.NewReceiver(clientID, keys, webhook.IgnoreOwn(signer))
//
// The service puts a request's RequestId into the events that the request
// causes, so that a receiver can ignore the events of its own changes. Without
// signed ids, the receivers would have to store every id that the integration
// has used.
//
// # Form
//
// An id is a UUID of version 8. It consists of 48 bits with the milliseconds
// since 1970, 30 random bits, and a tag with the first 44 bits of an
// HMAC-SHA256 over the rest. Ids therefore sort by their time of creation, and
// the chance that a guessed id passes as one of your own is one in 17 million
// million.
//
// # What it proves
//
// An id proves that it was created with the key, and proves its time of
// creation. It proves nothing about the request or the event that contains it.
// Ids are not secret: anyone who sees one, in a log or as another receiver of
// the same event, can send it again.
//
// This is a separate package because both the client and the receiver use it,
// and they do not depend on each other.
package requestid

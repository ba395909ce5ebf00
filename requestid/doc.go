// Package requestid creates RequestIds that every instance of an integration
// recognises, without any shared state but a key.
//
//	signer, err := requestid.NewSigner(key)
//	client, err := practice.NewClient(baseURL, practice.WithRequestIDSigner(signer), …)
//	receiver, err := webhook.NewReceiver(clientID, keys, webhook.IgnoreOwn(signer))
//
// The service puts the RequestId of a request into the events that it causes,
// so that a receiver can ignore the events of its own changes. Without a
// signature, the receivers would have to store the ids of the integration.
//
// # Form
//
// An id is a UUID of version 8: 48 bits with the milliseconds since 1970, 30
// random bits, and as a tag the first 44 bits of an HMAC-SHA256 over the rest.
// So ids sort by their time of creation, and a guess passes for an own id once
// in 17 million million times.
//
// # What it proves
//
// An id proves that it was created with the key, and when. It proves nothing
// about the request or the event that contains it. Ids are not secret: anyone
// who sees one, in a log or as another receiver of the same event, can send it
// again.
//
// This is a separate package because the client and the receiver both use it
// and do not depend on each other.
package requestid

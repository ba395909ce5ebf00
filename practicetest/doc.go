// Package practicetest is an embedded practice management service. Use it to
// test an integration without a network, an account or a container.
//
// Unlike recorded responses, the service keeps state: a created folder is
// listed, a staff member who leaves loses access, and balances are correct to
// the cent. It rejects requests that the API does not allow, as the real
// service does.
//
//	func TestOffboarding(t *testing.T) {
//		server := practicetest.New(t)
//		client := server.Client(t)
//
//		_, err := client.Staff.Delete(t.Context(), server.Firm().StaffID)
//		require.NoError(t, err)
//		server.Settle() // writes are accepted first and take effect later
//
//		member, err := client.Staff.Get(t.Context(), server.Firm().StaffID)
//		require.NoError(t, err)
//		assert.True(t, member.Former.Or(false))
//	}
//
// [New] serves on an in-memory network, works inside a testing/synctest bubble
// and closes the service when the test ends. [Start] listens on loopback TCP,
// for programs and other languages; cmd/practice-sandbox is a program that uses
// it.
//
// # Parts
//
// The service has three origins: the API at [Server.BaseURL], the token
// endpoint at [Server.TokenURL] with its authorization page, and the object
// store at [Server.StorageURL]. [Server.HTTPClient] can connect to them.
//
// The service contains a firm that is generated from a seed. The firm has
// matters with folders and files, contacts of four kinds with relations and
// tags, staff, fees, expenses, bank accounts of each type, a calendar in
// several time zones, policies, roles and a subscription. [Server.Firm] returns
// the ids of some of the firm's records. It also returns ids of another firm's
// records; requests for those are rejected with 403.
//
// A test can add records and read their state. Each kind of record has two
// methods for this, such as [Server.AddActivityCode] and [Server.ActivityCode].
// You can read an added record at once, and it raises the same webhooks as a
// record that a user adds in the service's own application.
//
// [WithObjectStore] keeps the content of files in an external object store.
// [WithStateFile] saves changes in a file, from which a later service restores
// them.
//
// # Strictness
//
// If a server made by [New] receives a request that the API does not allow, the
// server fails the test, even if the code under test handles the error.
// Examples of such violations are an unknown path, query parameter or member, a
// missing header, a wrong media type, a value outside its limits, members that
// exclude each other, or a credential sent to the storage. If a request is
// rejected only because of the service's state or the caller's permissions, it
// is not a violation: an unknown id, for example, results in 404.
// [Server.Tolerate] permits violations that a test commits on purpose.
//
// # Time
//
// [Server.Clock] determines when tokens and pre-signed URLs expire, when
// delayed writes take effect, and which times the service writes. It follows
// [time.Now], and therefore the fake time of a testing/synctest bubble;
// [WithVirtualClock] makes it virtual. An accepted write takes effect after a
// delay ([WithWriteDelay]) or with [Server.Settle]. [Server.FailWrite] makes a
// write fail late, so that only an error event reports the failure.
// [WithConsistency] makes writes overtake each other, and makes lists and
// events lag. [Server.Changes] returns the writes that have taken effect.
//
// # Forms of responses
//
// The service uses several forms for the same record: a member without a value
// is null, empty or missing; a link has either the member relation or the member
// rel; and a record can have members that the description does not list. The
// seed determines the form, unless [WithRendering] sets it.
//
// # Webhooks
//
// If a change matches the event types of a webhook subscription, the service
// notifies the subscription, and signs the notification if the subscription has
// a key. [Server.Mount] serves a receiver, [Server.Emit] raises an event,
// [Server.Flush] waits for the deliveries and [Server.Deliveries] returns them.
// [WithWebhookChaos] repeats deliveries and changes their order.
//
// # Faults
//
// [Server.Inject] makes requests fail as they do in real networks and services:
// a request may be refused, slow, reset before or after processing, truncated,
// endless, or responded to by a proxy. [Server.Requests] returns the requests
// that the code under test has sent.
//
// # Undocumented behaviour
//
// The API description leaves some questions open. In these cases, the embedded
// service behaves as follows, but tests should not rely on it. It responds with
// 401 if UserId is not an enabled user of the firm, or if the account does not
// belong to the client. An event belongs to a time range if it starts in that
// range. A matter's bank accounts are those that hold the matter's money, with
// all their balances. Updating a webhook subscription without a key removes the
// key.
//
// # Stability
//
// The package is experimental. A minor version may change names, and may make
// the service stricter as more becomes known about the real service. See
// docs/support.md.
package practicetest

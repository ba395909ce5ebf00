// Package practicetest is the practice management service, embedded: test an
// integration against it without a network, an account or a container.
//
// It is not a recording of answers but has state: a folder that is created is
// listed, a staff member who leaves loses access, balances add up to the cent,
// and a request that the interface does not allow is refused as the service
// refuses it.
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
// [New] serves on a network in memory, works inside a testing/synctest bubble
// and ends with its test. [Start] listens on loopback TCP, for programs and for
// other languages; cmd/practice-sandbox wraps it.
//
// # Parts
//
// There are three origins: the interface below [Server.BaseURL], the token
// endpoint [Server.TokenURL] with its authorization page, and the object store
// behind [Server.StorageURL]. [Server.HTTPClient] reaches them.
//
// The service holds a firm that follows from its seed: matters with folders and
// files, contacts of four kinds with relations and tags, staff, fees, expenses,
// bank accounts of each type, a calendar in several time zones, policies, roles
// and a subscription. [Server.Firm] names their identifiers, and some of
// another firm, which the service answers with 403.
//
// A test adds records of its own and reads the state of any record back: for
// each kind there is a method for either, such as [Server.AddActivityCode] and
// [Server.ActivityCode]. A record that a test adds is there at once, and
// webhooks hear of it as of a record that somebody adds in the service's own
// application.
//
// [WithObjectStore] keeps the content of files in an object store of your own,
// and [WithStateFile] what requests change in a file, for the next service.
//
// # Strictness
//
// A server made by [New] fails its test for every request that the interface
// does not allow, even if the code under test handles the refusal: an unknown
// path, query parameter or member, a missing header, a wrong media type, a
// value outside of its limits, members that exclude each other, a credential
// sent to the storage. A request is no violation when the service refuses it
// only for what it holds or for who asks: an unknown identifier, for example,
// is answered with 404. [Server.Tolerate] excuses requests that a test sends on
// purpose.
//
// # Time
//
// [Server.Clock] decides when tokens and addresses expire, when delayed writes
// take effect, and which times the service writes. It follows [time.Now], so it
// obeys a bubble; [WithClock] makes it virtual. An accepted write takes effect
// after a delay ([WithWriteDelay]) or with [Server.Settle]. [Server.FailWrite]
// makes a write fail late, which only its error event shows. [WithConsistency]
// makes writes overtake each other and lists and events lag; [Server.Changes]
// tells what has taken effect.
//
// # Forms of answers
//
// The service writes the same record in several forms: an empty member is null,
// empty or missing, a link names its relation in relation or rel, and members
// come that nobody has described. The form follows from the seed;
// [WithRendering] chooses it.
//
// # Webhooks
//
// The service sends changes to the subscriptions that ask for them, and signs
// them when the subscription has a key. [Server.Mount] serves a receiver,
// [Server.Emit] raises an event, [Server.Flush] waits for the deliveries and
// [Server.Deliveries] returns them. [WithWebhookChaos] repeats deliveries and
// changes their order.
//
// # Faults
//
// [Server.Inject] makes chosen requests fail as networks and services fail:
// refused, slow, reset before or after the work was done, cut short, endless,
// or answered by a proxy. [Server.Requests] returns the requests that the code
// under test sent.
//
// # Undocumented behaviour
//
// The description leaves some questions open. The embedded service then behaves
// as follows; no test should rely on it. It answers a UserId that is no enabled
// user of the firm, and an account that is not the client's, with 401. An event
// belongs to a range when it starts in it. The bank accounts of a matter are
// those that hold money of it, with all their balances. Editing a subscription
// without a key removes the key.
//
// # Stability
//
// The package is experimental: a minor version may change names, and make the
// service stricter as more becomes known of the real one. See docs/support.md.
package practicetest

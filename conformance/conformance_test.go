package conformance_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// bench holds the state that the stages of the conformance test share.
type bench struct {
	document *document
	ledger   *ledger
	calls    map[string]calls
}

// TestTheClientAndTheServiceKeepToTheDocument calls every operation in every
// way, validates each request and response against the document, and at the end
// reports the parts of the document that were not used.
func TestTheClientAndTheServiceKeepToTheDocument(t *testing.T) {
	t.Parallel()
	b := &bench{document: load(t, service(t).BaseURL()), ledger: newLedger(), calls: operationCalls(t)}
	for _, stage := range []struct {
		name string
		run  func(*bench, *testing.T)
	}{
		{"every operation succeeds", (*bench).succeed},
		{"as a client, for a user, with and without an account prefix", (*bench).actForAUser},
		{"the system account", (*bench).system},
		{"every page of every list", (*bench).walk},
		{"the first of several pages", (*bench).firstPage},
		{"both shapes of the promotions", (*bench).promotions},
		{"an item that is added to a matter", (*bench).addItem},
		{"a folder that is deleted", (*bench).deletedFolder},
		{"what has changed since a cursor", (*bench).changedFiles},
		{"a user who has left", (*bench).departedUser},
		{"every reason for a refusal", (*bench).refuse},
		{"refusals that the document cannot foresee", (*bench).refuseSense},
		{"every spoilt request", (*bench).spoil},
		{"every body at the edge of what is allowed", (*bench).reachEdges},
		{"every media type of a body", (*bench).acceptMedia},
		{"nothing was left out", (*bench).complete},
	} {
		t.Run(stage.name, func(t *testing.T) { stage.run(b, t) })
	}
}

// service returns a small firm with a stopped clock, whose writes take effect
// at once.
func service(t testing.TB, opts ...practicetest.Option) *practicetest.Server {
	return practicetest.New(t, append([]practicetest.Option{
		practicetest.WithEarlyNotFound(true), // as the document has it
		practicetest.WithVirtualClock(from), practicetest.WithMatters(2), practicetest.WithEvents(30), practicetest.WithWriteDelay(0),
	}, opts...)...)
}

// each runs a test for every operation, each with a new service.
func (b *bench) each(t *testing.T, test func(t *testing.T, of endpoint, c calls, server *practicetest.Server), opts ...practicetest.Option) {
	t.Helper()
	for id, of := range b.document.endpoints() {
		require.Contains(t, b.calls, id, "an operation of the document is not called")
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			test(t, of, b.calls[id], service(t, opts...))
		})
	}
	for id := range b.calls {
		assert.Contains(t, b.document.endpoints(), id, "a call is not for an operation of the document")
	}
}

func (b *bench) client(t testing.TB, server *practicetest.Server, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	return observed(t, b.document, b.ledger, server, opts...)
}

func (b *bench) succeed(t *testing.T) {
	b.each(t, func(t *testing.T, of endpoint, c calls, server *practicetest.Server) {
		client := b.client(t, server, c.op.ClientOptions(server)...)
		require.NoError(t, c.minimal(t.Context(), client, server.Firm()))
		if of.method != http.MethodDelete {
			for _, call := range append(c.instead(server.Firm()), c.full) {
				server.Reset() // resets records that can be created only once, and tokens
				client = b.client(t, server, c.op.ClientOptions(server)...)
				require.NoError(t, call(t.Context(), client, server.Firm()))
			}
		}
		calls := server.Requests()
		assert.Equal(t, of.id, calls[len(calls)-1].Operation)
	})
}

// asClient returns the credentials of the client itself, for a user of the
// firm.
func asClient(server *practicetest.Server) []practice.ClientOption {
	known := server.Credentials()
	return []practice.ClientOption{
		practice.WithTokens(auth.ClientCredentials{
			TokenURL: server.TokenURL(), ClientID: known.ClientID, ClientSecret: models.NewSecret(known.ClientSecret),
		}),
		practice.WithUserID(server.Firm().UserID),
	}
}

func (b *bench) actForAUser(t *testing.T) {
	t.Run("without a prefix", func(t *testing.T) {
		b.each(t, func(t *testing.T, of endpoint, c calls, server *practicetest.Server) {
			if of.method != http.MethodDelete {
				b.callAsUser(t, server, b.client(t, server, asClient(server)...), c)
			}
		})
	})
	t.Run("with a prefix", func(t *testing.T) {
		b.each(t, func(t *testing.T, _ endpoint, c calls, server *practicetest.Server) {
			b.callAsUser(t, server, b.client(t, server, asClient(server)...).ForAccount(server.Firm().AccountID), c)
		}, practicetest.WithMultiAccount(true))
	})
}

func (b *bench) callAsUser(t *testing.T, server *practicetest.Server, client *practice.Client, c calls) {
	t.Helper()
	require.NoError(t, c.full(t.Context(), client, server.Firm()))
	for _, call := range server.Requests() {
		if call.Part == practicetest.PartAPI {
			assert.Equal(t, server.Firm().UserID, call.Header.Get("UserId"))
		}
	}
}

// system manages subscriptions to system events.
func (b *bench) system(t *testing.T) {
	server := service(t)
	client := b.client(t, server, asClient(server)...).ForAccount(practice.SystemAccountID).With(practice.WithUserID(""))
	write := models.WebhookSubscriptionWrite{
		Name: "Types", EventTypes: []models.EventType{"mattertype.updated"},
		EventNotificationURL: "https://hooks.example.test/in", Key: models.Null[models.Secret](),
	}
	made, err := client.Webhooks.Create(t.Context(), write)
	require.NoError(t, err)
	_, err = client.Webhooks.Update(t.Context(), made.ID, write)
	require.NoError(t, err)
	_, err = client.Webhooks.ListTypes(t.Context(), practice.EventTypeListOptions{})
	require.NoError(t, err)
	listed, err := practice.Collect(client.Webhooks.All(t.Context(), practice.WebhookSubscriptionListOptions{}))
	require.NoError(t, err)
	require.Len(t, listed, 1)
	_, err = client.Webhooks.Delete(t.Context(), made.ID)
	require.NoError(t, err)
}

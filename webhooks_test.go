package practice_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestTheEventTypesAreTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		types, err := client.Webhooks.ListTypes(t.Context(), practice.EventTypeListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/webhooks/types", "")
		assert.ElementsMatch(t, models.EventTypes(), types)
		assert.Len(t, types, 43)
	})
}

func assertSubscription(t *testing.T, wire any, s models.WebhookSubscription) {
	t.Helper()
	testkit.AssertRecord(t, wire, map[string]any{
		"id": s.ID, "href": s.Href, "relation": s.Relation, "method": s.Method, "self": s.Self, "accountId": s.AccountID, "name": s.Name,
		"eventTypes": s.EventTypes, "eventNotificationUrl": s.EventNotificationURL, "createdDateUtc": s.CreatedDateUTC,
		"updatedDateUtc": s.UpdatedDateUTC, "lastUpdated": s.LastUpdated,
	})
	assert.True(t, s.Key.IsZero(), "a key is never read back")
	assert.Equal(t, s.UpdatedDateUTC.Time(), s.LastUpdated.Time(), "the ticks are exact")
}

func TestAWebhookSubscriptionFromItsCreationToItsEnd(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		made, err := client.Webhooks.Create(t.Context(), testkit.SubscriptionOf("matter.updated", "error"))
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/webhooks", "")
		assert.Equal(t, 200, testkit.LastSent(t, server).Status)
		assert.Equal(t, `{"name":"Matters","eventTypes":["matter.updated","error"],"eventNotificationUrl":"https://hooks.example.test/in","key":"k-0123456789"}`,
			string(testkit.LastSent(t, server).Body), "the body reveals the key")
		assert.Equal(t, "k-0123456789", made.Key.Reveal())
		assert.Equal(t, server.Firm().AccountID, made.AccountID)
		text, err := json.Marshal(made)
		require.NoError(t, err)
		assert.NotContains(t, fmt.Sprintf("%v %+v %#v %s", made, *made, made, text), "k-0123456789")

		listed, err := client.Webhooks.List(t.Context(), practice.WebhookSubscriptionListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 5}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/webhooks", "Limit=5&Offset=1")
		assert.Equal(t, 2, listed.Size.Or(0))
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/webhooks"))
		assertSubscription(t, testkit.Member(t, wire, "value").([]any)[1], listed.Items[0])
		assert.Equal(t, made.ID, listed.Items[0].ID)

		server.Clock().Advance(time.Minute)
		changed := models.WebhookSubscriptionWrite{
			Name: "All & sundry", EventTypes: []models.EventType{"memo.created"}, EventNotificationURL: "https://hooks.example.test/in?a=1&b=2",
			Key: models.Null[models.Secret](),
		}
		updated, err := client.Webhooks.Update(t.Context(), made.ID, changed)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PUT", "/webhooks/"+made.ID, "")
		assert.Equal(t, `{"name":"All & sundry","eventTypes":["memo.created"],"eventNotificationUrl":"https://hooks.example.test/in?a=1&b=2","key":null}`,
			string(testkit.LastSent(t, server).Body))
		assert.Equal(t, made.CreatedDateUTC, updated.CreatedDateUTC)
		assert.True(t, updated.UpdatedDateUTC.Time().After(made.UpdatedDateUTC.Time()))

		got, err := client.Webhooks.Get(t.Context(), made.ID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/webhooks/"+made.ID, "")
		assert.Equal(t, updated, got)
		assertSubscription(t, testkit.WireTree(t, testkit.WireText(t, client, "/webhooks/{id}", made.ID)), *got)
		assert.Equal(t, changed.EventTypes, got.EventTypes)

		_, err = client.Webhooks.Delete(t.Context(), made.ID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "DELETE", "/webhooks/"+made.ID, "")
		require.ErrorIs(t, testkit.Discard(client.Webhooks.Get(t.Context(), made.ID)), practice.ErrNotFound)
		listed, err = client.Webhooks.List(t.Context(), practice.WebhookSubscriptionListOptions{})
		require.NoError(t, err)
		assert.Equal(t, 1, listed.Size.Or(0))
	})
}

// TestTheKeySignsTheNotifications checks that notifications are signed with the
// key from the create of the subscription.
func TestTheKeySignsTheNotifications(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		key    models.Opt[models.Secret]
		body   string
		signed bool
	}{
		{"a key", models.Some(models.NewSecret("s&cr<e>t")), `,"key":"s&cr<e>t"}`, true},
		{"null", models.Null[models.Secret](), `,"key":null}`, false},
		{"left out", models.Opt[models.Secret]{}, `"}`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				subscription := testkit.SubscriptionOf(models.EventTypeStaffUpdated.Type())
				subscription.EventNotificationURL, subscription.Key = testkit.Inbox(t, server), test.key
				require.NoError(t, testkit.Discard(client.Webhooks.Create(t.Context(), subscription)))
				body := testkit.LastSent(t, server).Body
				assert.True(t, bytes.HasSuffix(body, []byte(test.body)), "%s", body)
				assert.Equal(t, test.signed || test.key.IsNull(), bytes.Contains(body, []byte(`"key"`)))

				require.NoError(t, testkit.Discard(client.Staff.Delete(t.Context(), server.Firm().StaffID, practice.WithRequestID("mine-1"))))
				server.Settle()
				require.NoError(t, server.Flush(t.Context()))
				require.Len(t, server.Deliveries(), 1)
				assert.Equal(t, test.signed, server.Deliveries()[0].Header.Get("Signature") != "")
				assert.Equal(t, "mine-1", server.Deliveries()[0].RequestID)
			})
		})
	}
}

func TestADeletedSubscriptionIsNotNotified(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		subscription := testkit.SubscriptionOf(models.EventTypeStaffUpdated.Type())
		subscription.EventNotificationURL = testkit.Inbox(t, server)
		made, err := client.Webhooks.Create(t.Context(), subscription)
		require.NoError(t, err)
		_, err = client.Webhooks.Delete(t.Context(), made.ID)
		require.NoError(t, err)
		require.NoError(t, testkit.Discard(client.Staff.Delete(t.Context(), server.Firm().StaffID)))
		server.Settle()
		require.NoError(t, server.Flush(t.Context()))
		assert.Empty(t, server.Deliveries())
	})
}

func TestSubscriptionsVanishWithTheirGrant(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		require.NoError(t, testkit.Discard(client.Webhooks.Create(t.Context(), testkit.SubscriptionOf("error"))))
		server.RevokeRefreshToken()
		left, err := practice.Collect(client.Webhooks.All(t.Context(), practice.WebhookSubscriptionListOptions{}))
		require.NoError(t, err)
		assert.Empty(t, left)
	})
}

func TestTheSystemAccount(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		system := server.Client(t, testkit.ClientCredentials(server)).ForAccount(practice.SystemAccountID)
		for _, types := range [][]models.EventType{{"matter.updated"}, {"mattertype.updated", "error"}} {
			err := testkit.Discard(system.Webhooks.Create(t.Context(), testkit.SubscriptionOf(types...)))
			require.True(t, testkit.IsArgumentError(err), "%v: %v", types, err)
			assert.ErrorContains(t, err, fmt.Sprintf("eventTypes[%d]", len(types)-1))
		}
		assert.Empty(t, server.Requests())

		address := testkit.Inbox(t, server)
		subscription := testkit.SubscriptionOf(models.EventTypeMatterTypeUpdated.Type())
		subscription.EventNotificationURL = address
		made, err := system.Webhooks.Create(t.Context(), subscription)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/"+practice.SystemAccountID+"/webhooks", "")
		assert.Equal(t, practice.SystemAccountID, made.AccountID)

		err = testkit.Discard(system.Webhooks.Update(t.Context(), made.ID, testkit.SubscriptionOf("memo.created")))
		require.True(t, testkit.IsArgumentError(err), "%v", err)

		listed, err := system.Webhooks.List(t.Context(), practice.WebhookSubscriptionListOptions{})
		require.NoError(t, err)
		require.Len(t, listed.Items, 1, "the firm's subscriptions are not among them")
		assert.Equal(t, made.ID, listed.Items[0].ID)
		require.ErrorIs(t, testkit.Discard(client.Webhooks.Get(t.Context(), made.ID)), practice.ErrForbidden, "nor is it among the firm's")

		server.Emit(practicetest.Event{Type: "mattertype.updated"})
		require.NoError(t, server.Flush(t.Context()))
		assert.True(t, slices.ContainsFunc(server.Deliveries(), func(d practicetest.Delivery) bool { return d.SubscriptionID == made.ID }))
		_, err = system.Webhooks.Delete(t.Context(), made.ID)
		require.NoError(t, err)

		server.Tolerate(func() {
			require.ErrorIs(t, testkit.Discard(system.Staff.Get(t.Context(), server.Firm().StaffID)), practice.ErrForbidden, "it has webhooks only")
			withToken := client.ForAccount(practice.SystemAccountID)
			require.ErrorIs(t, testkit.Discard(withToken.Webhooks.Create(t.Context(), subscription)), practice.ErrUnauthorized, "client credentials only")
		})
	})
}

// TestAnUnknownTypeIsLeftToTheService checks that the client sends an event
// type that it does not know, because it may be a system event of a later
// version.
func TestAnUnknownTypeIsLeftToTheService(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		system := server.Client(t, testkit.ClientCredentials(server)).ForAccount(practice.SystemAccountID)
		var err error
		server.Tolerate(func() {
			err = testkit.Discard(system.Webhooks.Create(t.Context(), testkit.SubscriptionOf("mattertype.created")))
		})
		require.ErrorIs(t, err, practice.ErrBadRequest)
		assert.Len(t, testkit.RequestsTo(server, practicetest.PartAPI), 1)
	})
}

func TestRefusalsOfWebhooks(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "Webhooks.Create", testkit.Refusal{
		Rule: "an event type that does not exist", Want: practice.ErrBadRequest, Fields: []string{`eventTypes: the event type "matter.closed" does not exist`},
		Call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.Webhooks.Create(ctx, testkit.SubscriptionOf("matter.closed")))
		},
	})
	testkit.AssertRefusals(t, "Webhooks.Update", testkit.Refusal{
		Rule: "update: an event type that does not exist", Want: practice.ErrBadRequest, Fields: []string{`eventTypes: the event type "matter.closed" does not exist`},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Webhooks.Update(ctx, f.WebhookID, testkit.SubscriptionOf("matter.closed")))
		},
	})
}

func TestAnUpdateDemandsTheKey(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		subscription := testkit.SubscriptionOf("error")
		subscription.Key = models.Opt[models.Secret]{}
		err := testkit.Discard(client.Webhooks.Update(t.Context(), server.Firm().WebhookID, subscription))
		require.True(t, testkit.IsArgumentError(err), "%v", err)
		assert.ErrorContains(t, err, "key")
		assert.Empty(t, server.Requests(), "leaving it out might remove it")
	})
}

func TestATestNotificationArrivesWhateverASubscriptionWants(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		wanted := testkit.SubscriptionOf("matter.updated")
		wanted.EventNotificationURL = testkit.Inbox(t, server)
		made, err := client.Webhooks.Create(t.Context(), wanted)
		require.NoError(t, err)
		_, err = client.Webhooks.Notify(t.Context(), made.ID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/webhooks/"+made.ID+"/notify", "")
		assert.Empty(t, testkit.LastSent(t, server).Body)
		require.NoError(t, server.Flush(t.Context()))
		require.Len(t, server.Deliveries(), 1)
		assert.Equal(t, "noop", server.Deliveries()[0].Type)
	})
}

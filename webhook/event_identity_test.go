package webhook_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// notificationOf returns the JSON of a notification.
func notificationOf(kind, account, subscription string, timestamp int64, payload string) []byte {
	return fmt.Appendf(nil, `{"accountId":%q,"subscriptionId":%q,"type":%q,"timestamp":%d,"payload":%s}`,
		account, subscription, kind, timestamp, payload)
}

// receive returns the event of a body.
func receive(t *testing.T, body []byte) *rawEvent {
	t.Helper()
	receiver := newReceiver(t)
	events := handleRest(receiver)
	require.Equal(t, 200, serve(receiver, signed(t, body)).Code)
	require.Len(t, *events, 1)
	return (*events)[0]
}

func TestEveryPartOfAnEventMakesItsIdentity(t *testing.T) {
	t.Parallel()
	const payload = `{"id":"1","title":"a b"}`
	seen := map[string]string{}
	for name, body := range map[string][]byte{
		"an event":        notificationOf("x.y", "account", "subscription", 5, payload),
		"another account": notificationOf("x.y", "account2", "subscription", 5, payload),
		"another type":    notificationOf("x.z", "account", "subscription", 5, payload),
		"another time":    notificationOf("x.y", "account", "subscription", 6, payload),
		"another payload": notificationOf("x.y", "account", "subscription", 5, `{"id":"1","title":"ab"}`),
		"another id":      notificationOf("x.y", "account", "subscription", 5, `{"id":"2","title":"a b"}`),
		"no payload":      notificationOf("x.y", "account", "subscription", 5, `null`),
		"shifted parts":   notificationOf("y", "accountx.", "subscription", 5, payload),
	} {
		identity := receive(t, body).Identity()
		assert.Regexp(t, "^[0-9a-f]{64}$", identity)
		assert.Empty(t, seen[identity], "%s and %s are told apart", name, seen[identity])
		seen[identity] = name
	}
}

// Two writes that fail for the same reason within a tick of the service's clock
// are two failures.
func TestErrorEventsWithoutAResourceAreToldApartByTheirRequest(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t, webhook.WithDeduplicator(newDeduplicator(t)))
	events := handleRest(receiver)
	for _, body := range [][]byte{
		notificationOf("error", "a", "s", 5, `{"message":"no"}`), notificationOf("fee.updated", "a", "s", 5, `{"title":"no"}`),
	} {
		for _, id := range []string{"one", "two", "ONE"} {
			require.Equal(t, 200, serve(receiver, signedWith(t, key, clock(), id, body)).Code)
		}
	}
	require.Len(t, *events, 3, "a redelivery has the RequestId of the first, in any case of its letters; other events have no such rule")
	for _, e := range *events {
		fed := receive(t, notificationOf("error", "a", "s", 5, `{"message":"no"}`))
		assert.NotEqual(t, fed.Identity(), e.Identity(), "it came with another RequestId")
	}
	assert.NotEqual(t, (*events)[0].Identity(), (*events)[1].Identity())
}

func TestATimeOfAnEventIsReadInAnyFormOfANumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]models.Ticks{
		"7": 7, "7.0": 7, `"7.0"`: 7, "70e-1": 7, "6.38912345678901234e17": 638912345678901234, "-7.0": 0,
		"638912345678901234.0": 638912345678901234, "1e999999999": 0, `"Inf"`: 0, `"soon"`: 0,
	} {
		body := fmt.Appendf(nil, `{"type":"x.y","timestamp":%s}`, text)
		assert.Equal(t, want, receive(t, body).Timestamp, text)
	}
}

// Two machines may each have created a subscription, and the event arrives
// through both.
func TestAnEventIsOneThroughSeveralSubscriptions(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t, webhook.WithDeduplicator(newDeduplicator(t)))
	events := handleRest(receiver)
	for i := range 3 {
		body := notificationOf("x.y", "account", fmt.Sprint("subscription", i), 5, `{"id":"1"}`)
		require.Equal(t, 200, serve(receiver, signed(t, body)).Code)
	}
	require.Len(t, *events, 1)
	assert.Equal(t, "subscription0", (*events)[0].SubscriptionID)
	assert.EqualValues(t, 2, receiver.Stats().Duplicates)
}

func TestARedeliveryHasTheIdentityOfTheFirst(t *testing.T) {
	t.Parallel()
	body := sample(t, "matter-updated")
	receiver := newReceiver(t, webhook.WithTolerance(time.Hour))
	events := handle(receiver, models.EventTypeMatterUpdated)
	spaced := strings.ReplaceAll(strings.ReplaceAll(string(body), "\n", ""), `": `, `" :  `)
	for i, text := range []string{string(body), spaced, `{"future":true,` + string(body)[1:]} {
		sent := clock().Add(time.Duration(i) * time.Minute)
		require.Equal(t, 200, serve(receiver, signedWith(t, key, sent, fmt.Sprint("request ", i), []byte(text))).Code)
	}
	require.Len(t, *events, 3)
	for _, e := range *events {
		assert.Equal(t, (*events)[0].Identity(), e.Identity(), "signed anew, and written otherwise")
		assert.Equal(t, "5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4", e.ResourceID())
	}
}

func TestTheResourceIsTheIDOfThePayload(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]string{
		`{"id":"abc"}`: "abc", `{"a":{"id":"inner"},"id":"out\u0065r"}`: "outer", `{"id":7}`: "7", `{"id":6.5e3}`: "6.5e3",
		`{"id":null}`: "", `{"id":{}}`: "", `{"id":["x"]}`: "", `{"id":true}`: "", `{"ID":"x"}`: "", `{}`: "",
		`[{"id":"x"}]`: "", `"id"`: "", `null`: "",
	} {
		body := notificationOf("x.y", "a", "s", 1, payload)
		assert.Equal(t, want, receive(t, body).ResourceID(), payload)
	}
	assert.Len(t, (&webhook.Event[string]{Type: "x"}).Identity(), 64, "an event made by hand has one too")
}

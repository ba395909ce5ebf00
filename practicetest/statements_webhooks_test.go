package practicetest_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func statementsOfSubscriptions() []statement {
	return []statement{
		{"there are 43 types of events, more may come", "unknown ones are refused unless an option adds them", func(w *witness) {
			c := w.at()
			assert.Len(w.t, c.get("/webhooks/types").want(200).list("value"), 43)
			c.mistake("POST", "/webhooks", hook("matter.closed"))
			c = w.at(practicetest.WithEventTypes("matter.closed", "error"))
			assert.Len(w.t, c.get("/webhooks/types").want(200).list("value"), 44)
			c.do("POST", "/webhooks", hook("matter.closed")).want(200)
		}},
		{"an edit without a key removes it", "the next delivery is not signed", func(w *witness) {
			c := w.at()
			inbox := subscribe(w.t, w.Server, "matter.updated")
			c.do("PUT", "/webhooks/"+inbox.id, strings.Replace(hook("matter.updated"), hooks, inbox.url, 1)).want(200)
			w.Emit(practicetest.Event{Type: "matter.updated"})
			assert.Empty(w.t, inbox.wait(1)[0].Header.Get("Signature"))
		}},
		{"a refused edit changes nothing", "neither its name nor its event types", func(w *witness) {
			c := w.at()
			path := "/webhooks/" + w.Firm().WebhookID
			before := c.get(path).Body
			c.mistake("PUT", path, `{"name":"other","eventTypes":[]}`)
			assert.Equal(w.t, before, c.get(path).Body)
		}},
		{"subscriptions end with the refresh token", "when it expires and when it is revoked", func(w *witness) {
			c := w.at(practicetest.WithVirtualClock(start), practicetest.WithRefreshLifetime(time.Minute))
			byClient := c.asClient().do("POST", "/webhooks", hook("error")).want(200).text("id")
			c.get("/webhooks/" + w.Firm().WebhookID).want(200)
			w.Clock().Advance(time.Minute)
			c.get("/webhooks/" + w.Firm().WebhookID).want(404)
			c.get("/webhooks/" + byClient).want(200)
			c = w.at()
			w.RevokeRefreshToken()
			c.get("/webhooks/" + w.Firm().WebhookID).want(404)
		}},
		{"mattertype.updated goes to every account", "raised in the other firm, heard in this one", func(w *witness) {
			w.at()
			inbox := subscribe(w.t, w.Server, "mattertype.updated", "matter.updated")
			w.Emit(practicetest.Event{Type: "matter.updated", AccountID: w.Firm().OtherAccountID})
			w.Emit(practicetest.Event{Type: "mattertype.updated", AccountID: w.Firm().OtherAccountID})
			assert.Equal(w.t, "mattertype.updated", inbox.wait(1)[0].text("type"))
		}},
	}
}

func statementsOfDeliveries() []statement {
	return []statement{
		{"nothing is sent to a subscription that is gone", "queued and to be repeated, then deleted: no further delivery", func(w *witness) {
			synctest.Test(w.t, func(t *testing.T) {
				w := &witness{t: t}
				c := w.at(practicetest.WithWebhookRedeliveries(3))
				id := c.do("POST", "/webhooks", hook("matter.updated")).want(200).text("id")
				w.Emit(practicetest.Event{Type: "matter.updated"})
				synctest.Wait()
				require.Len(t, w.Deliveries(), 1, "nobody listens there: it is to be repeated")
				w.Emit(practicetest.Event{Type: "matter.updated"})
				c.do("DELETE", "/webhooks/"+id, "").want(200)
				require.NoError(t, w.Flush(t.Context()))
				pass(time.Minute)
				assert.LessOrEqual(t, len(w.Deliveries()), 2, "the first attempt of the second may have been under way")
			})
		}},
		{"an edit reaches what is queued", "the attempt after it goes to the new address with the new key", func(w *witness) {
			synctest.Test(w.t, func(t *testing.T) {
				w := &witness{t: t}
				c := w.at(practicetest.WithWebhookRedeliveries(1))
				id := c.do("POST", "/webhooks", hook("matter.updated")).want(200).text("id")
				inbox := subscribe(t, w.Server, "error")
				w.Emit(practicetest.Event{Type: "matter.updated"})
				synctest.Wait()
				c.do("PUT", "/webhooks/"+id, strings.Replace(strings.Replace(hook("matter.updated"), hooks, inbox.url, 1), "{", `{"key":"k",`, 1)).want(200)
				assert.NotEmpty(t, inbox.wait(1)[0].Header.Get("Signature"))
			})
		}},
	}
}

func statementsOfTestTools() []statement {
	return []statement{
		{"the request log is bounded in bytes", "a thousand bodies of 60 kB keep no more than the budget", func(w *witness) {
			c := w.at(practicetest.WithStrict(false))
			body := `{"name":"` + strings.Repeat("x", 60_000) + `"}`
			const budget = 32 << 20
			for range budget/60_000 + 50 {
				c.do("POST", w.matter("/documents/folders"), body).want(400)
			}
			kept := 0
			for _, r := range w.Requests() {
				kept += len(r.Body)
			}
			assert.LessOrEqual(w.t, kept, budget)
			assert.Greater(w.t, kept, budget/2)
		}},
		{"an event carries JSON", "what is none panics and says so", func(w *witness) {
			w.at()
			assert.PanicsWithValue(w.t, "practicetest: the payload of the event matter.updated is not valid JSON", func() {
				w.Emit(practicetest.Event{Type: "matter.updated", Payload: json.RawMessage(`{`)})
			})
			w.Emit(practicetest.Event{Type: "matter.updated"})
		}},
	}
}

package practicetest_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

const hooks = "https://hooks.example.test/in"

func TestWebhookSubscriptions(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithTokenLifetime(2*time.Hour))
	c := call(t, s)
	made := c.do("POST", "/webhooks", `{"name":"n","eventTypes":["matter.created","error"],"eventNotificationUrl":"`+hooks+`","key":"k"}`).want(200)
	path := "/webhooks/" + made.text("id")
	assert.Equal(t, []any{"k", "n", hooks, s.Firm().AccountID, "2026-03-02T09:30:00.1234567Z", json.Number("639080406001234567")},
		[]any{made.at("key"), made.at("name"), made.at("eventNotificationUrl"), made.at("accountId"), made.at("createdDateUtc"), made.at("lastUpdated")})

	assert.NotContains(t, c.get(path).want(200).Body, `"key"`, "a key is never told again")
	list := c.get("/webhooks").want(200)
	assert.NotContains(t, list.Body, `"key"`)
	assert.Equal(t, []string{s.Firm().WebhookID, made.text("id")}, list.texts("id", "value"))
	second := c.get("/webhooks?limit=1&offset=1").want(200)
	assert.Equal(t, []string{made.text("id")}, second.texts("id", "value"))
	assert.Equal(t, json.Number("2"), second.at("size"))

	s.Clock().Advance(time.Hour)
	edited := c.do("PUT", path, `{"name":"m","eventTypes":["fee.updated"],"eventNotificationUrl":"`+hooks+`?x=1"}`).want(200)
	assert.Equal(t, []any{"m", "2026-03-02T09:30:00.1234567Z", "2026-03-02T10:30:00.1234567Z", []any{"fee.updated"}},
		[]any{edited.at("name"), edited.at("createdDateUtc"), edited.at("updatedDateUtc"), edited.at("eventTypes")})
	c.mistake("PUT", path, `{"eventTypes":[]}`)
	assert.Equal(t, edited.at("eventTypes"), c.get(path).at("eventTypes"), "a refused edit changes nothing")

	gone := c.do("DELETE", path, "").want(200)
	assert.Empty(t, gone.Body)
	c.get(path).want(404)
	c.do("DELETE", path, "").want(404)
}

func TestTheSystemAccountTakesSystemEventsOnly(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	system := call(t, s).asClient()
	system.prefix = "/" + practicetest.SystemAccountID
	body := func(kind string) string {
		return `{"name":"n","eventTypes":["` + kind + `"],"eventNotificationUrl":"` + hooks + `"}`
	}
	system.mistake("POST", "/webhooks", body("matter.updated"))
	made := system.do("POST", "/webhooks", body("mattertype.updated")).want(200)
	assert.Equal(t, practicetest.SystemAccountID, made.text("accountId"))
	assert.Equal(t, []string{made.text("id")}, system.get("/webhooks").texts("id", "value"))
	call(t, s).get("/webhooks/" + made.text("id")).want(403)
	assert.Len(t, system.get("/webhooks/types").want(200).list("value"), 43)
}

func TestWritesAreToldToThoseWhoAsked(t *testing.T) {
	t.Parallel()
	f := practicetest.New(t).Firm()
	matter, contact := "/matters/"+f.MatterID, "/contacts/"+f.ContactID
	tests := map[string]struct {
		method, path, body string
		types              []string
		id                 string
	}{
		"folder created": {"POST", matter + "/documents/folders", `{"name":"n"}`, []string{"files.updated"}, f.MatterID},
		"folder changed": {"PATCH", matter + "/documents/folders/" + f.FolderID, `{"name":"n"}`, []string{"files.updated"}, f.MatterID},
		"file created":   {"POST", matter + "/documents/files", `{"fileName":"n"}`, []string{"files.updated"}, f.MatterID},
		"fee changed":    {"PATCH", matter + "/fees/" + f.FeeID, `{"subject":"n"}`, []string{"fee.updated"}, f.FeeID},
		"relation":       {"PUT", contact + "/relations/" + f.RelatedContactID, `{"businessRole":"n"}`, []string{"contact.updated"}, f.ContactID},
		"relation made":  {"POST", contact + "/relations", `{"relatedContactId":"` + f.ContactIDs[9] + `"}`, []string{"contact.updated"}, f.ContactID},
		"relation ended": {"DELETE", contact + "/relations/" + f.RelatedContactID, "", []string{"contact.updated"}, f.ContactID},
		"contact":        {"PUT", contact, `{"company":{"name":"n"}}`, []string{"contact.updated"}, f.ContactID},
		"contact gone":   {"DELETE", contact, "", []string{"contact.deleted"}, f.ContactID},
		"tags added":     {"POST", contact + "/tags", `["n"]`, []string{"contact.updated"}, f.ContactID},
		"tag removed":    {"DELETE", contact + "/tags/" + f.TagID, "", []string{"contact.updated"}, f.ContactID},
		"tags removed":   {"DELETE", contact + "/tags", `["` + f.TagID + `"]`, []string{"contact.updated"}, f.ContactID},
		"staff gone":     {"DELETE", "/staff/" + f.StaffID, "", []string{"staff.updated", "user.unregistered"}, f.StaffID},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithWriteDelay(time.Second))
			inbox, deaf := subscribe(t, s, tt.types...), subscribe(t, s, "memo.created")
			call(t, s).with("RequestId", "mine").do(tt.method, tt.path, tt.body)
			s.Clock().Advance(time.Second)
			got := inbox.wait(len(tt.types))
			deaf.wait(0)
			n := got[0]
			assert.Equal(t, []any{tt.types[0], "API", s.Firm().AccountID, s.Credentials().UserID, inbox.id, tt.id},
				[]any{n.at("type"), n.at("source"), n.at("accountId"), n.at("userId"), n.at("subscriptionId"), n.at("payload", "id")})
			assert.Equal(t, "mine", n.Header.Get("RequestId"))
			mac := hmac.New(sha256.New, []byte(webhookKey))
			fmt.Fprintf(mac, "%s|mine|%s", n.Header.Get("Timestamp"), s.Credentials().ClientID)
			assert.Equal(t, hex.EncodeToString(mac.Sum(nil)), n.Header.Get("Signature"))
			stamp, err := strconv.ParseInt(string(n.at("timestamp").(json.Number)), 10, 64)
			require.NoError(t, err)
			assert.Contains(t, []int64{639080406001234567, 639080406011234567}, stamp, "the moment it took effect")
		})
	}
}

func TestAnUploadIsToldToThoseWhoAsked(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	inbox := subscribe(t, s, "files.updated")
	up := call(t, s).get("/matters/" + s.Firm().MatterID + "/documents/files/" + s.Firm().FileID + "/upload").want(200)
	require.Equal(t, 200, call(t, s).put(up.text("uploadUrl"), "x").Status)
	n := inbox.wait(1)[0]
	assert.Equal(t, s.Firm().MatterID, n.text("payload", "id"))
	assert.NotEmpty(t, n.Header.Get("RequestId"), "one is made up")
}

func TestEmittedEventsAreSentAsGiven(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	inbox := subscribe(t, s, "error")
	s.Emit(practicetest.Event{
		Type: "matter.closed", UserID: "u", Source: "Vendor", Payload: json.RawMessage(`{"n":1.10}`), Timestamp: 638912345678901234, RequestID: "r",
	})
	n := inbox.wait(1)[0]
	assert.Equal(t, []any{"matter.closed", "u", "Vendor", json.Number("1.10"), json.Number("638912345678901234"), "r"},
		[]any{n.at("type"), n.at("userId"), n.at("source"), n.at("payload", "n"), n.at("timestamp"), n.Header.Get("RequestId")},
		"an unknown type reaches every subscription of the account")
	require.NoError(t, s.Flush(t.Context()))
	made := s.Deliveries()
	at := slices.IndexFunc(made, func(d practicetest.Delivery) bool { return d.SubscriptionID == inbox.id })
	require.GreaterOrEqual(t, at, 0)
	assert.Equal(t, []any{inbox.url, 200}, []any{made[at].URL, made[at].Status})
}

func TestSubscriptionsThatHaveVanishedHearNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := practicetest.New(t, practicetest.WithRefreshLifetime(time.Hour))
		s.Emit(practicetest.Event{Type: "stageset.updated"})
		require.NoError(t, s.Flush(t.Context()))
		require.Len(t, s.Deliveries(), 1, "the seeded subscription belongs to a refresh token")
		pass(time.Hour)
		s.Emit(practicetest.Event{Type: "stageset.updated"})
		require.NoError(t, s.Flush(t.Context()))
		assert.Len(t, s.Deliveries(), 1)
	})
}

func TestChaosOfDeliveries(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWebhookChaos(0.5, 0.5))
	inbox := subscribe(t, s, "matter.updated")
	for n := range 100 {
		s.Emit(practicetest.Event{Type: "matter.updated", Payload: json.RawMessage(fmt.Sprintf(`{"n":%d}`, n))})
	}
	require.NoError(t, s.Flush(t.Context()))
	var order []string
	seen := map[string]bool{}
	for _, n := range inbox.got {
		number := string(n.at("payload", "n").(json.Number))
		order = append(order, number)
		seen[number] = true
	}
	assert.Len(t, seen, 100, "nothing is lost")
	assert.Greater(t, len(order), 120, "some come twice")
	assert.NotEqual(t, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, order[:10], "and not in order")
}

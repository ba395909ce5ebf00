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
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

const hooks = "https://hooks.example.test/in"

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

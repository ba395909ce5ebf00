package practicetest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// target returns the request line and the expected status for a sample of a
// request body.
func target(f practicetest.Firm, operation string) (method, path string, status int) {
	switch operation {
	case "addContactTags":
		return "POST", "/contacts/" + f.ContactID + "/tags", 201
	case "removeContactTags":
		return "DELETE", "/contacts/" + f.ContactID + "/tags", 202
	case "createFile":
		return "POST", "/matters/" + f.MatterID + "/documents/files", 202
	case "createFolder":
		return "POST", "/matters/" + f.MatterID + "/documents/folders", 202
	case "createWebhook":
		return "POST", "/webhooks", 200
	case "patchFee":
		return "PATCH", "/matters/" + f.MatterID + "/fees/" + f.FeeID, 202
	case "sendPortalMessage":
		return "POST", "/matters/" + f.MatterID + "/portal/messages", 202
	case "updateContactRelation":
		return "PUT", "/contacts/" + f.ContactID + "/relations/" + f.RelatedContactID, 202
	}
	panic(operation)
}

// samples reads the bodies in a folder and replaces the ids in them by those of
// the seeded firm.
func samples(t *testing.T, folder string, f practicetest.Firm) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/" + folder + "/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	bodies := map[string]string{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		bodies[strings.TrimSuffix(filepath.Base(file), ".json")] = strings.NewReplacer(
			"632ed7c7-ef4f-5faf-8178-9f9febc0a4a9", f.FolderID, "13eecfca-5699-5001-9310-bf202aba8df9", f.ContactID,
			"b8faf133-2bfe-5a85-9b3b-eaa8aff42c58", f.RelatedContactID, "6fe14976-551a-5747-a964-bab910074913", f.StaffID,
			"f7d24f0d-b129-559d-9e55-ab2c40559ef8", f.UserID,
		).Replace(string(raw))
	}
	return bodies
}

func TestEverySampleOfARequestIsAccepted(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	c := call(t, s).asClient().with("UserId", s.Firm().UserID) // some samples act for another user, which needs client credentials
	for name, body := range samples(t, "requests", s.Firm()) {
		for _, media := range []string{"application/json-patch+json", "application/json", "application/vnd.example+json; charset=utf-8"} {
			method, path, status := target(s.Firm(), strings.Split(name, ".")[0])
			a := c.with("Content-Type", media).do(method, path, body)
			assert.Equal(t, status, a.Status, "%s as %s: %s", name, media, a.Body)
		}
	}
	assert.Empty(t, s.Violations())
}

func TestEverySampleOfAnInvalidRequestIsRefused(t *testing.T) {
	t.Parallel()
	strict, lenient := practicetest.New(t), practicetest.New(t, practicetest.WithStrict(false))
	for name, body := range samples(t, "requests-invalid", strict.Firm()) {
		method, path, _ := target(strict.Firm(), strings.Split(name, ".")[0])
		assert.Len(t, strict.Tolerate(func() { call(t, strict).do(method, path, body).want(400) }), 1, name)
		call(t, lenient).do(method, path, body).want(400)
	}
}

func TestALenientServicePassesOverWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithStrict(false))
	c, folders := call(t, s), "/matters/"+s.Firm().MatterID+"/documents/folders"
	c.get("/events?Limit=1&page=7&limit=2").want(200)
	c.get("/bankaccounts?a=1").want(200)
	c.do("POST", folders, `{"name":"n","colour":"red"}`).want(202)
	c.get("/nothing").want(404)
	assert.Empty(t, s.Violations())
}

// FuzzBodies checks that each write gets a response, whatever its body, and
// that accepted bodies are valid JSON.
func FuzzBodies(f *testing.F) {
	operations := []string{
		"addContactTags", "removeContactTags", "createFile", "createFolder", "createWebhook", "patchFee", "sendPortalMessage", "updateContactRelation",
	}
	for i, body := range []string{
		`["VIP"]`, `[]`, `{"fileName":"a.b","folderPath":"a//b","fileAdditionalData":{}}`, `{"name":"n","parentFolderId":null}`,
		`{"name":"n","eventTypes":["error"],"eventNotificationUrl":"https://h.example.test"}`,
		`{"feeType":1,"rate":1e18,"duration":-9223372036854775808,"tax":-0.10,"sourceItems":[{}],"taxInclusive":true}`, `{"message":"\ud800"}`, `{"businessRole":null}`,
	} {
		f.Add(uint8(i), []byte(body))
	}
	s := practicetest.New(f, practicetest.WithStrict(false), practicetest.WithWriteDelay(0), practicetest.WithRequestLog(0), practicetest.WithEvents(0))
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		method, path, status := target(s.Firm(), operations[int(which)%len(operations)])
		c := call(t, s).with("Content-Type", "application/json")
		got := c.do(method, path, string(body))
		if got.Status == status {
			require.True(t, json.Valid(body))
		} else {
			require.Contains(t, []int{400, 403, 404}, got.Status)
		}
		require.True(t, got.Body == "" || json.Valid([]byte(got.Body)))
		if strings.Contains(path, "/fees/") {
			c.get(path).want(200)
		}
	})
}

// FuzzQueries checks that each list gets a response, whatever its query.
func FuzzQueries(f *testing.F) {
	for _, query := range []string{
		"From=2026-01-01T00:00:00&To=2027-01-01T00:00:00", "UpdatedSince=638912345678901234", "UpdatedSince=0", "limit=500&OFFSET=2147483647",
		"ExcludeDeletedEvents=TRUE&MatterId=%00", "a;b", "From=2026-01-01T00:00:00&From=x", "From=2026-01-01T00%3A00%3A00,5",
		"limit=050", "limit=%2B50", "limit=-0", "limit=9223372036854775808", "limit=0x10", "offset=1e1", "offset=",
	} {
		f.Add(query)
	}
	s := practicetest.New(f, practicetest.WithStrict(false), practicetest.WithRequestLog(0), practicetest.WithEvents(10))
	f.Fuzz(func(t *testing.T, query string) {
		if strings.ContainsAny(query, " #") || strings.ContainsFunc(query, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
			return // a client cannot send this
		}
		got := call(t, s).get("/events?" + query)
		require.Contains(t, []int{200, 400}, got.Status)
		require.True(t, json.Valid([]byte(got.Body)), "%s", got.Body)
	})
}

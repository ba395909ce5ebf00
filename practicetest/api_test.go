package practicetest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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

func TestTheInterfaceEndsWhereItEnds(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	f := s.Firm()
	folders := "/matters/" + f.MatterID + "/documents/folders"
	tests := map[string]struct {
		method, path, body, media string
		status                    int
		allow, violation          string
	}{
		"an unknown path":             {"GET", "/cases", "", "", 404, "", "the interface has no such path"},
		"a slash too many":            {"GET", "/bankaccounts/", "", "", 404, "", "the interface has no such path"},
		"an escaped slash":            {"GET", "/staff/a%2Fb", "", "", 400, "", "id: not a UUID"},
		"an empty id":                 {"GET", "/staff//", "", "", 404, "", "the interface has no such path"},
		"a wrong method":              {"DELETE", "/bankaccounts", "", "", 405, "GET", "the path has no such method, only GET"},
		"a wrong method of several":   {"PUT", folders, "{}", "", 405, "GET, POST", "the path has no such method, only GET, POST"},
		"a literal path has its own":  {"POST", "/subscriptions/promotions", "{}", "", 405, "GET", "the path has no such method, only GET"},
		"and hides the one beside it": {"PUT", "/webhooks/types", "{}", "", 405, "GET", "the path has no such method, only GET"},
		"two slashes in front":        {"GET", "//bankaccounts", "", "", 404, "", "the interface has no such path"},
		"no media type":               {"POST", folders, `{"name":"n"}`, " ", 415, "", `the media type "" is not accepted`},
		"a form":                      {"POST", folders, `{"name":"n"}`, "text/plain", 415, "", `the media type "text/plain" is not accepted`},
		"broken JSON":                 {"POST", folders, `{"name":`, "", 400, "", "broken JSON: it ends too soon"},
		"broken JSON inside":          {"POST", folders, `{"name":"a" "b"}`, "", 400, "", "broken JSON: invalid character"},
		"an unfinished object":        {"POST", folders, `{"name":"a"`, "", 400, "", "broken JSON: it ends too soon"},
		"no object":                   {"POST", folders, `[]`, "", 400, "", "the body is not a JSON object"},
		"something behind":            {"POST", folders, `{"name":"n"}{}`, "", 400, "", "there is something after the JSON value"},
		"a member twice":              {"POST", folders, `{"name":"a","name":"b"}`, "", 400, "", `the member "name" occurs twice`},
		"an unknown member":           {"POST", folders, `{"name":"a","Name":"b"}`, "", 400, "", "Name: unknown member"},
		"a required body is missing":  {"POST", "/webhooks", "", "application/json", 400, "", "the body is not a JSON object"},
		"a body where there is none":  {"GET", "/bankaccounts", "{}", "", 200, "", "the operation has no body"},
		"a list that is null":         {"POST", "/contacts/" + f.ContactID + "/tags", "null", "", 400, "", "the body is not an array of texts"},
		"a list with null":            {"POST", "/contacts/" + f.ContactID + "/tags", "[null]", "", 400, "", "the body is not an array of texts"},
		"a list with something after": {"POST", "/contacts/" + f.ContactID + "/tags", "[] []", "", 400, "", "there is something after the JSON value"},
		"an unknown query parameter":  {"GET", "/bankaccounts?page=1", "", "", 400, "", `page: unknown query parameter`},
		"a query parameter twice":     {"GET", "/events?Limit=1&Limit=2", "", "", 400, "", `Limit: occurs twice`},
		"twice in another case":       {"GET", "/events?Limit=1&limit=2", "", "", 400, "", `Limit: occurs twice`},
		"a query that is none":        {"GET", "/events?a=%zz", "", "", 400, "", "the query cannot be read"},
		"a query where there is none": {"GET", "/staff/" + f.StaffID + "?limit=5", "", "", 400, "", `limit: unknown query parameter`},
		"parameters in another case":  {"GET", "/events?LIMIT=1&offset=2", "", "", 200, "", ""},
		"a path id that is no UUID":   {"GET", "/staff/me", "", "", 400, "", "id: not a UUID"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := call(t, s)
			if tt.media != "" {
				c = c.with("Content-Type", strings.TrimSpace(tt.media))
			}
			var a answer
			found := s.Tolerate(func() { a = c.do(tt.method, tt.path, tt.body).want(tt.status) })
			assert.Equal(t, tt.allow, a.Header.Get("Allow"))
			if tt.violation == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Contains(t, found[0], tt.violation)
		})
	}
	assert.Empty(t, s.Violations())
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

func TestLimitsOfParametersAndMembers(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	f := s.Firm()
	folder := "/matters/" + f.MatterID + "/documents/folders/" + f.FolderID
	fee := "/matters/" + f.MatterID + "/fees/" + f.FeeID
	tests := []struct {
		method, path, body string
		status             int
		field              string
	}{
		{"GET", folder + "?limit=0", "", 400, "limit"},
		{"GET", folder + "?limit=1&offset=0", "", 200, ""},
		{"GET", folder + "?limit=500&offset=2147483647", "", 200, ""},
		{"GET", folder + "?limit=501", "", 400, "limit"},
		{"GET", folder + "?limit=x", "", 400, "limit"},
		{"GET", folder + "?offset=-1", "", 400, "offset"},
		{"GET", folder + "?offset=2147483648", "", 400, "offset"},
		{"GET", "/events?Limit=501", "", 400, "Limit"},
		{"GET", "/events?MatterId=x", "", 400, "MatterId"},
		{"GET", "/events?MatterId=", "", 400, "MatterId"},
		{"GET", "/bankaccounts?matterId=10001", "", 400, "matterId"},
		{"GET", "/events?Offset=-1", "", 400, "Offset"},
		{"GET", "/subscriptions/promotions?Limit=0", "", 400, "Limit"},
		{"GET", "/subscriptions/promotions?Offset=99999999999999999999", "", 400, "Offset"},
		{"GET", "/webhooks?Limit=501", "", 400, "Limit"},
		{"GET", "/contacts/" + f.ContactID + "/relations?limit=501", "", 400, "limit"},
		{"GET", "/contacts/" + f.ContactID + "/tags?Limit=501", "", 400, "Limit"},
		{"PATCH", folder, `{"name":""}`, 400, "name"},
		{"PUT", "/contacts/" + f.ContactID + "/relations/" + f.ContactID, "{}", 400, "relatedContactId"},
		{"PUT", "/contacts/" + f.ContactID + "/relations/" + f.RelatedContactID, `{"relatedContactId":"` + f.ContactID + `"}`, 400, "relatedContactId"},
		{"PATCH", folder, fmt.Sprintf(`{"name":%q}`, strings.Repeat("ä", 256)), 202, ""},
		{"PATCH", folder, fmt.Sprintf(`{"name":%q}`, strings.Repeat("ä", 257)), 400, "name"},
		{"PATCH", fee, `{"subject":"x"}`, 202, ""},
		{"PATCH", fee, `{"subject":""}`, 400, "subject"},
		{"PATCH", fee, `{"rate":1e400}`, 400, "rate"},
		{"PATCH", fee, `{"sourceItems":[{"description":1}]}`, 400, "sourceItems"},
		{"PATCH", fee, `{"sourceItems":[{"minutes":1}]}`, 400, "sourceItems"},
		{"PATCH", fee, `{"sourceItems":[1]}`, 400, "sourceItems"},
		{"PATCH", fee, `{"sourceItems":1}`, 400, "sourceItems"},
		{"PATCH", fee, `{"isBillable":"yes"}`, 400, "isBillable"},
		{"POST", "/matters/" + f.MatterID + "/documents/files", fmt.Sprintf(`{"fileName":%q}`, strings.Repeat("f", 257)), 400, "fileName"},
		{"POST", "/matters/" + f.MatterID + "/documents/files", `{"fileName":"f","fileAdditionalData":[]}`, 400, "fileAdditionalData"},
		{"POST", "/webhooks", `{"name":"n","eventTypes":["No.Such"],"eventNotificationUrl":"https://h.example.test/"}`, 400, "eventTypes"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %.120s %.40s", tt.method, tt.path, tt.body), func(t *testing.T) {
			found := s.Tolerate(func() {
				a := call(t, s).do(tt.method, tt.path, tt.body).want(tt.status)
				switch {
				case tt.field == "":
				case strings.Contains(tt.path, "/folders/") && tt.method == "GET":
					assert.NotEmpty(t, a.list("errors", tt.field), "the folder listing has an object of errors")
					assert.Contains(t, a.Header.Get("Content-Type"), "application/json")
				default:
					assert.Equal(t, tt.field, a.text("errors", 0, "field"), "others have an array")
					assert.NotEmpty(t, a.text("errors", 0, "message"))
					assert.Contains(t, a.Header.Get("Content-Type"), "application/problem+json")
				}
			})
			assert.Equal(t, tt.field != "", len(found) == 1, found)
		})
	}
}

func TestIdsThatDoNotExistAndThoseOfAnotherFirm(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	f := s.Firm()
	const relation, portal = `{"businessRole":"x"}`, `{"message":"m","contactId":"%s"}`
	hook := `{"name":"n","eventTypes":["error"],"eventNotificationUrl":"https://h.example.test/"}`
	own := "/matters/" + f.MatterID
	tests := []struct {
		method, path, body string
		ids                map[string]int // id to insert for %s, and the expected status
	}{
		{"GET", "/matters/%s/documents/folders", "", map[string]int{nobody: 404, f.OtherFirmMatterID: 403, f.MatterID: 200}},
		{"POST", "/matters/%s/documents/folders", `{"name":"n"}`, map[string]int{nobody: 404, f.OtherFirmMatterID: 403}},
		{"POST", own + "/documents/folders", `{"name":"n","parentFolderId":"%s"}`, map[string]int{nobody: 404, f.OtherFirmFolderID: 403, f.FolderID: 202}},
		{"GET", own + "/documents/folders/%s", "", map[string]int{nobody: 404, f.OtherFirmFolderID: 403, f.FolderID: 200}},
		{"PATCH", own + "/documents/folders/%s", `{"name":"n"}`, map[string]int{nobody: 404, f.OtherFirmFolderID: 403}},
		{"PATCH", own + "/documents/folders/" + f.FolderID, `{"parentFolderId":"%s"}`, map[string]int{nobody: 404, f.OtherFirmFolderID: 403, f.FolderID: 400}},
		{"GET", "/matters/" + f.MatterIDs[1] + "/documents/folders/%s", "", map[string]int{f.FolderID: 404}},
		{"POST", "/matters/%s/documents/files", `{"fileName":"n"}`, map[string]int{nobody: 404, f.OtherFirmMatterID: 403}},
		{"POST", own + "/documents/files", `{"fileName":"n","folderId":"%s"}`, map[string]int{nobody: 404, f.OtherFirmFolderID: 403, f.FolderID: 202}},
		{"GET", own + "/documents/files/%s/upload", "", map[string]int{nobody: 404, f.OtherFirmFileID: 403}},
		{"GET", own + "/documents/files/%s/download", "", map[string]int{nobody: 404, f.OtherFirmFileID: 403}},
		{"GET", "/matters/" + f.MatterIDs[1] + "/documents/files/%s/download", "", map[string]int{f.FileID: 404}},
		{"GET", own + "/documents/files/" + f.FileID + "/download?versionId=%s", "", map[string]int{nobody: 404}},
		{"GET", "/policies/%s", "", map[string]int{nobody: 404, f.OtherFirmPolicyReference: 403, f.UserID: 200}},
		// A fee that does not exist is reported later, by an error event.
		{"PATCH", own + "/fees/%s", `{"subject":"s"}`, map[string]int{nobody: 202}},
		{"PATCH", "/matters/%s/fees/" + f.FeeID, `{"subject":"s"}`, map[string]int{nobody: 404, f.OtherFirmMatterID: 403, f.MatterIDs[1]: 202}},
		{"PATCH", own + "/fees/" + f.FeeID, `{"staffId":"%s"}`, map[string]int{nobody: 400, f.OtherFirmStaffID: 400, f.StaffID: 202}},
		{"GET", own + "/fees/%s", "", map[string]int{nobody: 404, f.FeeID: 200}},
		{"GET", own + "/expenses/%s", "", map[string]int{nobody: 404, f.ExpenseID: 200}},
		{"GET", "/matters/%s/expenses/" + f.ExpenseID, "", map[string]int{nobody: 404, f.OtherFirmMatterID: 403, f.MatterIDs[1]: 404}},
		{"GET", "/contacts/%s/relations", "", map[string]int{nobody: 404, f.OtherFirmContactID: 403}},
		{"PUT", "/contacts/%s/relations/" + f.RelatedContactID, relation, map[string]int{nobody: 404, f.OtherFirmContactID: 403}},
		{"PUT", "/contacts/" + f.ContactID + "/relations/%s", relation, map[string]int{nobody: 404, f.OtherFirmContactID: 403}},
		{"PUT", "/contacts/" + f.ContactID + "/relations/" + f.RelatedContactID, `{"relatedContactId":"%s"}`, map[string]int{f.RelatedContactID: 202}},
		{"POST", "/contacts/%s/tags", "[]", map[string]int{nobody: 404, f.OtherFirmContactID: 403}},
		{"DELETE", "/contacts/%s/tags", "[]", map[string]int{nobody: 404, f.OtherFirmContactID: 403}},
		{"DELETE", "/contacts/%s/tags/" + f.TagID, "", map[string]int{nobody: 404, f.OtherFirmContactID: 403}},
		{"DELETE", "/contacts/" + f.ContactID + "/tags/%s", "", map[string]int{nobody: 404}},
		{"GET", "/contacts/%s/tags", "", map[string]int{nobody: 404, f.OtherFirmContactID: 403}},
		{"GET", "/staff/%s", "", map[string]int{nobody: 404, f.OtherFirmStaffID: 403, strings.ToUpper(f.StaffID): 200}},
		{"DELETE", "/staff/%s", "", map[string]int{nobody: 404, f.OtherFirmStaffID: 403}},
		{"POST", "/matters/%s/portal/messages", fmt.Sprintf(portal, f.ContactID), map[string]int{nobody: 404, f.OtherFirmMatterID: 403}},
		{"POST", own + "/portal/messages", portal, map[string]int{nobody: 404, f.OtherFirmContactID: 403, f.ContactID: 202}},
		{"GET", own + "/roles/%s/relationships", "", map[string]int{nobody: 404, f.RoleID: 200}},
		{"GET", "/matters/%s/roles/" + f.RoleID + "/relationships", "", map[string]int{nobody: 404, f.OtherFirmMatterID: 403, f.MatterIDs[1]: 404}},
		{"GET", "/subscriptions/%s", "", map[string]int{nobody: 404, f.OtherFirmSubscriptionID: 403}},
		{"GET", "/subscriptions/%s/paymentmethods/" + f.PaymentMethodID, "", map[string]int{nobody: 404, f.OtherFirmSubscriptionID: 403}},
		{"GET", "/subscriptions/" + f.SubscriptionID + "/paymentmethods/%s", "", map[string]int{nobody: 404}},
		{"GET", "/webhooks/%s", "", map[string]int{nobody: 404, f.OtherFirmWebhookID: 403}},
		{"PUT", "/webhooks/%s", hook, map[string]int{nobody: 404, f.OtherFirmWebhookID: 403}},
		{"DELETE", "/webhooks/%s", "", map[string]int{nobody: 404, f.OtherFirmWebhookID: 403}},
		{"POST", "/webhooks/%s/notify", "", map[string]int{nobody: 404, f.OtherFirmWebhookID: 403}},
		// A filter that matches nothing is not an error.
		{"GET", "/events?MatterId=%s", "", map[string]int{nobody: 200, f.OtherFirmMatterID: 200}},
		{"GET", "/bankaccounts?matterId=%s", "", map[string]int{nobody: 200, f.OtherFirmMatterID: 200}},
	}
	for _, tt := range tests {
		for id, status := range tt.ids {
			path, body := strings.ReplaceAll(tt.path, "%s", id), strings.ReplaceAll(tt.body, "%s", id)
			a := call(t, s).do(tt.method, path, body)
			assert.Equal(t, status, a.Status, "%s %s %s: %s", tt.method, path, body, a.Body)
		}
	}
	assert.Empty(t, s.Violations(), "an id that does not exist is no violation")
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
	client := s.HTTPClient()
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		method, path, status := target(s.Firm(), operations[int(which)%len(operations)])
		request, err := http.NewRequest(method, s.BaseURL()+path, bytes.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("x-api-key", s.Credentials().APIKey)
		request.Header.Set("Authorization", "Bearer "+s.Credentials().AccessToken)
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		require.NoError(t, err)
		answered, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		if response.StatusCode == status {
			require.True(t, json.Valid(body))
		} else {
			require.Contains(t, []int{400, 403, 404}, response.StatusCode)
		}
		require.True(t, len(answered) == 0 || json.Valid(answered))
		if strings.Contains(path, "/fees/") {
			read, err := http.NewRequest(http.MethodGet, s.BaseURL()+path, nil)
			require.NoError(t, err)
			read.Header = request.Header
			response, err := client.Do(read)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, 200, response.StatusCode)
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
	client := s.HTTPClient()
	f.Fuzz(func(t *testing.T, query string) {
		request, err := http.NewRequest(http.MethodGet, s.BaseURL()+"/events", nil)
		require.NoError(t, err)
		if strings.ContainsAny(query, " #") || strings.ContainsFunc(query, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
			return // a client cannot send this
		}
		request.URL.RawQuery = query
		request.Header.Set("x-api-key", s.Credentials().APIKey)
		request.Header.Set("Authorization", "Bearer "+s.Credentials().AccessToken)
		response, err := client.Do(request)
		require.NoError(t, err)
		answered, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Contains(t, []int{200, 400}, response.StatusCode)
		require.True(t, json.Valid(answered), "%s", answered)
	})
}

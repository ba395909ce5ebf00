package practicetest_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// variation is another form of a valid request: the service responds with
// status and reports no violation.
type variation struct {
	method, path, body string
	header             string // "Name: value"
	status             int
}

func TestEveryLegalVariationPasses(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	c, names := call(t, s), identifiers(s.Firm())
	upper := strings.NewReplacer("{STAFF}", strings.ToUpper(s.Firm().StaffID), "{FOLDER}", strings.ToUpper(s.Firm().FolderID),
		"{MATTER}", strings.ToUpper(s.Firm().MatterID), "{staff-}", strings.ReplaceAll(s.Firm().StaffID, "-", "%2d"))
	for _, v := range slices.Concat(variationsOfAddresses(), variationsOfBodies()) {
		as := c
		if name, value, given := strings.Cut(v.header, ": "); given {
			if name == "Authorization" {
				value += s.Credentials().AccessToken
			}
			as = c.with(name, value)
		}
		got := as.do(v.method, upper.Replace(names.Replace(v.path)), upper.Replace(names.Replace(v.body)))
		assert.Equal(t, v.status, got.Status, "%+v: %s", v, got.Body)
	}
	assert.Empty(t, s.Violations())
}

func variationsOfAddresses() []variation {
	return []variation{
		{"GET", "/staff/{STAFF}", "", "", 200},
		{"GET", "/staff/{staff-}", "", "", 200},
		{"GET", "/bankaccounts?matterId={MATTER}", "", "", 200},
		{"GET", "/bankaccounts?MATTERID={matter}&Type=Trust", "", "", 200},
		{"GET", "/bankaccounts?", "", "", 200},
		{"GET", "/bankaccounts?&", "", "", 200},
		{"GET", "/%62ankaccounts", "", "", 200},
		{"GET", "/events?limit=5&OFFSET=0", "", "", 200},
		{"GET", "/events?Limit=005", "", "", 200},
		{"GET", "/events?Limit=%35", "", "", 200},
		{"GET", "/events?From=2026-03-02T09%3a30%3A00", "", "", 200},
		{"GET", "/events?ExcludeDeletedEvents=True", "", "", 200},
		{"GET", "/events?UpdatedSince=639080406001234567", "", "", 200},
		{"GET", "/events?UpdatedSince=1900-01-01T00:00:00", "", "", 200},
		{"GET", "/events?To=2000-01-01T00:00:00&From=2001-01-01T00:00:00", "", "", 200},
		{"GET", "/matters/{MATTER}/documents/folders/{FOLDER}?Offset=0&LIMIT=500", "", "", 200},
		{"GET", "/matters/{matter}/documents/folders", "", "", 200},
		{"GET", "/subscriptions/promotions?offset=2147483647", "", "", 200},
		{"GET", "/bankaccounts", "", "Authorization: bearer ", 200},
		{"GET", "/bankaccounts", "", "Authorization: BEARER ", 200},
		{"GET", "/bankaccounts", "", "Accept: text/html", 200},
		{"GET", "/bankaccounts", "", "Accept-Encoding: gzip, br", 200},
		{"GET", "/bankaccounts", "", "Content-Type: application/json", 200},
		{"GET", "/bankaccounts", "", "Accept-Language: fr", 200},
		{"GET", "/bankaccounts", "", "RequestId: any text at all", 200},
		{"GET", "/bankaccounts", "", "X-Whatever: 1", 200},
		{"GET", "/bankaccounts", "", "Cookie: a=b", 200},
		{"GET", "/bankaccounts", "", "If-None-Match: \"x\"", 200},
	}
}

func variationsOfBodies() []variation {
	const folders, fee = "/matters/{matter}/documents/folders", "/matters/{matter}/fees/{fee}"
	return []variation{
		{"POST", folders, `{"name":"n"}`, "Content-Type: application/json", 202},
		{"POST", folders, `{"name":"n"}`, "Content-Type: application/json; charset=utf-8", 202},
		{"POST", folders, `{"name":"n"}`, "Content-Type: application/json;charset=\"UTF-8\"", 202},
		{"POST", folders, `{"name":"n"}`, "Content-Type: Application/JSON-Patch+JSON", 202},
		{"POST", folders, `{"name":"n"}`, "Content-Type: application/*+json", 202},
		{"POST", folders, `{"name":"n"}`, "Content-Type: application/vnd.example.v1+json", 202},
		{"POST", folders, " \r\n\t{ \"name\" : \"n\" } \n", "", 202},
		{"POST", folders, `{"\u006eame":"n"}`, "", 202},
		{"POST", folders, `{"name":"\ud83d\ude00"}`, "", 202},
		{"POST", folders, `{"name":"é/\\:*?\"<>|"}`, "", 202},
		{"POST", folders, `{"name":"n","parentFolderId":null,"userId":null}`, "", 202},
		{"POST", folders, `{"name":"n","parentFolderId":"{FOLDER}"}`, "", 202},
		{"POST", "/matters/{matter}/documents/files", `{"fileName":"no extension","folderPath":"a/b"}`, "", 202},
		{"POST", "/matters/{matter}/documents/files", `{"fileName":".hidden","dateCreated":"2026-03-02T09:30:00+01:00"}`, "", 202},
		{"POST", "/matters/{matter}/documents/files", `{"fileName":"f","dateCreated":"2026-03-02T09:30:00.1234567"}`, "", 202},
		{"POST", "/matters/{matter}/documents/files", `{"fileName":"f","fileAdditionalData":{"any":[1,{}]}}`, "", 202},
		{"PATCH", fee, `{}`, "", 202},
		{"PATCH", fee, `{"rate":1.50e2,"duration":-0}`, "", 202},
		{"PATCH", fee, `{"rate":0.10,"tax":null,"sourceItems":null}`, "", 202},
		{"PATCH", fee, `{"sourceItems":[]}`, "", 202},
		{"DELETE", "/contacts/{contact}/tags/{tag}", ``, "Content-Type: application/json", 202},
		{"POST", "/contacts/{contact}/tags", `[]`, "", 201},
		{"PUT", "/contacts/{contact}/relations/{related}", `{}`, "", 202},
		{"POST", "/webhooks", `{"name":"n","eventTypes":["error","error"],"eventNotificationUrl":"http://h.example.test:8080?x=%2F","key":null}`, "", 200},
	}
}

func TestABodyInChunksIsRead(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	body := io.NopCloser(strings.NewReader(`{"code":"ADV"}`))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.BaseURL()+"/activitycodes", body)
	require.NoError(t, err)
	request.Header = http.Header{
		"X-Api-Key": {s.Credentials().APIKey}, "Authorization": {"Bearer " + s.Credentials().AccessToken}, "Content-Type": {"application/json"},
	}
	send(t, s, request).want(202)
}

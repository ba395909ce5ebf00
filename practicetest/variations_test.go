package practicetest_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

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
	for _, v := range slicesOf(variationsOfAddresses(), variationsOfBodies()) {
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

// TestEveryLegalWayOfHTTPPasses sends valid requests in different forms that
// HTTP allows.
func TestEveryLegalWayOfHTTPPasses(t *testing.T) {
	t.Parallel()
	w := &witness{t: t}
	w.at()
	get := w.head("GET", "/bankaccounts")
	post := w.head("POST", w.matter("/documents/folders"), "Content-Type: application/json")
	base, err := url.Parse(w.BaseURL())
	require.NoError(t, err)
	with := func(head []string, change func([]string)) []string {
		all := append([]string(nil), head...)
		change(all)
		return all
	}
	for name, tt := range map[string]struct {
		lines  []string
		status int
	}{
		"HTTP/1.0":              {with(get, func(l []string) { l[0] = strings.Replace(l[0], "1.1", "1.0", 1) }), 200},
		"HTTP/1.0 without Host": {with(get, func(l []string) { l[0], l[1] = strings.Replace(l[0], "1.1", "1.0", 1), "X: 1" }), 200},
		"the absolute form":     {with(get, func(l []string) { l[0] = strings.Replace(l[0], " /", " http://"+base.Host+"/", 1) }), 200},
		"headers in capitals":   {with(get, func(l []string) { l[2] = strings.Replace(l[2], "x-api-key", "X-API-KEY", 1) }), 200},
		"spaces around a value": {with(get, func(l []string) { l[2] += "  \t" }), 200},
		"Content-Length 0":      {append(get[:len(get):len(get)], "Content-Length: 0"), 200},
		"a chunked body":        {append(post[:len(post):len(post)], "Transfer-Encoding: chunked", "", "5", `{"nam`, "7", `e":"n"}`, "0", "", ""), 202},
		"a length":              {append(post[:len(post):len(post)], "Content-Length: 12", "", `{"name":"n"}`), 202},
	} {
		lines := tt.lines
		if lines[len(lines)-1] != "" && !strings.HasPrefix(lines[len(lines)-1], "{") {
			lines = append(lines, "", "")
		}
		assert.Equal(t, tt.status, w.raw(w.BaseURL(), lines...), name)
	}
	assert.Equal(t, http.StatusAccepted, w.afterContinue(append(post, "Expect: 100-continue", "Content-Length: 12", "", ""), `{"name":"n"}`))
	assert.Empty(t, w.Violations())
}

// afterContinue sends the body after the service has responded with 100
// Continue.
func (w *witness) afterContinue(head []string, body string) int {
	w.t.Helper()
	at, err := url.Parse(w.BaseURL())
	require.NoError(w.t, err)
	conn, err := w.HTTPClient().Transport.(*http.Transport).DialContext(w.t.Context(), "tcp", at.Host)
	require.NoError(w.t, err)
	defer func(c net.Conn) { _ = c.Close() }(conn)
	require.NoError(w.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, strings.Join(head, "\r\n"))
	require.NoError(w.t, err)
	const goOn = "HTTP/1.1 100 Continue\r\n\r\n"
	asked := make([]byte, len(goOn))
	_, err = io.ReadFull(conn, asked)
	require.NoError(w.t, err)
	assert.Equal(w.t, goOn, string(asked))
	_, err = io.WriteString(conn, body)
	require.NoError(w.t, err)
	return w.status(conn)
}

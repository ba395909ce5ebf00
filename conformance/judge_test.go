package conformance_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// good returns a valid exchange.
func good(t *testing.T, method, path, sent string, status int, answer string) exchange {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://api.example.test/v1"+path, strings.NewReader(sent))
	require.NoError(t, err)
	request.Header.Set("x-api-key", "key")
	request.Header.Set("Authorization", "Bearer token")
	request.Header.Set("RequestId", "request-1")
	header := http.Header{}
	header.Set("RequestId", "request-1")
	if sent != "" {
		request.Header.Set("Content-Type", declaredType)
	}
	if answer != "" {
		header.Set("Content-Type", plainType)
	}
	return exchange{request: request, sent: []byte(sent), status: status, header: header, answer: []byte(answer)}
}

// TestFaultsAreNoticed checks the validator itself: it must detect each fault
// in a request or a response.
func TestFaultsAreNoticed(t *testing.T) {
	t.Parallel()
	described := load(t, "http://api.example.test/v1")
	staff := func() exchange {
		return good(t, http.MethodGet, "/staff/"+nobody, "", 200, `{"id":"`+nobody+`","rate":150.5,"enabled":true,"cell":{},"phone":null}`)
	}
	folder := func() exchange {
		return good(t, http.MethodPost, "/matters/"+nobody+"/documents/folders", `{"name":"Letters"}`, 202, `{"href":"/a"}`)
	}
	subscription := func() exchange {
		return good(t, http.MethodPost, "/webhooks", `{"name":"a","eventTypes":["error"],"eventNotificationUrl":"https://a.example.test"}`, 200, `{}`)
	}
	deletion := func() exchange { return good(t, http.MethodDelete, "/webhooks/"+nobody, "", 200, "") }
	events := func() exchange {
		return good(t, http.MethodGet, "/events?Limit=5", "", 200, `{"value":[{"eventType":2}]}`)
	}
	failure := func() exchange {
		return good(t, http.MethodGet, "/events", "", 400, `{"status":400,"errors":[{"field":"Limit"}]}`)
	}
	bare := func() exchange {
		return good(t, http.MethodPost, "/groups", `{"name":"a","principalIds":["`+nobody+`"]}`, 400, "")
	}
	for _, of := range []func() exchange{staff, folder, subscription, deletion, events, failure, bare} {
		v, err := described.judge(of())
		require.NoError(t, err)
		assert.Empty(t, append(v.inRequest, v.inAnswer...), v.id)
	}

	query := func(raw string) func(*exchange) { return func(x *exchange) { x.request.URL.RawQuery = raw } }
	header := func(name, value string) func(*exchange) {
		return func(x *exchange) { x.request.Header.Set(name, value) }
	}
	sent := func(text string) func(*exchange) { return func(x *exchange) { x.sent = []byte(text) } }
	answer := func(text string) func(*exchange) { return func(x *exchange) { x.answer = []byte(text) } }
	for name, fault := range map[string]struct {
		of     func() exchange
		change func(*exchange)
		want   string
	}{
		"no key":                       {staff, header("x-api-key", ""), "x-api-key header is missing"},
		"no token":                     {staff, header("Authorization", "token"), "no bearer credential"},
		"a user who is no UUID":        {staff, header("UserId", "somebody"), `parameter "UserId" in header`},
		"an id that is no UUID":        {staff, func(x *exchange) { x.request.URL.Path = "/v1/staff/me" }, `parameter "id" in path`},
		"an unknown query":             {staff, query("page=1"), `"page" is not described`},
		"a query in another case":      {events, query("limit=1"), `"limit" is not described`},
		"a query out of range":         {events, query("Limit=501"), `parameter "Limit" in query`},
		"a query of another type":      {events, query("ExcludeDeletedEvents=maybe"), `parameter "ExcludeDeletedEvents" in query`},
		"a query of another form":      {events, query("From=2026-03-01"), `parameter "From" in query`},
		"a query twice":                {events, query("Limit=1&Limit=2"), "occurs twice"},
		"a broken query":               {events, query("Limit=%zz"), "invalid URL escape"},
		"a body where there is none":   {staff, sent("{}"), "not allowed for this request"},
		"no body":                      {folder, sent(""), "value is required but missing"},
		"a broken body":                {folder, sent(`{"name":`), "unexpected EOF"},
		"another media type":           {folder, header("Content-Type", "text/plain"), "Content-Type"},
		"an unknown member":            {folder, sent(`{"name":"a","Name":"b"}`), "FolderWrite.Name is not described"},
		"a member of another type":     {folder, sent(`{"name":1}`), "value must be a string"},
		"a member that is too long":    {folder, sent(`{"name":"` + strings.Repeat("a", 257) + `"}`), "maximum string length is 256"},
		"a member that is left out":    {folder, sent(`{}`), `property "name" is missing`},
		"a parent that is no UUID":     {folder, sent(`{"name":"a","parentFolderId":"root"}`), "regular expression"},
		"an address that is none":      {subscription, sent(`{"name":"a","eventTypes":[],"eventNotificationUrl":"here"}`), "absolute address"},
		"a status that is unknown":     {staff, func(x *exchange) { x.status = 204 }, "status is not supported"},
		"an answer of another type":    {staff, answer(`{"rate":"150.5"}`), "value must be a number"},
		"an answer that is a list":     {staff, answer(`[]`), "value must be an object"},
		"an answer with a broken id":   {staff, answer(`{"id":"me"}`), "uuid"},
		"an unknown member, answered":  {staff, answer(`{"Rate":1}`), "Staff.Rate is not described"},
		"an unknown member inside":     {staff, answer(`{"licenceNumbers":[{"State":"IL"}]}`), "LicenceNumber.State is not described"},
		"an answer of a wrong media":   {staff, func(x *exchange) { x.header.Set("Content-Type", "text/html") }, "text/html"},
		"a broken answer":              {staff, answer(`{"id":`), "failed to decode response body"},
		"an answer where none is":      {deletion, answer(`{}`), "a body where none is described"},
		"a date in another form":       {events, answer(`{"value":[{"startTime":"1 March"}]}`), "regular expression"},
		"a number that is no int32":    {events, answer(`{"limit":3000000000}`), "value should be between"},
		"errors that are a text":       {failure, answer(`{"status":400,"errors":"x"}`), `"anyOf"`},
		"a problem of another status":  {failure, answer(`{"status":404}`), "does not carry the status 400"},
		"a reason where none is given": {bare, answer(`{"status":400}`), "a body where none is described"},
		"no reason where one is given": {failure, answer(""), "does not carry the status 400"},
		"a RequestId that is lost":     {staff, func(x *exchange) { x.header.Del("RequestId") }, `"request-1" came back as ""`},
		"a RequestId that was changed": {staff, func(x *exchange) { x.header.Set("RequestId", "b") }, `"request-1" came back as "b"`},
	} {
		x := fault.of()
		fault.change(&x)
		v, err := described.judge(x)
		require.NoError(t, err, name)
		var said strings.Builder
		for _, found := range append(v.inRequest, v.inAnswer...) {
			said.WriteString(found.Error() + "\n")
		}
		assert.Contains(t, said.String(), fault.want, name)
	}
}

// TestANotificationThatIsNotAsDescribedIsNoticed does the same for the
// callback.
func TestANotificationThatIsNotAsDescribedIsNoticed(t *testing.T) {
	t.Parallel()
	described := load(t, "http://api.example.test/v1")
	route := described.callback(t)
	notify := func(media, body string) error {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://hooks.example.test/in", http.NoBody)
		require.NoError(t, err)
		request.Header.Set("Content-Type", media)
		return described.judgeNotification(route, notification{request, []byte(body)})
	}
	require.NoError(t, notify(plainType, `{"type":"error","timestamp":638912345678901235,"payload":{"any":1}}`))
	require.ErrorContains(t, notify(plainType, `{"timestamp":638912345678901235}`), `property "type" is missing`)
	require.ErrorContains(t, notify(plainType, `{"type":"error","timestamp":"638912345678901235"}`), "value must be an integer")
	require.ErrorContains(t, notify(plainType, `{"type":"error","Payload":{}}`), "Notification.Payload is not described")
	require.ErrorContains(t, notify("text/plain", `{"type":"error"}`), "text/plain")
	require.Error(t, notify(plainType, ``))
}

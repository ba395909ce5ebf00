package practicetest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// command sends a request to the control interface. headers are added to the
// API key; a line without a value removes the header.
func command(t testing.TB, s *practicetest.Server, method, path, body string, headers ...string) answer {
	t.Helper()
	return ask(t, s, method, s.ControlURL()+path, body, append([]string{"X-Api-Key: " + s.Credentials().APIKey}, headers...)...)
}

// ask sends a request with the given header lines.
func ask(t testing.TB, s *practicetest.Server, method, address, body string, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		switch {
		case name == "Host":
			request.Host = value
		case value == "":
			request.Header.Del(name)
		default:
			request.Header.Set(name, value)
		}
	}
	return send(t, s, request)
}

func controlled(t *testing.T, opts ...practicetest.Option) *practicetest.Server {
	t.Helper()
	return practicetest.New(t, append([]practicetest.Option{practicetest.WithControl(), practicetest.WithVirtualClock(start)}, opts...)...)
}

func TestThereIsNoControlUnlessAskedFor(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	s.Tolerate(func() { command(t, s, "POST", "/settle", "").want(404) })
}

func TestProgramsControlTheServiceAndWebPagesDoNot(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	origin := strings.TrimSuffix(s.ControlURL(), "/_sandbox")
	tests := map[string]struct {
		header string
		status int
	}{
		"a program":                            {"X-Other: 1", 204},
		"no key":                               {"X-Api-Key", 403},
		"a wrong key":                          {"X-Api-Key: key", 403},
		"a name that was made to point here":   {"Host: attacker.example:8001", 403},
		"a name that begins like an address":   {"Host: 127.0.0.1.attacker.example", 403},
		"localhost":                            {"Host: localhost:8001", 204},
		"another name of loopback":             {"Host: [::1]:8001", 204},
		"a page of another site":               {"Origin: https://attacker.example", 403},
		"a page of another port":               {"Origin: http://127.0.0.1:9999", 403},
		"a page without an origin":             {"Origin: null", 403},
		"our own origin":                       {"Origin: " + origin, 204},
		"a browser that says it crosses sites": {"Sec-Fetch-Site: cross-site", 403},
		"a browser on a neighbour":             {"Sec-Fetch-Site: same-site", 403},
		"a user who typed the address":         {"Sec-Fetch-Site: none", 204},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := command(t, s, "POST", "/settle", "", tt.header).want(tt.status)
			assert.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
			assert.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
		})
	}
}

// TestNoSimpleRequestChangesAnything sends requests that a form on another site
// could send.
func TestNoSimpleRequestChangesAnything(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	fault := `{"status":500}`
	for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", ""} {
		command(t, s, "POST", "/faults", fault, "X-Api-Key", "Content-Type: "+media).want(403)
		command(t, s, "POST", "/faults", fault, "Content-Type: "+media).want(415)
		command(t, s, "POST", "/settle", fault, "Content-Type: "+media).want(415)
	}
	assert.Empty(t, s.Faults())
	a := command(t, s, "OPTIONS", "/faults", "", "X-Api-Key", "Origin: https://attacker.example",
		"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: x-api-key").want(403)
	for name := range a.Header {
		assert.NotContains(t, name, "Access-Control")
	}
}

func TestCommandsAreRefusedWithAProblem(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	tests := map[string]struct {
		method, path, body string
		status             int
		says               string
	}{
		"no command":           {"GET", "/nothing", "", 404, "command does not exist"},
		"another method":       {"PATCH", "/clock", "", 405, "Method not allowed"},
		"a fault of a method":  {"POST", "/faults", `{"operation":"Staff.Get"}`, 400, `did you mean \"getStaff\"?`},
		"a failure of one":     {"POST", "/failures", `{"operation":"Fees.Patch"}`, 400, `did you mean \"patchFee\"?`},
		"no JSON":              {"POST", "/faults", `{`, 400, "unexpected EOF"},
		"no object":            {"POST", "/faults", `null`, 400, "single JSON object"},
		"two objects":          {"POST", "/faults", `{}{}`, 400, "single JSON object"},
		"a misspelt member":    {"POST", "/faults", `{"operaton":"getStaff"}`, 400, "operaton"},
		"a misspelt operation": {"POST", "/faults", `{"operation":"getStaf"}`, 400, "getStaf"},
		"an unknown kind":      {"POST", "/faults", `{"kind":"bad luck"}`, 400, "bad luck"},
		"no status":            {"POST", "/faults", `{"status":99}`, 400, "between 200 and 599"},
		"a negative number":    {"POST", "/faults", `{"after":-1}`, 400, "negative"},
		"a negative wait":      {"POST", "/faults", `{"delayMilliseconds":-1}`, 400, "between 0"},
		"a write that is none": {"POST", "/failures", `{"operation":"getStaff"}`, 400, "getStaff"},
		"a write done at once": {"POST", "/failures", `{"operation":"addContactTags"}`, 400, "addContactTags"},
		"no event type":        {"POST", "/emit", `{}`, 400, "required"},
		"no payload":           {"POST", "/emit", `{"type":"a","payload":[1]}`, 400, "JSON object"},
		"no time":              {"POST", "/clock", `{}`, 400, "required"},
		"no moment":            {"PUT", "/clock", `{}`, 400, "required"},
		"an endless jump":      {"POST", "/clock", `{"advanceMilliseconds":9007199254740991}`, 400, "between"},
		"no matter":            {"PUT", "/seed", `{"matters":0}`, 400, "between 1"},
		"too many events":      {"PUT", "/seed", `{"events":1000001}`, 400, "between 0"},
		"a parameter":          {"GET", "/requests?lst=5", "", 400, "is not a query parameter of the operation"},
		"a parameter twice":    {"GET", "/requests?last=5&last=6", "", 400, "must not occur more than once"},
		"a parameter of none":  {"POST", "/settle?now=1", "", 400, "is not a query parameter of the operation"},
		"tasks of no matter":   {"GET", "/portal/tasks?matterId=zz", "", 404, "matter does not exist"},
		"a stub of no method":  {"POST", "/stubs", `{"pattern":"FETCH /firm"}`, 400, "the method"},
		"a stub of no pattern": {"POST", "/stubs", `{"body":"{}"}`, 400, "pattern"},
		"a stub of no path":    {"POST", "/stubs", `{"pattern":"GET"}`, 400, "pattern"},
		"a stub of no status":  {"POST", "/stubs", `{"pattern":"GET /a","status":100}`, 400, "status"},
		"a stub of two bodies": {"POST", "/stubs", `{"pattern":"GET /a","body":"a","bodyBase64":"//4="}`, 400, "must not be combined"},
		"a stub of no header":  {"POST", "/stubs", `{"pattern":"/firm","headers":{"X Y":"z"}}`, 400, "is not a valid header"},
		"a header of lines":    {"POST", "/stubs", `{"pattern":"/firm","headers":{"X-Y":"a\nb"}}`, 400, "is not a valid header"},
		"what none deletes":    {"POST", "/records/delete", `{"path":"/bankaccounts/1"}`, 400, "can be deleted"},
		"a body for no one":    {"POST", "/settle", `{"seed":1}`, 400, "does not accept a body"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := command(t, s, tt.method, tt.path, tt.body).want(tt.status)
			assert.Equal(t, "application/problem+json; charset=utf-8", a.Header.Get("Content-Type"))
			assert.Contains(t, a.Body, tt.says)
		})
	}
	assert.Equal(t, "GET, POST, PUT", command(t, s, "PATCH", "/clock", "").Header.Get("Allow"))
}

func TestWhatACommandDoesIsSeenFromGo(t *testing.T) {
	t.Parallel()
	s := controlled(t, practicetest.WithWriteDelay(time.Hour))
	staff := "/staff/" + s.Firm().StaffID
	c := call(t, s)

	c.do("DELETE", staff, "").want(202)
	command(t, s, "POST", "/settle", "").want(204)
	assert.Equal(t, true, c.get(staff).at("former"))

	command(t, s, "POST", "/clock", `{"advanceMilliseconds":-60000}`).want(200)
	assert.Equal(t, start.Add(-time.Minute), s.Clock().Now())
	command(t, s, "PUT", "/clock", `{"now":"2026-06-01T10:00:00+02:00"}`).want(200)
	assert.Equal(t, "2026-06-01T08:00:00Z", command(t, s, "GET", "/clock", "").want(200).text("now"))

	command(t, s, "POST", "/faults", `{"operation":"listEvents","kind":"rate-limit","skip":1,"times":2,"retryAfter":"3"}`).want(204)
	assert.Equal(t, []practicetest.Fault{
		{Operation: "listEvents", Kind: practicetest.FaultRateLimit, Skip: 1, Times: 2, RetryAfter: "3"},
	}, s.Faults())
	command(t, s, "DELETE", "/faults", "").want(204)
	assert.Empty(t, s.Faults())

	s.ResetRequests()
	c.get("/bankaccounts")
	assert.Contains(t, command(t, s, "GET", "/requests", "").want(200).Body, `"operation":"listBankAccounts"`)
	command(t, s, "DELETE", "/requests", "").want(204)
	assert.Empty(t, s.Requests(), "and commands are not among them")

	command(t, s, "POST", "/tokens/expire", "").want(204)
	c.get("/bankaccounts").want(401)
	command(t, s, "PUT", "/seed", `{"number":9,"matters":3}`).want(200)
	assert.Equal(t, practicetest.Seed{Number: 9, Events: 300, Matters: 3, Promotions: 12}, s.Seed())
	c.get("/staff/" + s.Firm().StaffID).want(200)
	command(t, s, "POST", "/tokens/revoke", "{}").want(204)
	refused := grant(t, s, map[string][]string{"grant_type": {"refresh_token"}, "refresh_token": {s.Credentials().RefreshToken}})
	assert.Equal(t, "invalid_grant", refused.text("error"))
	command(t, s, "POST", "/reset", "").want(204)
	assert.Equal(t, 9, int(s.Seed().Number))
}

func TestAWriteDoomedByACommandFailsAndItsEventIsDelivered(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	inbox := subscribe(t, s, "error")
	command(t, s, "POST", "/failures", `{"operation":"deleteStaff","message":"doomed"}`).want(204)
	call(t, s).do("DELETE", "/staff/"+s.Firm().StaffID, "").want(202)
	command(t, s, "POST", "/settle", "").want(204)
	command(t, s, "POST", "/emit", `{"type":"error","payload":{"message":"also"},"happened":"2026-01-01T00:00:00Z"}`).want(204)
	command(t, s, "POST", "/flush", `{"milliseconds":5000}`).want(204)
	inbox.wait(2)
	var made struct {
		Value []struct {
			Body   string
			Status int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(command(t, s, "GET", "/deliveries", "").want(200).Body), &made))
	require.Len(t, made.Value, 2)
	assert.Contains(t, made.Value[0].Body, `"message":"doomed"`)
	assert.Contains(t, made.Value[1].Body, `"timestamp":639028224000000000`)
	assert.Equal(t, 200, made.Value[1].Status)
}

func TestAFlushGivesUpInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := practicetest.New(t, practicetest.WithControl())
		origin, err := s.Mount(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		require.NoError(t, err)
		call(t, s).do("POST", "/webhooks", `{"name":"n","eventTypes":["error"],"eventNotificationUrl":"`+origin+`/x"}`).want(200)
		command(t, s, "POST", "/emit", `{"type":"error"}`).want(204)
		began := time.Now()
		command(t, s, "POST", "/flush", `{"milliseconds":3000}`).want(504)
		assert.Equal(t, 3*time.Second, time.Since(began))
	})
}

func TestViolationsAreExcusedByACommand(t *testing.T) {
	t.Parallel()
	s := controlled(t, practicetest.WithViolationHandler(func(string) {}))
	call(t, s).get("/nothing").want(404)
	for _, method := range []string{"GET", "DELETE"} {
		assert.Contains(t, command(t, s, method, "/violations", "").want(200).Body, "/nothing")
	}
	assert.JSONEq(t, `{"value":[]}`, command(t, s, "GET", "/violations", "").want(200).Body)
}

package conformance_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sort"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// control is the control interface of a service with its description.
type control struct {
	t      *testing.T
	server *practicetest.Server
	router routers.Router
	paths  *openapi3.Paths
	seen   map[string]bool // operation and status of every response
}

func newControl(t *testing.T) *control {
	t.Helper()
	server := practicetest.New(t, practicetest.WithControl(), practicetest.WithViolationHandler(func(string) {}))
	described, err := openapi3.NewLoader().LoadFromFile("../practicetest/control.yaml")
	require.NoError(t, err)
	require.NoError(t, described.Validate(t.Context()))
	described.Servers[0].URL = server.ControlURL()
	router, err := gorillamux.NewRouter(described)
	require.NoError(t, err)
	return &control{t, server, router, described.Paths, map[string]bool{}}
}

// do sends a command, and validates the response and, if it should succeed, the
// request.
func (c *control) do(method, path, body string, status int) []byte {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.server.ControlURL()+path, strings.NewReader(body))
	require.NoError(c.t, err)
	request.Header.Set("X-Api-Key", c.server.Credentials().APIKey)
	if body != "" {
		request.Header.Set("Content-Type", plainType)
	}
	route, values, err := c.router.FindRoute(request)
	require.NoError(c.t, err, "%s %s is not described", method, path)
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: values, Route: route, Options: validation()}
	err = openapi3filter.ValidateRequest(c.t.Context(), input)
	if status < 400 || status > 500 {
		require.NoError(c.t, err)
	} else {
		require.Error(c.t, err, "%s %s %s: the service refuses what the description allows", method, path, body)
	}
	request.Body = io.NopCloser(strings.NewReader(body)) // it was read
	response, err := c.server.HTTPClient().Do(request)
	require.NoError(c.t, err)
	answer, err := io.ReadAll(response.Body)
	require.NoError(c.t, err)
	require.NoError(c.t, response.Body.Close())
	require.Equal(c.t, status, response.StatusCode, "%s %s: %s", method, path, answer)
	c.seen[route.Operation.OperationID+" "+http.StatusText(status)] = true
	if route.Operation.OperationID != "describe" { // a text is not decoded here
		require.NoError(c.t, openapi3filter.ValidateResponse(c.t.Context(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: input, Status: status, Header: response.Header, Body: io.NopCloser(bytes.NewReader(answer)), Options: validation(),
		}))
	}
	return answer
}

// TestEveryCommandIsAsDescribed sends every described command, and checks that
// every described status occurs.
func TestEveryCommandIsAsDescribed(t *testing.T) {
	t.Parallel()
	c := newControl(t)
	stuck, err := c.server.Mount(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	require.NoError(t, err)
	c.subscribe(stuck)

	c.application()
	kinds := c.paths.Find("/faults").Post.RequestBody.Value.Content[plainType].Schema.Value.Properties["kind"].Value.Enum
	for _, kind := range kinds {
		c.do("POST", "/faults", `{"operation":"listEvents","kind":"`+kind.(string)+`","skip":1,"times":-1,"status":503,"delayMilliseconds":1,`+
			`"retryAfter":"1","body":"b","contentType":"text/plain","after":1,"bytesPerSecond":1}`, 204)
	}
	assert.Len(t, c.server.Faults(), len(kinds))
	c.do("GET", "/faults", "", 200)
	c.do("DELETE", "/faults", "", 204)
	c.do("POST", "/failures", `{"operation":"patchFee","message":"m"}`, 204)
	c.do("GET", "/failures", "", 200)
	c.do("PUT", "/consistency", `{"listLagMilliseconds":5,"pending":1}`, 204)
	c.do("PUT", "/consistency", `{}`, 204)
	c.do("POST", "/stubs", `{"pattern":"GET /reports/{id}","status":201,"headers":{"X-Report":"r"},"body":"{}"}`, 204)
	assert.Len(t, c.server.Unmet(), 2)
	c.do("GET", "/unmet", "", 200)
	c.do("DELETE", "/stubs", "", 204)
	c.do("POST", "/emit", `{"type":"error","accountId":"","userId":"u","source":"Web","payload":{"a":1},"happened":"2026-01-01T00:00:00Z","requestId":"r"}`, 204)
	c.do("POST", "/flush", `{"milliseconds":1}`, 504)
	c.do("GET", "/clock", "", 200)
	c.do("POST", "/clock", `{"advanceMilliseconds":1000}`, 200)
	c.do("PUT", "/clock", `{"now":"2027-01-01T00:00:00Z"}`, 200)
	c.do("POST", "/settle", "", 204)

	c.use("a text", "/webhooks")
	c.use("\xff\xfe", "/webhooks")
	assert.Regexp(t, `"body":"a text".*"bodyBase64":"//4="`, string(c.do("GET", "/requests", "", 200)))
	c.do("GET", "/requests?last=1", "", 200)
	c.do("DELETE", "/requests", "", 204)
	c.do("GET", "/violations", "", 200)
	c.do("DELETE", "/violations", "", 200)
	c.do("POST", "/tokens/expire", "", 204)
	c.do("POST", "/tokens/revoke", "", 204)
	c.do("PUT", "/seed", `{"number":3,"events":5,"matters":2,"promotions":1}`, 200)
	c.do("GET", "/seed", "", 200)
	c.do("POST", "/reset", "", 204)
	c.do("POST", "/reset", `{"clock":true}`, 204)
	assert.Equal(t, "openapi: 3.0.3", strings.SplitN(string(c.do("GET", "/openapi.yaml", "", 200)), "\n", 2)[0])

	c.subscribe(c.receiver())
	c.do("POST", "/emit", `{"type":"error"}`, 204)
	c.do("POST", "/flush", `{}`, 204)
	c.do("GET", "/deliveries", "", 200)
	c.do("GET", "/subscriptions", "", 200)
	require.Len(t, c.server.Deliveries(), 1)
	assert.Empty(t, c.missing())
}

// application sends the commands that simulate a user of the vendor's
// application.
func (c *control) application() {
	f := c.server.Firm()
	var made struct{ ID string }
	add := func(path, record string) string {
		answer := c.do("POST", "/records", `{"path":"`+path+`","record":`+record+`}`, 201)
		require.NoError(c.t, json.Unmarshal(answer, &made))
		return made.ID
	}
	id := func(id string) string { return `{"id":"` + id + `"}` }
	code := "/activitycodes/" + add("/activitycodes", `{"code":"ADV"}`)
	c.do("GET", "/records?path="+code, "", 200)
	c.do("GET", "/records/lists", "", 200)
	c.do("GET", "/records/list?skip=1&path=/matters/"+f.MatterID+"/fees", "", 200)
	c.do("POST", "/records/delete", `{"path":"`+code+`"}`, 204)
	c.do("POST", "/events/reschedule", `{"id":"`+f.EventID+`","byMilliseconds":1000}`, 204)
	c.do("POST", "/events/forget", id(f.EventID), 204)
	c.do("POST", "/files/content", `{"id":"`+f.FileID+`","bodyBase64":"//4="}`, 204)
	c.do("GET", "/files/content?id="+f.FileID, "", 200)
	c.do("POST", "/matters/stage", `{"matterId":"`+f.MatterID+`","stageId":"`+f.StageID+`"}`, 204)
	submission := `{"formId":"` + f.IntakeFormID + `","recipient":{"contactId":"` + f.ContactID + `","email":"client@example.test"}}`
	c.do("POST", "/intake/answer", `{"id":"`+add("/intake/"+f.MatterID+"/submissions", submission)+`","answers":[{"a":1}]}`, 204)
	c.do("POST", "/intake/cancel", id(add("/intake/"+f.MatterID+"/submissions", submission)), 204)
	c.money(id)
	c.do("POST", "/transactions/reverse", id(f.TransactionID), 201)
	for _, path := range []string{"/changes", "/portal/messages", "/portal/tasks?matterId=" + f.MatterID, "/invitations"} {
		c.do("GET", path, "", 200)
	}
}

// money decides about requisitions, and presents a cheque.
func (c *control) money(id func(string) string) {
	f, own := c.server.Firm(), c.server.Credentials()
	owner := c.server.Client(c.t)
	system := c.server.Client(c.t, practice.WithTokens(auth.ClientCredentials{
		TokenURL: c.server.TokenURL(), ClientID: own.ClientID, ClientSecret: models.NewSecret(own.ClientSecret),
	}))
	ask := models.RequisitionCreate{
		MatterID: f.MatterID, PayeeID: f.ContactID, Amount: models.MustDecimal("1.10"), Source: models.RequisitionSourceCheck, Reference: "R-1",
	}
	for _, decision := range []string{"approve", "reject"} {
		waits, err := system.BankAccounts.CreateRequisition(c.t.Context(), f.BankAccountID, ask, practice.WithUserID(f.UserID))
		require.NoError(c.t, err)
		c.do("POST", "/settle", "", 204)
		c.do("POST", "/requisitions/"+decision, id(waits.ID), 204)
	}
	_, err := owner.BankAccounts.CreateRequisition(c.t.Context(), f.BankAccountID, ask)
	require.NoError(c.t, err)
	c.do("POST", "/settle", "", 204)
	c.do("POST", "/cheques/present", id(f.MatterID), 204)
	name := "my-name"
	_, err = owner.ActivityCodes.Create(c.t.Context(), models.ActivityCodeWrite{Code: "EXT"}, practice.WithExternalID(name))
	require.NoError(c.t, err)
	c.do("GET", "/external?name="+name, "", 200)
}

// TestWhatTheDescriptionForbidsIsRefused breaks one rule of the description in
// each body; do checks the refusal.
func TestWhatTheDescriptionForbidsIsRefused(t *testing.T) {
	t.Parallel()
	c := newControl(t)
	for _, broken := range []string{
		`POST /faults {"kind":"bad luck"}`, `POST /faults {"skip":-1}`, `POST /faults {"status":600}`, `POST /faults {"after":-1}`,
		`POST /faults {"bytesPerSecond":-1}`, `POST /faults {"delayMilliseconds":-1}`, `POST /faults {"times":"all"}`, `POST /faults {"x":1}`,
		`POST /faults []`, `POST /failures {}`, `POST /failures {"operation":1}`, `POST /emit {}`, `POST /emit {"type":""}`,
		`POST /emit {"type":"a","payload":[]}`, `POST /emit {"type":"a","happened":"now"}`, `POST /clock {}`,
		`POST /clock {"advanceMilliseconds":3153600000001}`, `POST /clock {"advanceMilliseconds":1.5}`, `PUT /clock {}`, `PUT /clock {"now":"noon"}`,
		`POST /flush {"milliseconds":-1}`, `POST /flush {"seconds":1}`, `PUT /seed {"number":-1}`, `PUT /seed {"events":-1}`,
		`POST /records {"path":"/activitycodes"}`, `POST /records {"record":{}}`, `POST /records/delete {}`, `POST /events/forget {"id":""}`,
		`POST /events/reschedule {"id":"e"}`, `POST /events/reschedule {"byMilliseconds":1}`, `POST /files/content {"id":"f"}`,
		`POST /files/content {"id":"f","body":"b","bodyBase64":"//4="}`, `POST /matters/stage {"matterId":"m"}`, `POST /matters/stage {"stageId":"s"}`,
		`POST /intake/answer {"id":"s"}`, `POST /intake/answer {"answers":[]}`, `POST /intake/cancel {}`, `POST /cheques/present {}`,
		`POST /requisitions/approve {"x":1}`, `POST /requisitions/reject {}`, `POST /transactions/reverse {}`, `GET /records `, `GET /external `,
		`GET /files/content `, `GET /portal/tasks `,
		`PUT /consistency {"lag":1}`, `PUT /consistency {"pending":3}`, `PUT /seed {"events":1000001}`, `PUT /seed {"matters":0}`, `PUT /seed {"promotions":0}`,
	} {
		parts := strings.SplitN(broken, " ", 3)
		c.do(parts[0], parts[1], parts[2], http.StatusBadRequest)
	}
}

// missing returns the described success statuses, and 504, that did not occur.
func (c *control) missing() []string {
	var missing []string
	for _, item := range c.paths.Map() {
		for _, operation := range item.Operations() {
			for status := range operation.Responses.Map() {
				text := map[string]string{"200": "OK", "201": "Created", "204": "No Content", "504": "Gateway Timeout"}[status]
				if status != "default" && !c.seen[operation.OperationID+" "+text] {
					missing = append(missing, operation.OperationID+" "+status)
				}
			}
		}
	}
	sort.Strings(missing)
	return missing
}

// use sends a request to the API that appears in the log.
func (c *control) use(body, path string) {
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.server.BaseURL()+path, strings.NewReader(body))
	require.NoError(c.t, err)
	response, err := c.server.HTTPClient().Do(request)
	require.NoError(c.t, err)
	require.NoError(c.t, response.Body.Close())
}

func (c *control) receiver() string {
	origin, err := c.server.Mount(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	require.NoError(c.t, err)
	return origin
}

func (c *control) subscribe(origin string) {
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.server.BaseURL()+"/webhooks",
		strings.NewReader(`{"name":"n","eventTypes":["error"],"eventNotificationUrl":"`+origin+`/hook"}`))
	require.NoError(c.t, err)
	request.Header.Set("X-Api-Key", c.server.Credentials().APIKey)
	request.Header.Set("Authorization", "Bearer "+c.server.Credentials().AccessToken)
	request.Header.Set("Content-Type", plainType)
	response, err := c.server.HTTPClient().Do(request)
	require.NoError(c.t, err)
	require.NoError(c.t, response.Body.Close())
	require.Equal(c.t, http.StatusOK, response.StatusCode)
}

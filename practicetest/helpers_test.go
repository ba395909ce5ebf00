package practicetest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/practicetest"
)

// caller sends requests without the client library.
type caller struct {
	t      testing.TB
	server *practicetest.Server
	token  string
	prefix string
	header map[string]string
}

func call(t testing.TB, s *practicetest.Server) caller {
	return caller{t: t, server: s, token: s.Credentials().AccessToken}
}

// with sets a header. An empty value removes a header that is sent by default.
func (c caller) with(name, value string) caller {
	header := map[string]string{name: value}
	for n, v := range c.header {
		if n != name {
			header[n] = v
		}
	}
	c.header = header
	return c
}

// asClient uses a token from the client credentials grant.
func (c caller) asClient() caller {
	c.token = grant(c.t, c.server, url.Values{"grant_type": {"client_credentials"}}).text("access_token")
	return c
}

// answer is a response with its body.
type answer struct {
	t      testing.TB
	Status int
	Header http.Header
	Body   string
}

func (c caller) do(method, path, body string) answer {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.server.BaseURL()+c.prefix+path, strings.NewReader(body))
	require.NoError(c.t, err)
	request.Header.Set("x-api-key", c.server.Credentials().APIKey)
	request.Header.Set("Authorization", "Bearer "+c.token)
	if body != "" {
		request.Header.Set("Content-Type", "application/json-patch+json")
	}
	for name, value := range c.header {
		request.Header.Set(name, value)
		if value == "" {
			request.Header.Del(name)
		}
	}
	return send(c.t, c.server, request)
}

// mistake sends a request that a correct client would not send, and checks that
// it is refused with 400 and reported once.
func (c caller) mistake(method, path, body string) (refused answer) {
	c.t.Helper()
	violations := c.server.Tolerate(func() { refused = c.do(method, path, body).want(http.StatusBadRequest) })
	assert.Len(c.t, violations, 1, "%s %s %s", method, path, body)
	return refused
}

func (c caller) get(path string) answer { c.t.Helper(); return c.do(http.MethodGet, path, "") }

// storage sends a request to an unchanged pre-signed address.
func (c caller) storage(method, address, content string, header map[string]string) answer {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, address, strings.NewReader(content))
	require.NoError(c.t, err)
	for name, value := range header {
		request.Header.Set(name, value)
	}
	return send(c.t, c.server, request)
}

func send(t testing.TB, s *practicetest.Server, request *http.Request) answer {
	t.Helper()
	response, err := s.HTTPClient().Do(request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return answer{t, response.StatusCode, response.Header, string(body)}
}

var api = sync.OnceValues(func() (*description.Document, error) { return description.Load(os.DirFS("../api")) })

// describedAPI returns the API description, which no test changes.
func describedAPI(t testing.TB) *description.Document {
	t.Helper()
	document, err := api()
	require.NoError(t, err)
	return document
}

// grant sends a form to the token endpoint, with the client's id and secret.
func grant(t testing.TB, s *practicetest.Server, form url.Values) answer {
	t.Helper()
	form = url.Values(http.Header(form).Clone())
	form.Set("client_id", s.Credentials().ClientID)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.TokenURL(), strings.NewReader(form.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if s.Credentials().ClientSecret != "" { // a public client has no secret
		request.SetBasicAuth(s.Credentials().ClientID, s.Credentials().ClientSecret)
	}
	return send(t, s, request)
}

// json decodes the body without losing precision of numbers.
func (a answer) json() any {
	a.t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(a.Body)))
	d.UseNumber()
	var v any
	require.NoError(a.t, d.Decode(&v), a.Body)
	return v
}

// at returns the value at a path of member names and indexes in the body.
func (a answer) at(path ...any) any {
	a.t.Helper()
	v := a.json()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			members, isObject := v.(map[string]any)
			require.True(a.t, isObject, "%v of %s", path, a.Body)
			v = members[step]
		case int:
			items, isArray := v.([]any)
			require.True(a.t, isArray, "%v of %s", path, a.Body)
			require.Greater(a.t, len(items), step, "%v of %s", path, a.Body)
			v = items[step]
		}
	}
	return v
}

func (a answer) text(path ...any) string {
	a.t.Helper()
	s, isText := a.at(path...).(string)
	require.True(a.t, isText, "%v of %s", path, a.Body)
	return s
}

// list returns the array at a path in the body.
func (a answer) list(path ...any) []any {
	a.t.Helper()
	items, isArray := a.at(path...).([]any)
	require.True(a.t, isArray, "%v of %s", path, a.Body)
	return items
}

// texts returns the values of a string member of the items in an array.
func (a answer) texts(name string, path ...any) []string {
	a.t.Helper()
	var found []string
	for _, item := range a.list(path...) {
		found = append(found, item.(map[string]any)[name].(string))
	}
	return found
}

// want checks the status. For an error it also checks that the body is a
// Problem object.
func (a answer) want(status int) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.Status, a.Body)
	if status >= 400 {
		require.Equal(a.t, json.Number(strconv.Itoa(status)), a.at("status"))
		require.NotEmpty(a.t, a.text("title"))
		require.NotEmpty(a.t, a.text("detail"))
	}
	return a
}

// start is the initial time of the virtual clocks in these tests.
var start = time.Date(2026, 3, 2, 9, 30, 0, 123456700, time.UTC)

// pass waits for d in a synctest bubble.
func pass(d time.Duration) { <-time.After(d) }

// inbox receives the webhooks of a subscription.
type inbox struct {
	t      *testing.T
	server *practicetest.Server
	id     string
	url    string

	respond func(n int, w http.ResponseWriter, r *http.Request) // to the n-th request, from 0; nil means with 200

	mu  sync.Mutex
	got []answer
}

func (b *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	b.mu.Lock()
	n := len(b.got)
	b.got = append(b.got, answer{b.t, 0, r.Header, string(body)})
	b.mu.Unlock()
	if b.respond != nil {
		b.respond(n, w, r)
	}
}

const webhookKey = "k-0123456789"

// subscribe creates a subscription with a key, and a receiver for it.
func subscribe(t *testing.T, s *practicetest.Server, types ...string) *inbox {
	t.Helper()
	return subscribeAs(t, s, "", types...)
}

// subscribeAs creates a subscription with an id, unless id is empty.
func subscribeAs(t *testing.T, s *practicetest.Server, id string, types ...string) *inbox {
	t.Helper()
	b := &inbox{t: t, server: s}
	origin, err := s.Mount(b)
	require.NoError(t, err)
	b.url = origin + "/hooks"
	body, err := json.Marshal(map[string]any{"name": "inbox", "eventTypes": types, "eventNotificationUrl": b.url, "key": webhookKey})
	require.NoError(t, err)
	b.id = call(t, s).asClient().with("ResourceId", id).do("POST", "/webhooks", string(body)).want(200).text("id")
	return b
}

// wait returns the received webhooks and requires their number to be n.
func (b *inbox) wait(n int) []answer {
	b.t.Helper()
	require.NoError(b.t, b.server.Flush(b.t.Context()))
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Len(b.t, b.got, n)
	return b.got
}

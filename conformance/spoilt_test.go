package conformance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// draft is a request to be sent without the client.
type draft struct {
	method, path string
	query        url.Values
	header       http.Header
	body         []byte
}

// spoilt is a request with one fault, and the expected response.
type spoilt struct {
	name   string
	status int
	change func(*draft)
}

// redraft adapts a request of the client to another service of the same firm.
func redraft(t *testing.T, x exchange, c calls, server *practicetest.Server) draft {
	t.Helper()
	d := draft{method: x.request.Method, path: x.request.URL.EscapedPath(), query: x.request.URL.Query(), header: http.Header{}, body: x.sent}
	d.header.Set("x-api-key", server.Credentials().APIKey)
	d.header.Set("Authorization", "Bearer "+tokenFor(t, c.op, server))
	d.header.Set("RequestId", "request-1")
	if media := x.request.Header.Get("Content-Type"); media != "" {
		d.header.Set("Content-Type", media)
	}
	return d
}

// tokenFor returns a token that an operation accepts.
func tokenFor(t *testing.T, op operations.Operation, server *practicetest.Server) string {
	t.Helper()
	own := server.Credentials()
	if !op.ByClient() {
		return own.AccessToken
	}
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {own.ClientID}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.TokenURL(), strings.NewReader(form.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(own.ClientID, own.ClientSecret)
	response, err := server.HTTPClient().Do(request)
	require.NoError(t, err)
	var token struct {
		AccessToken string `json:"access_token"`
	}
	require.NoError(t, errors.Join(json.NewDecoder(response.Body).Decode(&token), response.Body.Close()))
	return token.AccessToken
}

// exchange sends the request.
func (d draft) exchange(t *testing.T, server *practicetest.Server) exchange {
	t.Helper()
	origin := strings.TrimSuffix(server.BaseURL(), "/practice/v1")
	request, err := http.NewRequestWithContext(t.Context(), d.method, origin+d.path, bytes.NewReader(d.body))
	require.NoError(t, err)
	request.URL.RawQuery, request.Header = d.query.Encode(), d.header
	response, err := server.HTTPClient().Do(request)
	require.NoError(t, err)
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return exchange{request: request, sent: d.body, status: response.StatusCode, header: response.Header, answer: answer}
}

// spoil repeats the fullest request of the client for each operation with one
// fault: the document and the service must both refuse it.
func (b *bench) spoil(t *testing.T) {
	b.each(t, func(t *testing.T, of endpoint, c calls, server *practicetest.Server) {
		client := b.ledger.of(of.id).fullest
		require.NotNil(t, client.request)
		for _, wrong := range waysToSpoil(of, client) {
			d := redraft(t, client, c, server)
			wrong.change(&d)
			var x exchange
			server.Tolerate(func() { x = d.exchange(t, server) })
			v, err := b.document.judge(x)
			require.NoError(t, err, wrong.name)
			assert.Equal(t, of.id, v.id, wrong.name)
			assert.NotEmpty(t, v.inRequest, "%s: the document allows it", wrong.name)
			assert.Equal(t, wrong.status, x.status, "%s: %s", wrong.name, x.answer)
			if of.Responses.Status(x.status) == nil {
				b.document.requireProblem(t, x)
			} else {
				assert.Empty(t, v.inAnswer, wrong.name)
			}
			b.ledger.noteStatus(of.id, x.status)
		}
	})
}

// waysToSpoil returns requests of an operation with one fault each.
func waysToSpoil(of endpoint, client exchange) []spoilt {
	ways := []spoilt{
		{"no key", 403, func(d *draft) { d.header.Del("x-api-key") }},
		{"no credential", 401, func(d *draft) { d.header.Del("Authorization") }},
		{"a credential of another kind", 401, func(d *draft) { d.header.Set("Authorization", "Basic YTpi") }},
		{"a user who is no UUID", 400, func(d *draft) { d.header.Set("UserId", "somebody") }},
		{"a query parameter that there is not", 400, func(d *draft) { d.query.Set("imagined", "1") }},
	}
	for i, segment := range strings.Split(of.path, "/") {
		if strings.HasPrefix(segment, "{") && of.takesUUID(strings.Trim(segment, "{}")) {
			fromEnd := strings.Count(of.path, "/") - i
			ways = append(ways, spoilt{segment + " that is no UUID", 400, func(d *draft) {
				segments := strings.Split(d.path, "/")
				segments[len(segments)-1-fromEnd] = "not-a-uuid"
				d.path = strings.Join(segments, "/")
			}})
		}
	}
	for _, parameter := range of.Parameters {
		if parameter.Value.In == openapi3.ParameterInQuery {
			ways = append(ways, spoiltQuery(parameter.Value)...)
		}
	}
	if of.RequestBody != nil {
		ways = append(ways, spoiltBodies(of, client.sent)...)
	}
	return ways
}

// takesUUID reports whether a path parameter is a UUID rather than arbitrary
// text.
func (e endpoint) takesUUID(name string) bool {
	parameter := e.Parameters.GetByInAndName(openapi3.ParameterInPath, name)
	return parameter.Schema.Value.Format == "uuid"
}

func spoiltQuery(parameter *openapi3.Parameter) []spoilt {
	var ways []spoilt
	add := func(values ...string) {
		ways = append(ways, spoilt{parameter.Name + "=" + strings.Join(values, ","), 400, func(d *draft) { d.query[parameter.Name] = values }})
	}
	schema := parameter.Schema.Value
	if !schema.Type.Is("array") {
		add("1", "1")
	}
	if schema.Type.Is("integer") {
		add("x")
		add("1.5")
	}
	if schema.Min != nil && schema.Max != nil {
		add(strconv.Itoa(int(*schema.Min) - 1))
		add(strconv.Itoa(int(*schema.Max) + 1))
	}
	if schema.Type.Is("boolean") {
		add("maybe")
	}
	for _, text := range []string{"yesterday", "2026-03-01", "2026-03-01T09:30:00Z"} { // one of these may be valid
		if schema.Pattern != "" && !regexp.MustCompile(schema.Pattern).MatchString(text) {
			add(text)
		}
	}
	return ways
}

// acceptMedia repeats the bodies of the client with the other media types.
func (b *bench) acceptMedia(t *testing.T) {
	b.each(t, func(t *testing.T, of endpoint, c calls, server *practicetest.Server) {
		client := b.ledger.of(of.id).fullest
		require.NotNil(t, client.request)
		if len(client.sent) == 0 {
			return
		}
		for _, media := range []string{plainType, plainType + "; charset=utf-8", "application/merge-patch+json"} {
			server.Reset() // resets records that can be created only once
			d := redraft(t, client, c, server)
			d.header.Set("Content-Type", media)
			x := d.exchange(t, server)
			assert.Less(t, x.status, 300, "%s: %s", media, x.answer)
			v, err := b.document.judge(x)
			require.NoError(t, err)
			assert.Empty(t, v.inAnswer, media)
			if media != "application/merge-patch+json" { // the library supports no range such as application/*+json
				assert.Empty(t, v.inRequest, media)
			}
		}
	})
}

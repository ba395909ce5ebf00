package assistant

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

type counting struct{ sent []string }

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.sent = append(c.sent, r.Method+" "+r.URL.RequestURI())
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
}

func guarded(t testing.TB, p *Policy) (*guard, *counting) {
	base, err := url.Parse("https://api.example.test/v1")
	require.NoError(t, err)
	next := &counting{}
	return &guard{policy: p, wide: true, base: base, next: next}, next
}

// send sends a request through a guard and returns why it was refused, or "".
func send(t testing.TB, g *guard, p *permit, method, target, body string) string {
	req := httptest.NewRequest(method, target, strings.NewReader(body))
	req.RequestURI = ""
	if p != nil {
		req = req.WithContext(permitted(t.Context(), p, 5))
	}
	resp, err := g.RoundTrip(req)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	if resp.StatusCode == http.StatusForbidden {
		return string(text)
	}
	return ""
}

// TestTheGuardFindsEveryOperation sends each operation to the embedded service,
// and finds it again by the method and the path that arrived there.
func TestTheGuardFindsEveryOperation(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithMatters(2), practicetest.WithEvents(5), practicetest.WithStrict(false))
	client := server.Client(t)
	g, next := guarded(t, everything(t))
	g.base, _ = url.Parse(server.BaseURL())
	found := 0
	for _, op := range operations.All() {
		server.ResetRequests()
		_ = op.Call(t.Context(), client, server.Firm()) // only the request matters
		sent := server.Requests()[0]
		if sent.Operation == "token" {
			continue
		}
		req := httptest.NewRequest(sent.Method, g.base.Scheme+"://"+g.base.Host+sent.Path+"?"+sent.RawQuery, http.NoBody)
		o, _, err := g.operation(req)
		require.NoError(t, err, op.ID)
		assert.Equal(t, op.ID, o.ID)
		found++

		next.sent = nil
		refused := send(t, g, &permit{}, sent.Method, req.URL.String(), string(sent.Body))
		decided := o.Class == practice.OperationRead && g.policy.refusal(o, sent.Body) == ""
		assert.Equal(t, decided, refused == "", op.ID+refused)
		assert.Equal(t, decided, len(next.sent) == 1, "what the policy refuses does not leave, and a write needs its preview: "+op.ID)
	}
	assert.Greater(t, found, 230)
}

func TestWhatIsNoOperationDoesNotLeave(t *testing.T) {
	t.Parallel()
	g, next := guarded(t, everything(t))
	const base = "https://api.example.test/v1"
	for _, c := range [][2]string{
		{"GET", base + "/matters/x/unknown"},
		{"GET", base + "/matters/x/memos/"},
		{"GET", base + "//matters"},
		{"GET", base + "/matters/../webhooks"},
		{"GET", base + "/matters/%2e%2e/webhooks"},
		{"GET", base + "/matters/a%2Fmemos"},
		{"GET", base + "/matters/a%5Cb"},
		{"GET", "https://api.example.test/v2/matters"},
		{"GET", "https://api.example.test/matters"},
		{"GET", "https://other.example.test/v1/matters"},
		{"GET", "http://api.example.test/v1/matters"},
		{"GET", base + "/matters?_method=DELETE"},
		{"TRACE", base + "/matters"},
		{"get", base + "/matters"},
		{"DELETE", base + "/matters"},
		{"POST", base + "/matters/x"},
		{"DELETE", base + "/matters/x/memos/y"},
		{"GET", base + "/matters/x/documents/files/y/download"},
	} {
		assert.NotEmpty(t, send(t, g, &permit{}, c[0], c[1], ""), c)
	}
	assert.NotEmpty(t, send(t, g, nil, "GET", base+"/matters", ""), "no tool call permits the request")
	assert.Empty(t, next.sent)
	assert.Empty(t, send(t, g, &permit{}, "GET", base+"/matters", ""))
	assert.Empty(t, send(t, g, &permit{own: []string{"getFileDownload"}}, "GET", base+"/matters/x/documents/files/y/download", ""), "for read_document")
	assert.Len(t, next.sent, 2)
}

// TestOnlyTheRequestOfThePreviewLeaves changes one part of the request after
// another.
func TestOnlyTheRequestOfThePreviewLeaves(t *testing.T) {
	t.Parallel()
	const target, body = "/v1/matters/x/memos", `{"title":"t","text":"x"}`
	for _, c := range []struct {
		allow                []string
		method, target, body string
		sent                 bool
	}{
		{[]string{"createMemo"}, "POST", target, body, true},
		{[]string{"createMemo"}, "POST", target, `{"title":"t","text":"y"}`, false},
		{[]string{"createMemo"}, "POST", "/v1/matters/y/memos", body, false},
		{[]string{"createMemo", "createFee"}, "POST", "/v1/matters/x/fees", body, false},
		{[]string{"createTask"}, "POST", target, body, false},
		{nil, "POST", target, body, false},
	} {
		p, err := NewPolicy(c.allow, "")
		require.NoError(t, err)
		g, next := guarded(t, p)
		refused := send(t, g, &permit{write: &exact{"POST", target, []byte(body)}}, c.method, "https://api.example.test"+c.target, c.body)
		assert.Equal(t, c.sent, refused == "", c)
		assert.Equal(t, c.sent, len(next.sent) == 1, c)
	}
}

func TestATokenWithMoreScopesIsRefused(t *testing.T) {
	t.Parallel()
	p, err := NewPolicy([]string{"createMemo"}, "")
	require.NoError(t, err)
	token := func(claims string) string {
		return "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".x"
	}
	for _, c := range []struct {
		token    string
		profile  []string
		wide, ok bool
	}{
		{token(`{"scope":"matters/read memos/read"}`), nil, false, true},
		{token(`{"scope":"memos/write openid"}`), nil, false, true},
		{token(`{"scope":["memos/write","matters/read"]}`), nil, false, true},
		{token(`{"scope":"memos/write fees/write"}`), nil, false, false},
		{token(`{"scope":["memos/write","fees/write"]}`), nil, false, false},
		{token(`{"scope":"memos/write fees/write"}`), []string{"memos/read"}, false, false},
		{token(`{"scope":"memos/write fees/write"}`), nil, true, true},
		{"opaque", nil, false, false},
		{"opaque", nil, true, true},
		{"opaque", []string{"memos/read", "memos/write"}, false, true},
		{"opaque", []string{"memos/read", "fees/write"}, false, false},
		{token(`{}`), []string{"memos/read"}, false, true},
	} {
		g, _ := guarded(t, p)
		g.scopes, g.wide = c.profile, c.wide
		err := g.checkToken(http.Header{"Authorization": {"Bearer " + c.token}})
		assert.Equal(t, c.ok, err == nil, fmt.Sprint(c, err))
	}
}

package assistant

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is an assistant on an embedded service, with a client of the protocol.
type desk struct {
	*practicetest.Server
	*Assistant
	session *mcp.ClientSession

	mu     sync.Mutex
	logged []string
	asked  []string // questions that the person was asked
}

// setting changes the desk before it is opened.
type setting struct {
	allow      []string
	matter     string
	revision   string
	answer     string // of the person to each question; empty: the client cannot ask
	options    func(*Options)
	tokens     practice.TokenSource
	server     []practicetest.Option
	middleware func(http.RoundTripper) http.RoundTripper // below the guard
}

func open(t testing.TB, s setting) *desk {
	t.Helper()
	d := &desk{Server: practicetest.New(t, append([]practicetest.Option{practicetest.WithMatters(2), practicetest.WithEvents(5)}, s.server...)...)}
	policy, err := NewPolicy(s.allow, s.matter)
	require.NoError(t, err)
	options := Options{
		Policy: policy, BaseURL: d.BaseURL(), Version: "test", Journal: filepath.Join(t.TempDir(), "journal"), Wide: true, Now: time.Now,
		Log: func(line string) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.logged = append(d.logged, line)
		},
	}
	if s.options != nil {
		s.options(&options)
	}
	d.Assistant, err = New(options, func(guard practice.ClientOption) (*practice.Client, error) {
		more := []practice.ClientOption{guard}
		if s.tokens != nil {
			more = append(more, practice.WithTokens(s.tokens))
		}
		if s.middleware != nil {
			more = append(more, practice.WithMiddleware(s.middleware))
		}
		return d.NewClient(more...)
	})
	require.NoError(t, err)
	d.connect(t, s)
	return d
}

// connect connects a client that speaks a revision of the protocol.
func (d *desk) connect(t testing.TB, s setting) {
	t.Helper()
	own := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	if s.answer != "" {
		own.ElicitationHandler = func(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.asked = append(d.asked, request.Params.Message)
			return &mcp.ElicitResult{Action: s.answer}, nil
		}
	}
	far, near := mcp.NewInMemoryTransports()
	served, err := d.server().Connect(t.Context(), far, nil)
	require.NoError(t, err)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, own)
	d.session, err = client.Connect(t.Context(), near, &mcp.ClientSessionOptions{ProtocolVersion: s.revision})
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = d.session.Close()
		_ = served.Wait()
		d.client.CloseIdleConnections()
	})
}

// use calls a tool and returns the text of its result.
func (d *desk) use(t testing.TB, name string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	result, err := d.session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(t, err)
	require.Len(t, result.Content, 1)
	return result.Content[0].(*mcp.TextContent).Text, result.IsError
}

// preview previews a write and returns its handle.
func (d *desk) preview(t testing.TB, id string, arguments map[string]any, body string) string {
	t.Helper()
	given := map[string]any{"operation": id, "arguments": arguments}
	if body != "" {
		given["body"] = json.RawMessage(body)
	}
	text, failed := d.use(t, "preview_write", given)
	require.False(t, failed, text)
	found := handles.FindStringSubmatch(text)
	require.NotNil(t, found, text)
	return found[1]
}

var handles = regexp.MustCompile(`with preview (\w+)`)

// writes returns the operations of all requests that are no reads.
func (d *desk) writes() []string {
	sent := map[string]bool{}
	reads := map[string]bool{"storage.get": true}
	for _, o := range practice.Operations() {
		if o.Class == practice.OperationRead {
			reads[o.ID] = true
		}
	}
	for _, r := range d.Requests() {
		if !reads[r.Operation] {
			sent[r.Operation] = true
		}
	}
	return slices.Sorted(maps.Keys(sent))
}

// memo returns a body.
func memo(text string) string {
	body, _ := json.Marshal(map[string]string{"title": "Note", "text": text})
	return string(body)
}

func within(text string) string {
	_, text, _ = strings.Cut(text, "BEGIN DATA ")
	_, text, _ = strings.Cut(text, "\n")
	return text[:strings.LastIndex(text, "\nEND DATA ")]
}

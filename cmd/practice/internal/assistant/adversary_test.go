package assistant

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestALongTextIsReadToItsEnd reads a memo that is longer than a result, by each
// tool that shows it.
func TestALongTextIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	d := open(t, setting{})
	matter := d.Firm().MatterID
	long := strings.Repeat("é", 31_000) + "THE END"
	id := d.AddMemo(matter, models.MemoWrite{Title: "Long", Text: long})
	given := map[string]any{"operation": "getMemo", "arguments": map[string]any{"matterId": matter, "id": id}}
	whole, offset := "", 0
	for range 5 {
		given["offset"] = offset
		text, failed := d.use(t, "read", given)
		require.False(t, failed, text)
		assert.Less(t, len([]rune(text)), maxText+1000)
		whole += within(text)
		_, rest, more := strings.Cut(text, "pass offset ")
		if !more {
			break
		}
		_, err := fmt.Sscan(rest, &offset)
		require.NoError(t, err)
	}
	var record struct{ PlainText string }
	require.NoError(t, json.Unmarshal([]byte(whole), &record))
	assert.Equal(t, long, record.PlainText)

	only := d.AddMatter(models.MatterWrite{MatterTypeID: d.Firm().MatterTypeID, ClientIDs: []string{d.Firm().ContactID}, Status: "Open"})
	d.AddMemo(only, models.MemoWrite{Title: "Long", Text: long})
	for tool, given := range map[string]map[string]any{
		"list":            {"operation": "listMemos", "arguments": map[string]any{"matterId": only}},
		"matter_overview": {"matterId": only},
	} {
		text, failed := d.use(t, tool, given)
		require.False(t, failed, text)
		assert.Less(t, len([]rune(text)), maxText+1000, tool)
		assert.NotContains(t, text, "THE END", tool)
		assert.Contains(t, text, "too long; only its beginning is shown", tool)
	}
}

// TestAFindThatEndsEarlyOffersNoCursor because it takes none.
func TestAFindThatEndsEarlyOffersNoCursor(t *testing.T) {
	t.Parallel()
	d := open(t, setting{})
	text, failed := d.use(t, "find", map[string]any{"text": "a"})
	require.False(t, failed, text)
	assert.Contains(t, text, "narrow the search")
	assert.NotContains(t, text, "cursor")
	for _, p := range []page{{next: 3}, {next: 3, withheld: errBudget}, {next: 3, cut: true}} {
		assert.NotContains(t, d.note(p, ""), "cursor")
		assert.Contains(t, d.note(p, "list"), "cursor 3-list")
	}
}

// TestAnArgumentOfAnotherTypeIsNamed sends numbers as strings, as some models do.
func TestAnArgumentOfAnotherTypeIsNamed(t *testing.T) {
	t.Parallel()
	d := open(t, setting{})
	for _, c := range []struct {
		tool, given, says string
		failed            bool
	}{
		{"list", `{"operation":"listMatters","limit":"2"}`, "limit must be of the type integer", true},
		{"list", `{"operation":"listMatters","limit":2.5}`, "limit must be of the type integer", true},
		{"list", `{"operation":"listMatters","limit":1e99}`, "limit must be of the type integer", true},
		{"list", `{"operation":7}`, "operation must be of the type string", true},
		{"list", `{"operation":"listMatters","arguments":"{}"}`, "arguments must be of the type object", true},
		{"list", `{"operation":"listMatters","arguments":{"Limit":"2"}}`, "records", false},
		{"list", `{"operation":"listMatters","extra":1}`, `no argument "extra"`, true},
		{"list", `{"Operation":"listMatters"}`, `no argument "Operation"`, true},
		{"list", `[]`, "must be a JSON object", true},
		{"list", `null`, "operation is required", true},
	} {
		result, err := d.session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.given)})
		if !assert.NoError(t, err, c.given) {
			continue
		}
		text := result.Content[0].(*mcp.TextContent).Text
		assert.Equal(t, c.failed, result.IsError, c.given+text)
		assert.Contains(t, text, c.says, c.given)
		assert.NotContains(t, text, "Go struct", c.given)
	}
}

// TestABodyWithAMemberTwiceDeletesNothing: what is checked is what is sent.
func TestABodyWithAMemberTwiceDeletesNothing(t *testing.T) {
	t.Parallel()
	d := open(t, setting{allow: []string{"patchMatter"}})
	for _, body := range []string{
		`{"status":"Deleted","status":"Open"}`, `{"status":"Open","status":"Deleted"}`, `{"Status":"Deleted"}`, `{"status":"Open","Status":"Deleted"}`,
		`{"st\u0061tus":"Deleted"}`, `{"status":["Deleted"]}`, `{"isDeleted":true}`, `{"description":"x","DESCRIPTION":"y","status":"deleted"}`,
	} {
		text, failed := d.use(t, "preview_write", map[string]any{"operation": "patchMatter", "arguments": map[string]any{"matterId": d.Firm().MatterID}, "body": raw(body)})
		assert.True(t, failed || strings.Count(within(text), "eleted\"") == 0, body+text)
	}
	assert.Empty(t, d.writes())
}

// raw is JSON that is sent as it is.
type raw string

func (r raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// TestAnApprovalIsGoodForOneWrite answers the question of a write several times,
// one after another and at the same time.
func TestAnApprovalIsGoodForOneWrite(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"replayed", "at once", "of another preview", "with another state"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			d := open(t, setting{allow: []string{"createMemo"}, answer: "accept"})
			matter := map[string]any{"matterId": d.Firm().MatterID}
			handle := d.preview(t, "createMemo", matter, memo("one"))
			v, err := d.previews.look(handle)
			require.NoError(t, err)
			answer := func(handle, state string) error {
				_, err := d.confirmed(t.Context(), &input{Preview: handle, request: &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{
					RequestState: state, InputResponses: mcp.InputResponseMap{confirmation: &mcp.ElicitResult{Action: "accept"}},
				}}})
				return err
			}
			d.ResetRequests()
			switch how {
			case "replayed":
				require.NoError(t, answer(handle, v.nonce))
				require.ErrorIs(t, answer(handle, v.nonce), errNoPreview)
			case "at once":
				var all sync.WaitGroup
				for range 8 {
					all.Go(func() { _ = answer(handle, v.nonce) })
				}
				all.Wait()
			case "of another preview":
				other := d.preview(t, "createMemo", matter, memo("two"))
				require.Error(t, answer(other, v.nonce))
				require.NoError(t, answer(handle, v.nonce))
			case "with another state":
				require.Error(t, answer(handle, ""))
				require.Error(t, answer(handle, v.nonce))
				assert.Empty(t, d.writes())
				return
			}
			sent := 0
			for _, r := range d.Requests() {
				if r.Operation == "createMemo" {
					sent++
				}
			}
			assert.Equal(t, 1, sent)
		})
	}
}

// TestAPreviewOfOneFirmIsNotSentToAnother signs in to another firm between the
// preview and the write.
func TestAPreviewOfOneFirmIsNotSentToAnother(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	other := false
	d := open(t, setting{allow: []string{"createMemo", "patchMatter"}, middleware: func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			if other && strings.HasSuffix(r.URL.Path, "/firm") {
				return &http.Response{
					StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
					Body: io.NopCloser(strings.NewReader(`{"id":"another","name":"Another firm"}`)),
				}, nil
			}
			return next.RoundTrip(r)
		})
	}})
	matter := map[string]any{"matterId": d.Firm().MatterID}
	var all []string
	for id, body := range map[string]string{"createMemo": memo("x"), "patchMatter": `{"description":"x"}`} {
		all = append(all, d.preview(t, id, matter, body))
	}
	mu.Lock()
	other = true
	mu.Unlock()
	d.ResetRequests()
	for _, handle := range all {
		text, failed := d.use(t, "write", map[string]any{"preview": handle})
		assert.True(t, failed)
		assert.Contains(t, text, "firm has changed")
	}
	assert.Empty(t, d.writes())
}

// TestACancelledWriteEndsByItself cancels a call while its request is under way.
// The log says what became of it.
func TestACancelledWriteEndsByItself(t *testing.T) {
	t.Parallel()
	for id, body := range map[string]string{"createMemo": memo("x"), "patchMatter": `{"description":"cancelled"}`, "createFolder": `{"name":"cancelled"}`} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			arrived, release, logged := make(chan struct{}), make(chan struct{}), make(chan string, 1)
			d := open(t, setting{
				allow: []string{id}, options: func(o *Options) { o.Log = func(line string) { logged <- line } },
				middleware: func(next http.RoundTripper) http.RoundTripper {
					return roundTrip(func(r *http.Request) (*http.Response, error) {
						if r.Method != http.MethodGet {
							close(arrived)
							<-release
						}
						return next.RoundTrip(r)
					})
				},
			})
			handle := d.preview(t, id, map[string]any{"matterId": d.Firm().MatterID}, body)
			ctx, cancel := context.WithCancel(t.Context())
			var call sync.WaitGroup
			call.Go(func() {
				_, _ = d.session.CallTool(ctx, &mcp.CallToolParams{Name: "write", Arguments: map[string]any{"preview": handle}})
			})
			<-arrived
			cancel()
			call.Wait()
			d.use(t, "find_operations", nil) // the server reads its messages in their order
			close(release)
			assert.Contains(t, <-logged, "accepted")
			assert.Equal(t, []string{id}, d.writes())
		})
	}
}

// TestAResponseThatIsCutIsNoRecord cuts responses in the middle.
func TestAResponseThatIsCutIsNoRecord(t *testing.T) {
	t.Parallel()
	d := open(t, setting{allow: []string{"createMemo", "patchMatter"}})
	matter := map[string]any{"matterId": d.Firm().MatterID}
	d.Inject(practicetest.Fault{Operation: "getMatter", Kind: practicetest.FaultTruncated, Times: -1})
	for tool, given := range map[string]map[string]any{
		"read":            {"operation": "getMatter", "arguments": matter},
		"matter_overview": {"matterId": d.Firm().MatterID},
		"preview_write":   {"operation": "patchMatter", "arguments": matter, "body": rawJSON(`{"description":"x"}`)},
	} {
		text, failed := d.use(t, tool, given)
		assert.True(t, failed, tool+text)
	}
	handle := d.preview(t, "createMemo", matter, memo("cut"))
	d.Inject(practicetest.Fault{Operation: "createMemo", Kind: practicetest.FaultTruncated, Times: -1})
	d.ResetRequests()
	text, failed := d.use(t, "write", map[string]any{"preview": handle})
	assert.False(t, failed, text)
	assert.Contains(t, text, "Do not repeat it")
	sent := 0
	for _, r := range d.Requests() {
		if r.Operation == "createMemo" {
			sent++
		}
	}
	assert.Equal(t, 1, sent)
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

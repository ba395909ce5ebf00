package practice_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations/variants"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestDoFillsInTheTemplate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path   string
		values []string
		want   string
	}{
		{"/firm", nil, "/firm"},
		{"/matters/{matterId}/memos/{id}", []string{"m1", "42"}, "/matters/m1/memos/42"},
		{"/{id}", []string{"x"}, "/x"},
		{"/tags/{id}", []string{"a b?c#d%2Fe&f=g;h"}, "/tags/a%20b%3Fc%23d%252Fe&f=g%3Bh"},
		{"/tags/{id}", []string{"Größe"}, "/tags/Gr%C3%B6%C3%9Fe"},
		{"/tags/{id}", []string{"{id}"}, "/tags/%7Bid%7D"},
		{"/tags/{id}", []string{"..."}, "/tags/..."},
		{"/matter types/{id}", []string{"1_IL"}, "/matter%20types/1_IL"},
	} {
		t.Run(test.want, func(t *testing.T) {
			t.Parallel()
			service := &testkit.Recorder{Status: 200}
			request := practice.Request{Method: "GET", Path: test.path, PathValues: test.values}
			require.NoError(t, service.Client(t, testkit.OddBase).Do(t.Context(), request, nil))
			assert.Equal(t, []string{testkit.OddBase + test.want}, service.Addresses())
		})
	}
}

func TestDoRefusesBadRequestsAndSendsNothing(t *testing.T) {
	t.Parallel()
	type refused struct {
		argument string
		request  practice.Request
		out      any
	}
	var link models.Link
	tests := map[string]refused{
		"no method":                {"Method", practice.Request{Path: "/a"}, nil},
		"a method with a space":    {"Method", practice.Request{Method: "GET /x", Path: "/a"}, nil},
		"a method with a new line": {"Method", practice.Request{Method: "GET\r\n", Path: "/a"}, nil},
		"too few values":           {"Path", practice.Request{Method: "GET", Path: "/a/{x}/{y}", PathValues: []string{"1"}}, nil},
		"too many values":          {"Path", practice.Request{Method: "GET", Path: "/a/{x}", PathValues: []string{"1", "2"}}, nil},
		"a number that is none":    {"Body", practice.Request{Method: "PUT", Path: "/a", Body: math.NaN()}, nil},
		"a channel":                {"Body", practice.Request{Method: "PUT", Path: "/a", Body: make(chan int)}, nil},
		"text that is no JSON":     {"Body", practice.Request{Method: "PUT", Path: "/a", Body: json.RawMessage(`{"a":`)}, nil},
		"no text":                  {"Body", practice.Request{Method: "PUT", Path: "/a", Body: json.RawMessage(nil)}, nil},
		"a record that is nil":     {"Body", practice.Request{Method: "PUT", Path: "/a", Body: (*models.FeePatch)(nil)}, nil},
		"out that is no pointer":   {"out", practice.Request{Method: "POST", Path: "/a"}, link},
		"out that is a map":        {"out", practice.Request{Method: "POST", Path: "/a"}, map[string]any{}},
		"out that is nil of type":  {"out", practice.Request{Method: "POST", Path: "/a"}, (*models.Link)(nil)},
		"a writer that is nil":     {"out", practice.Request{Method: "POST", Path: "/a"}, (*bytes.Buffer)(nil)},
		"a pointer to a writer":    {"out", practice.Request{Method: "POST", Path: "/a"}, new(io.Writer)},
		"out that is a reader":     {"out", practice.Request{Method: "POST", Path: "/a"}, strings.NewReader("")},
		"out without fields":       {"out", practice.Request{Method: "POST", Path: "/a"}, new(sync.Mutex)},
		"out without a pointer":    {"out", practice.Request{Method: "POST", Path: "/a"}, bytes.Buffer{}},
		"out that is a channel":    {"out", practice.Request{Method: "POST", Path: "/a"}, new(chan int)},
		"out far from a function":  {"out", practice.Request{Method: "POST", Path: "/a"}, new(*func())},
		"a small method":           {"Method", practice.Request{Method: "get", Path: "/a"}, nil},
		"a mixed method":           {"Method", practice.Request{Method: "Post", Path: "/a"}, nil},
		"a method for proxies":     {"Method", practice.Request{Method: "CONNECT", Path: "/a"}, nil},
		"once and idempotent":      {"Once", practice.Request{Method: "POST", Path: "/a", Once: true, Idempotent: true}, nil},
		"a reader of no JSON":      {"Body", practice.Request{Method: "PUT", Path: "/a", Body: strings.NewReader("a=1")}, nil},
		"a reader of nothing":      {"Body", practice.Request{Method: "PUT", Path: "/a", Body: strings.NewReader("")}, nil},
		"a reader that fails":      {"Body", practice.Request{Method: "PUT", Path: "/a", Body: iotest.ErrReader(io.ErrClosedPipe)}, nil},
		"a reader that is nil":     {"Body", practice.Request{Method: "PUT", Path: "/a", Body: (*bytes.Reader)(nil)}, nil},
		"a reader without end":     {"Body", practice.Request{Method: "PUT", Path: "/a", Body: endlessReader{}}, nil},
		"the value of a buffer":    {"Body", practice.Request{Method: "PUT", Path: "/a", Body: *bytes.NewBufferString("{}")}, nil},
		"the value of a reader":    {"Body", practice.Request{Method: "PUT", Path: "/a", Body: io.LimitedReader{R: strings.NewReader("{}"), N: 2}}, nil},
		"a builder":                {"Body", practice.Request{Method: "PUT", Path: "/a", Body: new(strings.Builder)}, nil},
		"a reader in a map":        {"Body", practice.Request{Method: "PUT", Path: "/a", Body: map[string]any{"a": []any{strings.NewReader("{}")}}}, nil},
		"a reader in a struct":     {"Body", practice.Request{Method: "PUT", Path: "/a", Body: struct{ R io.Reader }{strings.NewReader("{}")}}, nil},
		"a form":                   {"Body", practice.Request{Method: "PUT", Path: "/a", Body: url.Values{"a": {"1"}}}, nil},
		"a struct without fields":  {"Body", practice.Request{Method: "PUT", Path: "/a", Body: &struct{ a int }{1}}, nil},
		"a mutex":                  {"Body", practice.Request{Method: "PUT", Path: "/a", Body: new(sync.Mutex)}, nil},
		"text that is not UTF-8":   {"Body", practice.Request{Method: "PUT", Path: "/a", Body: []byte("\"a\xff\"")}, nil},
		"a reader of such text":    {"Body", practice.Request{Method: "PUT", Path: "/a", Body: strings.NewReader("\"a\xff\"")}, nil},
		"such text in a struct":    {"Body", practice.Request{Method: "PUT", Path: "/a", Body: struct{ A []string }{[]string{"a\xff"}}}, nil},
		"such text as a key":       {"Body", practice.Request{Method: "PUT", Path: "/a", Body: map[string]any{"a\xff": 1}}, nil},
		"such text in a record":    {"body", practice.Request{Method: "PUT", Path: "/a", Body: models.FolderWrite{Name: "a\xff"}}, nil},
		"a record with such text":  {"Body", practice.Request{Method: "PUT", Path: "/a", Body: []any{models.FolderWrite{Name: "a\xff"}}}, nil},
		"such text of a type":      {"Body", practice.Request{Method: "PUT", Path: "/a", Body: map[string]any{"a": crookedText{}}}, nil},
		"such text of a pointer":   {"Body", practice.Request{Method: "PUT", Path: "/a", Body: &struct{ A crookedPointer }{}}, nil},
		"such text of a key":       {"Body", practice.Request{Method: "PUT", Path: "/a", Body: map[crookedText]int{{}: 1}}, nil},
		"such text under a name":   {"Body", practice.Request{Method: "PUT", Path: "/a", Body: payload("\"a\xff\"")}, nil},
		"other text under a name":  {"Body", practice.Request{Method: "PUT", Path: "/a", Body: payload("a=1")}, nil},
		"a map that is nil":        {"Body", practice.Request{Method: "PUT", Path: "/a", Body: map[string]any(nil)}, nil},
		"a list that is nil":       {"Body", practice.Request{Method: "PUT", Path: "/a", Body: []models.FolderWrite(nil)}, nil},
		"a pointer to nil":         {"Body", practice.Request{Method: "PUT", Path: "/a", Body: new(map[string]any)}, nil},
		"text that is nil":         {"Body", practice.Request{Method: "PUT", Path: "/a", Body: payload(nil)}, nil},
		"a pointer to no text":     {"Body", practice.Request{Method: "PUT", Path: "/a", Body: new([]byte)}, nil},
		"such text in the query":   {"q", practice.Request{Method: "GET", Path: "/a", Query: url.Values{"q": {"a\xff"}}}, nil},
		"a value that is empty":    {"PathValues", practice.Request{Method: "GET", Path: "/a/{x}", PathValues: []string{""}}, nil},
	}
	for _, template := range []string{
		"", "a", "/", "/a/", "//a", "/a//b", "/a?x=1", "/a#x", `/a\b`, "/{}", "/{x", "/x}", "/a{x}", "/{x}a", "/{{x}}", "/%41", "/a%2Fb",
		"/..", "/a/../b", "/./a", "/a\nb", "/a\x00", "https://evil.example.test/a",
	} {
		var values []string
		if strings.Contains(template, "{") {
			values = []string{"1"}
		}
		tests["template "+template] = refused{"Path", practice.Request{Method: "GET", Path: template, PathValues: values}, nil}
	}
	for _, id := range variants.BadIdentifiers() {
		tests["value "+id] = refused{"PathValues", practice.Request{Method: "GET", Path: "/a/{x}/{y}", PathValues: []string{"1", id}}, nil}
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := &testkit.Recorder{Status: 200}
			err := service.Client(t, testkit.OddBase).Do(t.Context(), test.request, test.out)
			bad, ok := errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, test.argument, bad.Argument)
			assert.Empty(t, service.Asked)
		})
	}
}

func TestDoSendsItsQuery(t *testing.T) {
	t.Parallel()
	service := &testkit.Recorder{Status: 200}
	query := url.Values{"Limit": {"5"}, "tag": {"b", "a & ä"}, "empty": {""}}
	request := practice.Request{Method: "GET", Path: "/memos", Query: query}
	require.NoError(t, service.Client(t, testkit.OddBase).Do(t.Context(), request, nil, practice.WithQuery("limit", "7"), practice.WithQuery("sort", "name")))
	assert.Equal(t, []string{testkit.OddBase + "/memos?Limit=5&empty=&sort=name&tag=b&tag=a+%26+%C3%A4"}, service.Addresses(), "the request's own win")
	assert.Equal(t, url.Values{"Limit": {"5"}, "tag": {"b", "a & ä"}, "empty": {""}}, query)
}

// payload is a named type of JSON text.
type payload []byte

// TestDoRepeatsByMethod checks the class of a request by its number of attempts
// when the service always responds 503 or 500.
func TestDoRepeatsByMethod(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		method             string
		says               bool // Request.Idempotent
		after503, after500 int
		ambiguous          bool
	}{
		{"GET", false, 4, 4, false},
		{"HEAD", false, 4, 4, false},
		{"PUT", false, 4, 1, false},
		{"DELETE", false, 4, 1, false},
		{"POST", false, 1, 1, true},
		{"PATCH", false, 1, 1, true},
		{"MERGE", false, 1, 1, true},
		{"POST", true, 4, 1, false},
		{"PATCH", true, 4, 1, false},
		{"GET", true, 4, 4, false},
	} {
		name := test.method
		if test.says {
			name += " that is idempotent"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				for status, times := range map[int]int{503: test.after503, 500: test.after500} {
					service := &testkit.Recorder{Status: status}
					request := practice.Request{Method: test.method, Path: "/a/{id}", PathValues: []string{"secret-id"}, Idempotent: test.says}
					err := service.Client(t, testkit.OddBase).Do(t.Context(), request, nil)
					require.ErrorIs(t, err, practice.ErrServer)
					assert.Len(t, service.Asked, times, "status %d", status)
					_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
					assert.Equal(t, test.ambiguous, ambiguous)
					answer, ok := errors.AsType[*practice.Error](err)
					require.True(t, ok)
					assert.Equal(t, "Do "+test.method+" /a/{id}", answer.Operation)
					assert.NotContains(t, err.Error(), "secret-id", "the label has no identifier")
				}
			})
		})
	}
}

// TestDoSendsOnceWhatMustNotBeRepeated checks that Once prevents retries after
// an unknown outcome.
func TestDoSendsOnceWhatMustNotBeRepeated(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"PUT", "DELETE", "POST", "PATCH", "GET"} {
		for _, status := range []int{500, 503, 504} {
			service := &testkit.Recorder{Status: status}
			err := service.Client(t, testkit.OddBase).Do(t.Context(), practice.Request{Method: method, Path: "/a", Once: true}, nil)
			_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
			assert.True(t, ambiguous, "%s %d: %v", method, status, err)
			assert.Len(t, service.Asked, 1, "%s %d", method, status)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		service := &testkit.Recorder{Status: 429}
		err := service.Client(t, testkit.OddBase).Do(t.Context(), practice.Request{Method: "PUT", Path: "/a", Once: true}, nil)
		require.ErrorIs(t, err, practice.ErrRateLimited)
		_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
		assert.False(t, ambiguous)
		assert.Greater(t, len(service.Asked), 1, "what was refused was not executed")
	})
}

func TestAnAnswerToAnotherRequestIsNoticed(t *testing.T) {
	t.Parallel()
	for echoed, mismatch := range map[string]bool{"mine": false, "": false, "yours": true} {
		client := testkit.WithStorage(t, "", nil, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				resp, err := next.RoundTrip(req)
				if err == nil && echoed != "" {
					resp.Header.Set("RequestId", echoed)
				}
				return resp, err
			})
		}))
		var response practice.Response
		get := practice.Request{Method: "GET", Path: "/a"}
		require.NoError(t, client.Do(t.Context(), get, nil, practice.WithRequestID("mine"), practice.WithResponse(&response)))
		assert.Equal(t, echoed, response.EchoedRequestID)
		assert.Equal(t, mismatch, response.RequestIDMismatch())
	}
}

func TestDoAndFollowRefuseAPageWithoutAList(t *testing.T) {
	t.Parallel()
	client := testkit.ScriptedClient(t, &testkit.Scripted{Pages: func(url.Values) string { return `{"message":"The service is being maintained."}` }})
	for _, out := range []any{new(practice.Page[models.CalendarEvent]), new(models.Collection[models.CalendarEvent])} {
		require.ErrorIs(t, client.Do(t.Context(), practice.Request{Method: "GET", Path: "/events"}, out), practice.ErrEmptyPage)
		require.ErrorIs(t, client.Follow(t.Context(), models.Link{Href: "/events?offset=2"}, out), practice.ErrEmptyPage)
	}
}

func TestDoAgainstTheService(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		var response practice.Response
		var member models.StaffMember
		get := practice.Request{Method: "GET", Path: "/staff/{id}", PathValues: []string{f.StaffID}}
		require.NoError(t, client.Do(t.Context(), get, &member, practice.WithRequestID("mine"), practice.WithResponse(&response)))
		assert.Equal(t, f.StaffID, member.ID)
		assert.Equal(t, "mine", response.RequestID)
		assert.Equal(t, "mine", response.EchoedRequestID)
		assert.False(t, response.RequestIDMismatch())
		assert.Equal(t, 200, response.StatusCode)

		get.PathValues[0] = testkit.UnknownID
		err := client.Do(t.Context(), get, &member, practice.WithResponse(&response))
		require.ErrorIs(t, err, practice.ErrNotFound)
		assert.Equal(t, 404, response.StatusCode, "also of a refusal")
		assert.NotContains(t, err.Error(), testkit.UnknownID)

		var link models.Link
		patch := practice.Request{
			Method: "PATCH", Path: "/matters/{matterId}/fees/{id}", PathValues: []string{f.MatterID, f.FeeID},
			Body: models.FeePatch{Subject: models.Some("By hand")}, Idempotent: true,
		}
		require.NoError(t, client.Do(t.Context(), patch, &link))
		server.Settle()
		assert.Equal(t, "By hand", fee(t, client, f)["subject"])

		require.NoError(t, client.Do(t.Context(), practice.Request{Method: "POST", Path: "/webhooks/{id}/notify", PathValues: []string{f.WebhookID}}, nil))
		withPrefix := server.Client(t, testkit.ClientCredentials(server)).ForAccount(f.AccountID)
		require.NoError(t, withPrefix.Do(t.Context(), practice.Request{Method: "GET", Path: "/webhooks/types"}, nil))
		testkit.AssertSent(t, server, "GET", "/"+f.AccountID+"/webhooks/types", "")
	}, practicetest.WithMultiAccount(true))
}

// The storage may respond before it has read a large body. The embedded service
// then closes late, because net/http keeps such a connection open a moment
// longer.
func TestAnEarlyRefusalOfALargeUpload(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.Inject(practicetest.Fault{Operation: "storage.put", Status: http.StatusForbidden, Times: -1})
		_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.bin", Body: strings.NewReader(strings.Repeat("x", 1<<20))})
		require.Error(t, err)
	})
}

func TestTheProgressOfAnEmptyUpload(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		told := 0
		_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{
			Name: "empty.txt", Body: strings.NewReader(""), Progress: func(done, total int64) { told++; assert.Zero(t, done+total) },
		})
		require.NoError(t, err)
		assert.Equal(t, 1, told)
	})
}

// crookedText marshals to invalid UTF-8, and so does a pointer to
// crookedPointer.
type (
	crookedText    struct{}
	crookedPointer struct{ _ int }
)

func (crookedText) MarshalText() ([]byte, error) { return []byte("a\xff"), nil }

func (*crookedPointer) MarshalText() ([]byte, error) { return []byte("a\xff"), nil }

// endlessReader returns white space without end.
type endlessReader struct{}

func (endlessReader) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

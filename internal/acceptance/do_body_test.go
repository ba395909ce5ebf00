package acceptance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

type (
	// EmbedsItself has a field beside the embedded pointer to itself.
	EmbedsItself struct {
		*EmbedsItself
		Name string `json:"name"`
	}
	// ItselfOnly has no field to fill at any depth.
	ItselfOnly  struct{ *ItselfOnly }
	holdsItself struct {
		Name  string
		Next  *holdsItself
		Many  []holdsItself
		Named map[string]*holdsItself
	}
)

func TestAnOutThatCannotBeFilledIsRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	type wide struct {
		Err   error    `json:"err"`
		Stop  chan int `json:"-"`
		stop  func()   //nolint:unused // encoding/json leaves it out
		Dates []time.Time
		By    map[time.Time]*models.Decimal
	}
	for _, test := range []struct {
		rule string
		out  any
		sent bool
	}{
		{"a key that is no name", new(map[bool]string), false},
		{"a key that is a list", new(map[[2]int]string), false},
		{"functions in a map", new(map[string]func()), false},
		{"channels in a list", new([]chan int), false},
		{"a channel in a field", new(struct{ A chan int }), false},
		{"a channel in a field of a field", new(struct{ A struct{ B *[]chan int } }), false},
		{"interfaces with methods in a map", new(map[string]io.Reader), false},
		{"complex numbers", new([2]complex64), false},
		{"a struct that embeds itself only", new(ItselfOnly), false},
		{"a struct that embeds itself", new(EmbedsItself), true},
		{"a struct that holds itself", new(holdsItself), true},
		{"keys that are numbers", new(map[int8]any), true},
		{"anything in a list", new([]any), true},
		{"what is left out, and an interface that may hold a pointer", new(wide), true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			sent := false
			client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
				Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
					sent = true
					return testkit.AnswerOf(204, ""), nil
				}),
			}))
			require.NoError(t, err)
			err = client.Do(t.Context(), practice.Request{Method: http.MethodPost, Path: "/x"}, test.out)
			assert.Equal(t, test.sent, sent, fmt.Sprint(err))
			assert.Equal(t, test.sent, err == nil)
		})
	}
}

func TestDoWritesBodiesOfAllKinds(t *testing.T) {
	t.Parallel()
	subscription := testkit.SubscriptionOf("error")
	for name, test := range map[string]struct {
		body any
		want string // empty: no error
	}{
		"nothing":                   {nil, ""},
		"a record":                  {models.FeePatch{Subject: models.Some("a & b"), Tax: models.Null[models.Decimal]()}, `{"subject":"a & b","tax":null}`},
		"a pointer to one":          {&models.FolderWrite{Name: "x"}, `{"name":"x"}`},
		"a record's secret":         {&subscription, `{"name":"Matters","eventTypes":["error"],"eventNotificationUrl":"https://hooks.example.test/in","key":"k-0123456789"}`},
		"JSON as it is":             {json.RawMessage(` {"a": 1.10} `), ` {"a": 1.10} `},
		"null":                      {json.RawMessage(`null`), `null`},
		"a struct":                  {struct{ A int }{1}, `{"A":1}`},
		"a list":                    {[]string{"a"}, `["a"]`},
		"an empty list":             {[]string{}, `[]`},
		"an empty map":              {map[string]any{}, `{}`},
		"text by another name":      {payload(`{"a": 1}`), `{"a": 1}`},
		"a pointer to text":         {new([]byte(`{"a": 1}`)), `{"a": 1}`},
		"a pointer to JSON":         {new(json.RawMessage(`{"a": 1}`)), `{"a": 1}`},
		"bytes in a struct":         {struct{ A payload }{payload("a")}, `{"A":"YQ=="}`},
		"a list that writes itself": {ownList(nil), `["own"]`},
		"a text of a type":          {map[string]any{"a": net.IPv4(127, 0, 0, 1)}, `{"a":"127.0.0.1"}`},
		"a reader":                  {strings.NewReader(`{"a": 1}`), `{"a": 1}`},
		"a buffer":                  {bytes.NewBufferString(`{"a":1}`), `{"a":1}`},
		"a limited reader":          {&io.LimitedReader{R: strings.NewReader(`{"a":1}}}}`), N: 7}, `{"a":1}`},
		"an embedded reader":        {struct{ io.Reader }{strings.NewReader(`[]`)}, `[]`},
		"a time":                    {time.Unix(0, 0).UTC(), `"1970-01-01T00:00:00Z"`},
		"an embedded struct":        {struct{ models.FolderWrite }{models.FolderWrite{Name: "x"}}, `{"name":"x"}`},
		"a map with a number":       {map[string]any{"a": models.MustDecimal("1.10")}, `{"a":1.10}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := &testkit.Recorder{Status: 202}
			require.NoError(t, service.Client(t, testkit.OddBase).Do(t.Context(), practice.Request{Method: "PUT", Path: "/a", Body: test.body}, nil))
			require.Len(t, service.Asked, 1)
			if test.want == "" {
				assert.Empty(t, service.Bodies)
				assert.Empty(t, service.Asked[0].Header.Get("Content-Type"))
				return
			}
			assert.Equal(t, []string{test.want}, service.Bodies)
			assert.Equal(t, "application/json-patch+json", service.Asked[0].Header.Get("Content-Type"))
		})
	}
}

// ownList implements json.Marshaler, also for nil.
type ownList []string

func (ownList) MarshalJSON() ([]byte, error) { return []byte(`["own"]`), nil }

// payload is a named type of JSON text.
type payload []byte

func TestDoWritesTheAnswerIntoAWriter(t *testing.T) {
	t.Parallel()
	const pdf = "%PDF-1.7\n\xff\x00"
	get := practice.Request{Method: "GET", Path: "/invoice"}
	service := &testkit.Recorder{Status: 200, Body: pdf}
	client := service.Client(t, testkit.OddBase)
	var buffer bytes.Buffer
	var builder strings.Builder
	for _, out := range []io.Writer{&buffer, &builder, struct{ io.Writer }{&buffer}} {
		require.NoError(t, client.Do(t.Context(), get, out))
	}
	assert.Equal(t, pdf+pdf, buffer.String())
	assert.Equal(t, pdf, builder.String())

	reader, writer := io.Pipe()
	require.NoError(t, reader.Close())
	err := client.Do(t.Context(), get, writer)
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.ErrorContains(t, err, "practice: Do GET /invoice: status 200, but the response could not be written")

	refusing := &testkit.Recorder{Status: 404, Body: "gone"}
	buffer.Reset()
	require.ErrorIs(t, refusing.Client(t, testkit.OddBase).Do(t.Context(), get, &buffer), practice.ErrNotFound)
	assert.Empty(t, buffer.Bytes(), "a refusal is no content")
}

func TestDoReadsIntoOutsOfAllKinds(t *testing.T) {
	t.Parallel()
	const body = `{"id":"1","href":"/a","rel":"x","more":1.10}`
	call := func(t *testing.T, status int, body string, out any) error {
		t.Helper()
		service := &testkit.Recorder{Status: status, Body: body}
		return service.Client(t, testkit.OddBase).Do(t.Context(), practice.Request{Method: "GET", Path: "/a"}, out)
	}
	t.Run("a record", func(t *testing.T) {
		t.Parallel()
		var link models.Link
		require.NoError(t, call(t, 200, body, &link))
		assert.Equal(t, "x", link.Relation)
	})
	t.Run("a page", func(t *testing.T) {
		t.Parallel()
		var page practice.Page[models.Link]
		require.NoError(t, call(t, 200, `[`+body+`,`+body+`]`, &page))
		assert.Len(t, page.Items, 2)
	})
	t.Run("the text itself", func(t *testing.T) {
		t.Parallel()
		var raw []byte
		require.NoError(t, call(t, 200, body, &raw))
		assert.Equal(t, body, string(raw))
	})
	t.Run("the text of what is no JSON", func(t *testing.T) {
		t.Parallel()
		var raw []byte
		require.NoError(t, call(t, 200, "%PDF-1.7", &raw))
		assert.Equal(t, "%PDF-1.7", string(raw))
	})
	t.Run("a struct", func(t *testing.T) {
		t.Parallel()
		var out struct {
			More models.Decimal `json:"more"`
		}
		require.NoError(t, call(t, 200, body, &out))
		assert.Equal(t, "1.10", out.More.String())
	})
	t.Run("a map", func(t *testing.T) {
		t.Parallel()
		var out map[string]json.RawMessage
		require.NoError(t, call(t, 200, body, &out))
		assert.Equal(t, "1.10", string(out["more"]))
	})
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, call(t, 200, "no JSON", nil))
	})
	t.Run("the answer to a write without a body leaves out as it is", func(t *testing.T) {
		t.Parallel()
		for _, status := range []int{200, 202, 204} {
			for _, body := range []string{"", " \r\n", "null"} {
				out, link, raw := map[string]int{"a": 1}, models.Link{ID: "1"}, []byte("before")
				for _, into := range []any{&out, &link, &raw} {
					service := &testkit.Recorder{Status: status, Body: body}
					require.NoError(t, service.Client(t, testkit.OddBase).Do(t.Context(), practice.Request{Method: "PUT", Path: "/a"}, into))
				}
				assert.Equal(t, map[string]int{"a": 1}, out)
				assert.Equal(t, "1", link.ID)
				assert.Equal(t, body, string(raw), "but the text is what it is")
			}
		}
	})
	t.Run("the answer to a read without a body is an error", func(t *testing.T) {
		t.Parallel()
		var out map[string]int
		var link models.Link
		var raw []byte
		for _, body := range []string{"", " \n", "null", "\tnull\n"} {
			require.ErrorIs(t, call(t, 200, body, &out), practice.ErrEmptyAnswer)
			require.ErrorIs(t, call(t, 200, body, &link), practice.ErrEmptyAnswer)
			require.NoError(t, call(t, 200, body, &raw))
			assert.Equal(t, body, string(raw))
		}
		head := practice.Request{Method: "HEAD", Path: "/a"}
		require.NoError(t, (&testkit.Recorder{Status: 200}).Client(t, testkit.OddBase).Do(t.Context(), head, &link), "the answer to HEAD never has one")
	})
	t.Run("a byte order mark is passed over", func(t *testing.T) {
		t.Parallel()
		const marked = "\ufeff" + body
		var out map[string]any
		var link models.Link
		var raw []byte
		require.NoError(t, call(t, 200, marked, &out))
		assert.Equal(t, "1", out["id"])
		require.NoError(t, call(t, 200, marked, &link))
		assert.Equal(t, "1", link.ID)
		require.NoError(t, call(t, 200, marked, &raw))
		assert.Equal(t, marked, string(raw), "but not in the text itself")
		refusal, ok := errors.AsType[*practice.Error](call(t, 400, "\ufeff"+`{"title":"Bad","detail":"No such matter."}`, nil))
		require.True(t, ok)
		assert.Equal(t, "No such matter.", refusal.Problem.Detail)
	})
	t.Run("what cannot be read is a decode error", func(t *testing.T) {
		t.Parallel()
		var out map[string]int
		var link models.Link
		for _, into := range []any{&out, &link} {
			err := call(t, 200, `{"id":`, into)
			undecoded, ok := errors.AsType[*practice.DecodeError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, `{"id":`, string(undecoded.Body))
			assert.Equal(t, 200, undecoded.StatusCode)
			assert.NotEmpty(t, undecoded.RequestID)
			require.ErrorContains(t, err, "status 200, but the response could not be read")
		}
	})
	t.Run("one faulty record costs that record only", func(t *testing.T) {
		t.Parallel()
		var page models.Collection[models.Link]
		err := call(t, 200, `{"value":[{"id":"1"},[],{"id":"3"}]}`, &page)
		fault, ok := errors.AsType[*practice.RecordError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, 1, fault.Index)
		assert.Len(t, page.Items, 2)
	})
}

func TestDoNeverSendsTheMaskOfASecret(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		request := practice.Request{Method: http.MethodPost, Path: "/webhooks", Body: map[string]any{
			"name": "n", "eventTypes": []string{"error"}, "eventNotificationUrl": "https://hooks.example.test/in", "key": models.NewSecret("k-1"),
		}}
		assert.True(t, testkit.IsArgumentError(client.Do(t.Context(), request, nil)))
		assert.Empty(t, server.Requests())
	})
}

func TestDoTakesJSONTextAsBytes(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		request := practice.Request{Method: http.MethodPost, Path: "/contacts/{id}/tags", PathValues: []string{server.Firm().ContactID}, Body: []byte(`["VIP"]`)}
		require.NoError(t, client.Do(t.Context(), request, nil))
		assert.Equal(t, `["VIP"]`, string(server.Requests()[0].Body))
		request.Body = []byte(`not JSON`)
		assert.True(t, testkit.IsArgumentError(client.Do(t.Context(), request, nil)))
	})
}

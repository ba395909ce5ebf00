package acceptance_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// describedOperation returns the operation with an id, as Operations describes
// it.
func describedOperation(t *operationRow, id string) practice.Operation {
	all := practice.Operations()
	i := slices.IndexFunc(all, func(o practice.Operation) bool { return o.ID == id })
	require.GreaterOrEqual(t, i, 0)
	return all[i]
}

// argumentsOf returns the arguments of a call by name that produce the same
// request.
func argumentsOf(t *operationRow, o practice.Operation, base string, sent practicetest.RecordedRequest) map[string]any {
	arguments := map[string]any{}
	root, err := url.Parse(base)
	require.NoError(t, err)
	segments := strings.Split(strings.TrimPrefix(sent.Path, root.EscapedPath()), "/")
	for i, part := range strings.Split(o.Path, "/") {
		if name, isParameter := strings.CutPrefix(part, "{"); isParameter {
			value, err := url.PathUnescape(segments[i])
			require.NoError(t, err)
			arguments[strings.TrimSuffix(name, "}")] = value
		}
	}
	query, err := url.ParseQuery(sent.RawQuery)
	require.NoError(t, err)
	for name, values := range query {
		i := slices.IndexFunc(o.Parameters, func(p practice.Parameter) bool { return p.Name == name })
		require.GreaterOrEqual(t, i, 0, "the parameter %s", name)
		switch p := o.Parameters[i]; {
		case p.Kind == practice.KindTicks:
			arguments[name] = ticksTime(t, values[0])
		case p.Repeated:
			arguments[name] = values
		default:
			arguments[name] = values[0]
		}
	}
	return arguments
}

func ticksTime(t *operationRow, text string) any {
	ticks, err := models.ParseTicks(text)
	require.NoError(t, err)
	return ticks.Time()
}

// TestACallByNameSendsWhatTheMethodSends compares the requests of every
// operation by its method and by its operationId.
func TestACallByNameSendsWhatTheMethodSends(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(t *operationRow, server *practicetest.Server) {
		client := server.Client(t, t.op.ClientOptions(server)...)
		firm := server.Firm()
		require.NoError(t, t.op.Call(t.Context(), client, firm, practice.WithRequestID("one")))
		byMethod := testkit.RequestsTo(server, practicetest.PartAPI)[0]
		o := describedOperation(t, t.op.ID)
		arguments := argumentsOf(t, o, server.BaseURL(), byMethod)
		var body any
		if o.Body != "" && len(byMethod.Body) > 0 {
			body = json.RawMessage(byMethod.Body)
		}
		renew(server)

		client = server.Client(t, t.op.ClientOptions(server)...)
		require.NoError(t, client.Call(t.Context(), t.op.ID, arguments, body, nil, practice.WithRequestID("one")))
		byName := testkit.RequestsTo(server, practicetest.PartAPI)
		require.Len(t, byName, 1)
		assert.Equal(t, [3]string{byMethod.Method, byMethod.Path, byMethod.RawQuery}, [3]string{byName[0].Method, byName[0].Path, byName[0].RawQuery})
		assert.Equal(t, string(byMethod.Body), string(byName[0].Body))
		assert.Equal(t, ofTheCall(byMethod.Header), ofTheCall(byName[0].Header))
		assert.Equal(t, t.op.Name, o.GoMethod)
		assert.Equal(t, t.described.Class, string(o.Class))
	})
}

// ofTheCall returns the headers without those that differ between any two
// requests.
func ofTheCall(header http.Header) http.Header {
	header = header.Clone()
	header.Del("Authorization")
	return header
}

func TestEverySampleIsABodyThatCanBeSent(t *testing.T) {
	t.Parallel()
	samples := 0
	for _, o := range practice.Operations() {
		if o.Sample == "" {
			continue
		}
		samples++
		body := o.NewBody()
		require.NoError(t, json.Unmarshal([]byte(o.Sample), body), o.ID)
		assert.Equal(t, "*"+o.Body, fmt.Sprintf("%T", body))
		sent := ""
		transport := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			text, err := io.ReadAll(r.Body)
			sent = string(text)
			return testkit.AnswerOf(http.StatusAccepted, `{"value":[]}`), err
		})
		client := testkit.BareClient(t, "https://practice.example.test", practice.WithHTTPClient(&http.Client{Transport: transport}))
		arguments, members := map[string]any{}, map[string]any{}
		_ = json.Unmarshal([]byte(o.Sample), &members) // the members stay empty if the body is a list
		for _, p := range o.Parameters {
			if p.Required {
				arguments[p.Name] = cmp.Or(members[p.Name], any("11111111-1111-4111-8111-111111111111")) // the id of the record is in the path and in the body
			}
		}
		require.NoError(t, client.Call(t.Context(), o.ID, arguments, []byte(o.Sample), nil), o.ID)
		assert.JSONEq(t, o.Sample, sent, o.ID)
	}
	assert.Greater(t, samples, 60)
}

func TestACallByNameRefusesWhatTheOperationDoesNotTake(t *testing.T) {
	t.Parallel()
	matter := map[string]any{"matterId": "m"}
	fee := map[string]any{"matterId": "m", "id": "f"}
	for name, row := range map[string]struct {
		id        string
		arguments map[string]any
		body      any
		argument  string // argument that the error names
		reason    string
	}{
		"an operation that is unknown":          {id: "patchFees", argument: "id"},
		"the name of a method":                  {id: "Fees.Patch", argument: "id"},
		"a parameter that is unknown":           {id: "getFee", arguments: map[string]any{"matterId": "m", "id": "f", "feeId": "x"}, argument: "feeId"},
		"a parameter in other letters":          {id: "getFee", arguments: map[string]any{"matterID": "m", "id": "f"}, argument: "matterID", reason: "is not a parameter of getFee, which takes matterId, id"},
		"a parameter of an operation with none": {id: "getFirm", arguments: map[string]any{"id": "f"}, argument: "id", reason: "is not a parameter of getFirm, which takes none"},
		"a path without its value":              {id: "getFee", arguments: matter, argument: "id"},
		"an empty value in the path":            {id: "getFee", arguments: map[string]any{"matterId": "m", "id": ""}, argument: "id"},
		"a value that leads to another path":    {id: "getFee", arguments: map[string]any{"matterId": "m", "id": "../x"}, argument: "id"},
		"a value that is another operation":     {id: "getContact", arguments: map[string]any{"id": "Batch"}, argument: "id"},
		"a time that is none":                   {id: "listFees", arguments: map[string]any{"matterId": "m", "UpdatedSince": "yesterday"}, argument: "UpdatedSince"},
		"a time that would be left out":         {id: "listFees", arguments: map[string]any{"matterId": "m", "UpdatedSince": time.Time{}}, argument: "UpdatedSince"},
		"a number that is none":                 {id: "listFees", arguments: map[string]any{"matterId": "m", "Limit": "ten"}, argument: "Limit"},
		"a page that is too large":              {id: "listFees", arguments: map[string]any{"matterId": "m", "Limit": 501}, argument: "Limit"},
		"a position before the first":           {id: "listFees", arguments: map[string]any{"matterId": "m", "Offset": -1}, argument: "Offset"},
		"several values where one is taken":     {id: "listMatters", arguments: map[string]any{"MatterTypeId": []string{"a", "b"}}, argument: "MatterTypeId"},
		"a value of a type that no text has":    {id: "listMatters", arguments: map[string]any{"Search": 1.5}, argument: "Search"},
		"an empty text":                         {id: "listMatters", arguments: map[string]any{"Search": ""}, argument: "Search"},
		"a body where none is taken":            {id: "getFee", arguments: fee, body: []byte("{}"), argument: "body"},
		"no body where one is required":         {id: "patchFee", arguments: fee, argument: "body"},
		"the record of another operation":       {id: "patchFee", arguments: fee, body: models.MemoWrite{}, argument: "body"},
		"text that is no JSON":                  {id: "patchFee", arguments: fee, body: []byte("{"), argument: "body"},
		"text that is no object":                {id: "patchFee", arguments: fee, body: []byte("[]"), argument: "body"},
		"a member that is unknown":              {id: "patchFee", arguments: fee, body: []byte(`{"subject":"a","colour":"red"}`), argument: "colour"},
		"a member that is unknown, two deep":    {id: "createFee", arguments: matter, body: []byte(`{"subject":"a","feeDate":"2026-11-01","sourceItems":[{"id":"x","colour":1}]}`), argument: "sourceItems[0].colour"},
		"a null that the operation cannot send": {id: "createMemo", arguments: matter, body: []byte(`{"title":"a","text":null}`), argument: "text"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			transport := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				return nil, errors.New("a request was sent")
			})
			client := testkit.BareClient(t, "https://practice.example.test", practice.WithHTTPClient(&http.Client{Transport: transport}))
			err := client.Call(t.Context(), row.id, row.arguments, row.body, nil)
			refused, ok := errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, row.argument, refused.Argument, "%v", err)
			assert.Contains(t, refused.Reason, row.reason)

			for _, err := range client.CallAll(t.Context(), row.id, row.arguments, row.body) {
				_, ok := errors.AsType[*practice.ArgumentError](err)
				assert.True(t, ok, "%v", err)
			}
		})
	}
}

func TestEveryBodyHasASampleThatIsSent(t *testing.T) {
	t.Parallel()
	for _, o := range practice.Operations() {
		t.Run(o.ID, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, o.Body == "", o.Sample == "", "api/samples/requests/%s.full.json: there is one for each body, and for nothing else\nadd or remove it", o.ID)
			if o.Body == "" {
				return
			}
			var members map[string]any // a body may repeat an id of the path
			_ = json.Unmarshal([]byte(o.Sample), &members)
			arguments := map[string]any{}
			for _, p := range o.Parameters {
				if p.Required {
					arguments[p.Name] = cmp.Or(members[p.Name], any("5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4"))
				}
			}
			w := wire{}
			client := testkit.BareClient(t, "https://practice.example.test", practice.WithHTTPClient(&http.Client{Transport: &w}), practice.WithRetries(0))
			sent := w.outcome(func(opts ...practice.CallOption) error {
				return client.Call(t.Context(), o.ID, arguments, []byte(o.Sample), nil, opts...)
			})
			assert.Empty(t, sent.refusal)
			assert.NotEmpty(t, sent.request)
		})
	}
}

// TestAWalkByNameYieldsWhatTheServiceHas compares CallAll with the pages of
// every list.
func TestAWalkByNameYieldsWhatTheServiceHas(t *testing.T) {
	t.Parallel()
	lists := map[practice.AnswerForm]*atomic.Int64{practice.AnswerPages: {}, practice.AnswerList: {}}
	t.Cleanup(func() {
		assert.Greater(t, lists[practice.AnswerPages].Load(), int64(soak.Least(30)))
		assert.Greater(t, lists[practice.AnswerList].Load(), int64(soak.Least(5)))
	})
	forEveryOperation(t, func(t *operationRow, server *practicetest.Server) {
		o := describedOperation(t, t.op.ID)
		if lists[o.AnswerForm] == nil {
			return
		}
		lists[o.AnswerForm].Add(1)
		client := server.Client(t)
		require.NoError(t, t.op.Call(t.Context(), client, server.Firm()))
		sent := testkit.RequestsTo(server, practicetest.PartAPI)[0]
		arguments := argumentsOf(t, o, server.BaseURL(), sent)
		maps.DeleteFunc(arguments, func(name string, _ any) bool {
			return strings.EqualFold(name, "offset") || strings.EqualFold(name, "limit")
		})
		var body any
		if o.Body != "" {
			body = json.RawMessage(sent.Body)
		}
		var text []byte
		require.NoError(t, client.Call(t.Context(), o.ID, arguments, body, &text))
		var page struct {
			Size  int               `json:"size"`
			Value []json.RawMessage `json:"value"`
		}
		if json.Unmarshal(text, &page.Value) != nil {
			require.NoError(t, json.Unmarshal(text, &page))
		}
		records, err := practice.Collect(client.CallAll(t.Context(), o.ID, arguments, body))
		require.NoError(t, err)
		assert.Len(t, records, max(page.Size, len(page.Value)))
		for _, record := range records {
			assert.NotEqual(t, "null", string(record))
			if o.Answer != "models.FolderListingPage" {
				assert.NoError(t, json.Unmarshal(record, o.NewAnswer()))
			}
		}
	})
}

func TestOperationsCannotBeChangedThroughTheirDescription(t *testing.T) {
	t.Parallel()
	all := practice.Operations()
	want := fmt.Sprint(practice.Operations()[0].ID, practice.Operations()[5].Parameters)
	for i := range all {
		all[i].ID = "changed"
		for j := range all[i].Parameters {
			all[i].Parameters[j].Name = "changed"
		}
	}
	assert.Equal(t, want, fmt.Sprint(practice.Operations()[0].ID, practice.Operations()[5].Parameters))
}

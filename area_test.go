package practice_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// lastSent returns the last request that reached the API.
func lastSent(t *testing.T, server *practicetest.Server) practicetest.RecordedRequest {
	t.Helper()
	all := testkit.RequestsTo(server, practicetest.PartAPI)
	require.NotEmpty(t, all)
	return all[len(all)-1]
}

// assertSent checks the method, the path below the base address and the query
// of the last request.
func assertSent(t *testing.T, server *practicetest.Server, method, path, query string) {
	t.Helper()
	sent := lastSent(t, server)
	_, prefix, _ := strings.Cut(strings.TrimPrefix(server.BaseURL(), "http://"), "/")
	assert.Equal(t, method+" /"+prefix+path+"?"+query, sent.Method+" "+sent.Path+"?"+sent.RawQuery)
	if method == http.MethodGet {
		assert.Empty(t, sent.Body)
		assert.Empty(t, sent.Header.Get("Content-Type"))
	}
}

// wireText returns the body of the response to a GET of path, unchanged.
func wireText(t *testing.T, client *practice.Client, path string, values ...string) []byte {
	t.Helper()
	var raw []byte
	require.NoError(t, client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: path, PathValues: values}, &raw))
	return raw
}

// wireTree decodes JSON and keeps numbers as json.Number.
func wireTree(t *testing.T, text []byte) any {
	t.Helper()
	var tree any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&tree), "%s", text)
	return tree
}

// assertRecord compares the fields of a record, keyed by their JSON names, with
// the JSON of the service. It fails for a member without a field.
func assertRecord(t *testing.T, wire any, fields map[string]any) {
	t.Helper()
	members, ok := wire.(map[string]any)
	require.True(t, ok, "%v", wire)
	for name, value := range members {
		field, known := fields[name]
		if !assert.True(t, known, "%s is not compared", name) {
			continue
		}
		text, err := json.Marshal(field)
		require.NoError(t, err)
		assert.Equal(t, pruned(value), pruned(wireTree(t, text)), name)
	}
}

// pruned removes empty values, which decode like absent ones, and renames the
// member rel to relation.
func pruned(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, member := range value {
			if name == "rel" {
				name = "relation"
			}
			if member = pruned(member); member != nil {
				kept[name] = member
			}
		}
		if len(kept) > 0 {
			return kept
		}
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = pruned(value[i])
		}
		if len(list) > 0 {
			return list
		}
	case string:
		if value != "" {
			return value
		}
	case nil:
	default:
		return value
	}
	return nil
}

// refusal is a case in which the service refuses an operation.
type refusal struct {
	rule   string
	call   func(ctx context.Context, c *practice.Client, f practicetest.Firm) error
	want   error
	fields []string // of Problem.Errors, in the form "field: message"
	// conflict marks a bad request that depends on the state of the service.
	// Any other bad request is a mistake of the client, which a strict service
	// reports.
	conflict bool
	mistake  bool // a mistake of the client although the status is not 400
	byClient bool // the call uses client credentials without a user
	bare     bool // the response has no body
}

const unknownID = "00000000-0000-4000-8000-00000000dead"

// testRefusals checks that each refusal becomes an *Error with all details of
// the response, and that the client sends one request only.
func testRefusals(t *testing.T, operation string, refusals ...refusal) {
	t.Helper()
	for _, test := range refusals {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				if test.byClient || slices.ContainsFunc(operations.All(), func(op operations.Operation) bool { return op.Name == operation && op.ByClient() }) {
					client = testkit.ServerToServer(t, server)
				}
				var err error
				violations := server.Tolerate(func() { err = test.call(t.Context(), client, server.Firm()) })
				mistake := test.mistake || errors.Is(test.want, practice.ErrBadRequest) && !test.conflict
				assert.Equal(t, mistake, len(violations) > 0, violations)
				require.ErrorIs(t, err, test.want)
				answer, ok := errors.AsType[*practice.Error](err)
				require.True(t, ok, "%v", err)
				sent := lastSent(t, server)
				assert.Equal(t, operation, answer.Operation)
				assert.Equal(t, sent.Method, answer.Method)
				assert.Equal(t, sent.Status, answer.StatusCode)
				assert.Equal(t, sent.RequestID, answer.RequestID)
				assert.Len(t, testkit.RequestsTo(server, practicetest.PartAPI), 1, "it is not repeated")
				if test.bare {
					assert.Zero(t, answer.Problem)
					return
				}
				assert.Equal(t, sent.Status, answer.Problem.Status.Or(0))
				assert.Equal(t, sent.Path, answer.Problem.Instance)
				assert.NotEmpty(t, answer.Problem.Type)
				assert.NotEmpty(t, answer.Problem.Title)
				assert.Contains(t, err.Error(), answer.Problem.Detail)
				var fields []string
				for _, fault := range answer.Problem.Errors {
					fields = append(fields, fault.String())
				}
				assert.ElementsMatch(t, test.fields, fields)
			})
		})
	}
}

// withMatter replaces M in query by the id of the firm's first matter.
func withMatter(query string, f practicetest.Firm) string {
	return strings.ReplaceAll(query, "=M", "="+f.MatterID)
}

// withID replaces letter in body by id.
func withID(body, letter, id string) string {
	return strings.ReplaceAll(body, `"`+letter+`"`, `"`+id+`"`)
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

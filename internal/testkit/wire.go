package testkit

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// LastSent returns the last request that reached the API.
func LastSent(t *testing.T, server *practicetest.Server) practicetest.RecordedRequest {
	t.Helper()
	all := RequestsTo(server, practicetest.PartAPI)
	require.NotEmpty(t, all)
	return all[len(all)-1]
}

// AssertSent checks the method, the path below the base address and the query
// of the last request.
func AssertSent(t *testing.T, server *practicetest.Server, method, path, query string) {
	t.Helper()
	sent := LastSent(t, server)
	_, prefix, _ := strings.Cut(strings.TrimPrefix(server.BaseURL(), "http://"), "/")
	assert.Equal(t, method+" /"+prefix+path+"?"+query, sent.Method+" "+sent.Path+"?"+sent.RawQuery)
	if method == http.MethodGet {
		assert.Empty(t, sent.Body)
		assert.Empty(t, sent.Header.Get("Content-Type"))
	}
}

// WireText returns the body of the response to a GET of path, unchanged.
func WireText(t *testing.T, client *practice.Client, path string, values ...string) []byte {
	t.Helper()
	var raw []byte
	require.NoError(t, client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: path, PathValues: values}, &raw))
	return raw
}

// WireTree decodes JSON and keeps numbers as json.Number.
func WireTree(t *testing.T, text []byte) any {
	t.Helper()
	var tree any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&tree), "%s", text)
	return tree
}

// Member returns a member of a decoded JSON object.
func Member(t *testing.T, tree any, name string) any {
	t.Helper()
	members, ok := tree.(map[string]any)
	require.True(t, ok)
	require.Contains(t, members, name)
	return members[name]
}

// AssertRecord compares the fields of a record, keyed by their JSON names, with
// the JSON of the service. It fails for a member without a field.
func AssertRecord(t *testing.T, wire any, fields map[string]any) {
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
		assert.Equal(t, Pruned(value), Pruned(WireTree(t, text)), name)
	}
}

// Pruned removes empty values, which decode like absent ones, and renames the
// member rel to relation.
func Pruned(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, member := range value {
			if name == "rel" {
				name = "relation"
			}
			if member = Pruned(member); member != nil {
				kept[name] = member
			}
		}
		if len(kept) > 0 {
			return kept
		}
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = Pruned(value[i])
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

// WithMatter replaces M in query by the id of the firm's first matter.
func WithMatter(query string, f practicetest.Firm) string {
	return strings.ReplaceAll(query, "=M", "="+f.MatterID)
}

// WithID replaces letter in body by id.
func WithID(body, letter, id string) string {
	return strings.ReplaceAll(body, `"`+letter+`"`, `"`+id+`"`)
}

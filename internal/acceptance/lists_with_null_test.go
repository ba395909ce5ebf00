package acceptance_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestANullInTheAnswerOfAListIsNoRecord checks that null in a list is an error,
// because it would pass for a record without values. So is an object without a
// known member.
func TestANullInTheAnswerOfAListIsNoRecord(t *testing.T) {
	t.Parallel()
	forSomeOperations(t, 4, func(t *operationRow, server *practicetest.Server) {
		page := t.op.Method().Out(0).String()
		if !strings.HasPrefix(page, "*practice.Page[") || page == "*practice.Page[string]" {
			return // a list of texts has no members
		}
		for body, want := range map[string]int{`{"value":[null,null]}`: 2, `{"value":[{}, null ,{}]}`: 3, `[null]`: 1, `{"value":[{}]}`: 1} {
			client := server.Client(t, practice.WithMiddleware(answersAlways(body)))
			err := t.op.Call(t.Context(), client, server.Firm())
			assert.Len(t, testkit.RecordErrors(err), want, "%s: %v", body, err)
		}
	})
}

func TestANullOnAPageOfAWalkIsNoRecord(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		if testkit.OffsetOf(q) == 0 {
			return `{"value":[{"id":"e0"},null],"size":4}`
		}
		return `{"value":[ null , {"id":"e3"} ],"size":4}`
	}}
	var order []string
	for event, err := range testkit.ScriptedClient(t, service).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}) {
		if err == nil {
			order = append(order, event.ID)
			continue
		}
		for _, fault := range testkit.RecordErrors(err) {
			order = append(order, fault.Path+" "+string(fault.Raw))
			require.ErrorContains(t, err, "null instead of an element")
		}
	}
	assert.Equal(t, []string{"e0", "value[1] null", "value[0] null", "e3"}, order)
}

// answersAlways returns a middleware that responds to every request itself.
func answersAlways(body string) func(http.RoundTripper) http.RoundTripper {
	return func(http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
		})
	}
}

package practice_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// A null in the place of a record would pass for a record without any value. An
// empty object is one.
func TestANullInTheAnswerOfAListIsNoRecord(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(t *operationRow, server *practicetest.Server) {
		if !strings.HasPrefix(t.op.Method().Out(0).String(), "*practice.Page[") {
			return
		}
		for body, want := range map[string]int{`{"value":[null,null]}`: 2, `{"value":[{}, null ,{}]}`: 1, `[null]`: 1, `{"value":[{}]}`: 0} {
			client := server.Client(t, practice.WithMiddleware(answersAlways(body)))
			err := t.op.Call(t.Context(), client, server.Firm())
			assert.Len(t, recordErrors(err), want, "%s: %v", body, err)
		}
	})
}

func TestANullOnAPageOfAWalkIsNoRecord(t *testing.T) {
	t.Parallel()
	service := &scripted{pages: func(q url.Values) string {
		if offsetOf(q) == 0 {
			return `{"value":[{"id":"e0"},null],"size":4}`
		}
		return `{"value":[ null , {"id":"e3"} ],"size":4}`
	}}
	var order []string
	for event, err := range scriptedClient(t, service).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}) {
		if err == nil {
			order = append(order, event.ID)
			continue
		}
		for _, fault := range recordErrors(err) {
			order = append(order, fault.Path+" "+string(fault.Raw))
			require.ErrorContains(t, err, "null, not an element")
		}
	}
	assert.Equal(t, []string{"e0", "value[1] null", "value[0] null", "e3"}, order)
}

// answersAlways answers every request itself.
func answersAlways(body string) func(http.RoundTripper) http.RoundTripper {
	return func(http.RoundTripper) http.RoundTripper {
		return roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
		})
	}
}

// recordErrors are those that are joined in an error.
func recordErrors(err error) []*practice.RecordError {
	several, joined := err.(interface{ Unwrap() []error })
	if !joined {
		if one, ok := errors.AsType[*practice.RecordError](err); ok {
			return []*practice.RecordError{one}
		}
		return nil
	}
	var all []*practice.RecordError
	for _, one := range several.Unwrap() {
		all = append(all, recordErrors(one)...)
	}
	return all
}

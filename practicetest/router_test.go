package practicetest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// operationAt returns the operation that a request without a body reaches.
func operationAt(t *testing.T, s *practicetest.Server, method, path string) string {
	t.Helper()
	call(t, s).do(method, path, "")
	requests := s.Requests()
	return requests[len(requests)-1].Operation
}

// TestEveryOperationHasAHandler finds operations that no area handles, and
// paths that hide another.
func TestEveryOperationHasAHandler(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithStrict(false), practicetest.WithRequestLog(1))
	for o := range describedAPI(t).Operations() {
		path := strings.NewReplacer("{", "any-", "}", "").Replace(o.Path)
		assert.Equal(t, o.ID, operationAt(t, s, o.HTTPMethod, path), "%s %s: add a handler to those of its area", o.HTTPMethod, o.Path)
	}
}

func TestTheFirstLiteralFromTheLeftWins(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithStrict(false))
	for path, want := range map[string]string{
		"/subscriptions/promotions":            "/subscriptions/promotions",
		"/subscriptions/promotions/x":          "/subscriptions/promotions/{id}",
		"/subscriptions/x/promotions":          "/subscriptions/{id}/promotions",
		"/subscriptions/promotions/promotions": "/subscriptions/promotions/{id}",
		"/webhooks/types":                      "/webhooks/types",
		"/webhooks/x":                          "/webhooks/{id}",
	} {
		assert.Equal(t, want, describedAPI(t).Operation(operationAt(t, s, "GET", path)).Path)
	}
	hidden := call(t, s).do("DELETE", "/webhooks/types", "").want(405)
	assert.Equal(t, "GET", hidden.Header.Get("Allow"), "a literal hides the methods of the parameter beside it")
}

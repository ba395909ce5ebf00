package conformance_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// beyond lists the operations of the embedded service that are not in the
// document, because the specification does not describe them.
var beyond = map[string]string{
	"GET /matters/{matterId}/fees/{id}": "getFee",
	"GET /contacts/{id}/tags":           "listContactTags",
	"POST /webhooks/{id}/notify":        "notifyWebhook",
}

var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// bareDraft is a request with nothing but credentials, for missing records.
func bareDraft(server *practicetest.Server, method, template string) draft {
	address, _ := url.Parse(server.BaseURL()) // the URL comes from the service
	d := draft{method: method, path: address.Path + regexp.MustCompile(`\{\w+\}`).ReplaceAllString(template, nobody), query: url.Values{}, header: http.Header{}}
	d.header.Set("x-api-key", server.Credentials().APIKey)
	d.header.Set("Authorization", "Bearer "+server.Credentials().AccessToken)
	return d
}

// served sends a possibly invalid request, and returns the operation as which
// the service handled it.
func served(t *testing.T, server *practicetest.Server, d draft) (x exchange, operation string, violations []string) {
	t.Helper()
	server.ResetRequests() // otherwise thousands of requests would be copied each time
	violations = server.Tolerate(func() { x = d.exchange(t, server) })
	calls := server.Requests()
	return x, calls[len(calls)-1].Operation, violations
}

func TestTheServiceHasTheRoutesOfTheDocument(t *testing.T) {
	t.Parallel()
	server := service(t)
	described := load(t, server.BaseURL())
	routes := map[string]string{}
	for key, id := range beyond {
		routes[key] = id
	}
	for id, of := range described.endpoints() {
		routes[of.method+" "+of.path] = id
	}
	for path := range described.Paths.Map() {
		var allowed []string
		for _, method := range methods {
			if routes[method+" "+path] != "" {
				allowed = append(allowed, method)
			}
		}
		for _, method := range methods {
			want := routes[method+" "+path]
			for _, prefix := range []string{"", "/" + server.Firm().AccountID} {
				x, operation, _ := served(t, server, bareDraft(server, method, prefix+path))
				assert.Equal(t, want, operation, "%s %s", method, path)
				assert.Equal(t, want == "", x.status == http.StatusMethodNotAllowed, "%s %s: %d", method, path, x.status)
				if want != "" {
					continue
				}
				_, err := described.judge(x)
				assert.ErrorIs(t, err, routers.ErrMethodNotAllowed, "%s %s", method, path)
				told := strings.Split(x.header.Get("Allow"), ", ")
				assert.ElementsMatch(t, allowed, told, "%s %s", method, path)
				if method != http.MethodHead {
					described.requireProblem(t, x)
				}
			}
		}
	}
	_, operation, _ := served(t, server, bareDraft(server, http.MethodPost, "/webhooks/{id}/notify"))
	assert.Equal(t, "notifyWebhook", operation)
}

func TestTheServiceHasNoOtherPaths(t *testing.T) {
	t.Parallel()
	server := service(t)
	described := load(t, server.BaseURL())
	paths := []string{"", "/", "/cases", "/stages/{id}", "/memos", "/bankaccounts/", "//bankaccounts", "/BankAccounts", "/a/b/webhooks"}
	for path := range described.Paths.Map() {
		paths = append(paths, path+"/", path+"/imagined/"+nobody)
	}
	for _, path := range paths {
		x, operation, violations := served(t, server, bareDraft(server, http.MethodGet, path))
		assert.Equal(t, http.StatusNotFound, x.status, path)
		assert.Empty(t, operation, path)
		assert.NotEmpty(t, violations, path)
		described.requireProblem(t, x)
		_, err := described.judge(x)
		assert.ErrorIs(t, err, routers.ErrPathNotFound, path)
	}
}

func TestTheServiceTakesTheQueriesOfTheDocument(t *testing.T) {
	t.Parallel()
	server := service(t)
	described := load(t, server.BaseURL())
	var names []string
	for _, of := range described.endpoints() {
		names = append(names, of.query()...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for id, of := range described.endpoints() {
		op, _ := operations.ByID(id)
		token := tokenFor(t, op, server)
		known := of.query()
		known = append(known, of.linked()...)
		for _, name := range append(names, "imagined") {
			d := bareDraft(server, of.method, of.path)
			d.header.Set("Authorization", "Bearer "+token)
			d.query.Set(name, "1")
			_, _, violations := served(t, server, d)
			isUnknown := slices.ContainsFunc(violations, func(v string) bool { return strings.Contains(v, "is not a query parameter of the operation") })
			isDescribed := slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
			assert.Equal(t, isDescribed, !isUnknown, "%s?%s", id, name)
		}
	}
}

func TestABodyThatIsTooLarge(t *testing.T) {
	t.Parallel()
	server := service(t)
	d := bareDraft(server, http.MethodPost, "/webhooks")
	d.header.Set("Content-Type", declaredType)
	d.body = []byte(`{"name":"` + strings.Repeat("a", 8<<20) + `"}`)
	x, operation, _ := served(t, server, d)
	require.Equal(t, "createWebhook", operation)
	assert.Equal(t, http.StatusRequestEntityTooLarge, x.status)
	load(t, server.BaseURL()).requireProblem(t, x)
}

package operations_test

import (
	"context"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestTheSetsAreTheSame compares the offered operations of the description with
// the rows of the registry, the methods of the client, the routes of the
// embedded service and the page of covered operations.
func TestTheSetsAreTheSame(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/reference/covered.md")
	require.NoError(t, err)
	server := practicetest.New(t, practicetest.WithMatters(1), practicetest.WithEvents(0), practicetest.WithStrict(false))
	var described, rows, methods, routes, covered []string
	for _, area := range onOffer(t) {
		described = append(described, area.id)
		if service := reflect.ValueOf(new(practice.Client)).Elem().FieldByName(area.service); service.IsValid() && service.MethodByName(area.method).IsValid() {
			methods = append(methods, area.id)
		}
		if performs(t, server, area.httpMethod, area.path) {
			routes = append(routes, area.id)
		}
		if strings.Contains(string(page), "| `"+area.service+"."+area.method+"` | `"+area.httpMethod+" "+area.path+"` |") {
			covered = append(covered, area.id)
		}
	}
	for _, op := range operations.All() {
		rows = append(rows, op.ID)
	}
	for name, set := range map[string][]string{"rows of the registry": rows, "methods": methods, "embedded routes": routes, "lines of the page": covered} {
		assert.Empty(t, missing(described, set), "%s are missing", name)
		assert.Empty(t, missing(set, described), "%s that the description does not offer", name)
	}
}

type offered struct{ id, service, method, httpMethod, path string }

func onOffer(t *testing.T) (all []offered) {
	t.Helper()
	for _, a := range described(t).Areas {
		for _, o := range a.Operations {
			if !o.Planned && !o.Unusable {
				all = append(all, offered{o.ID, a.Name, o.Method, o.HTTPMethod, o.Path})
			}
		}
	}
	return all
}

func missing(from, in []string) []string {
	return slices.DeleteFunc(slices.Clone(from), func(id string) bool { return slices.Contains(in, id) })
}

// performs reports whether the service has a route. Without credentials, it
// responds 404 or 405 to an unknown one.
func performs(t *testing.T, server *practicetest.Server, method, path string) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, server.BaseURL()+strings.NewReplacer("{", "", "}", "").Replace(path), nil)
	require.NoError(t, err)
	response, err := server.HTTPClient().Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusMethodNotAllowed
}

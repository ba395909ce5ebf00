package practicetest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestEveryOperationHasAHandler finds operations that no area handles, and
// handlers for unknown operations.
func TestEveryOperationHasAHandler(t *testing.T) {
	t.Parallel()
	missing := handlers{}
	for id, handle := range everyHandler() {
		missing[id] = handle
	}
	for _, o := range operations {
		if _, handled := missing[o.id]; !handled {
			t.Errorf("%s has no handler: add it to the handlers of its area", o.id)
		}
		delete(missing, o.id)
	}
	for id := range missing {
		t.Errorf("there is a handler for %s, which is no operation of the description", id)
	}
}

// everyRoute returns a router for all operations, including planned ones.
func everyRoute() router {
	all := handlers{}
	for _, o := range operations {
		all[o.id] = func(*Server, *call) (answer, error) { return nil, nil }
	}
	return newRouter(operations, all)
}

func TestNoRouteHidesAnother(t *testing.T) {
	t.Parallel()
	routes := everyRoute()
	for _, o := range operations {
		segments := strings.Split(o.path[1:], "/")
		for i, s := range segments {
			if isParameter(s) {
				segments[i] = "any-" + s
			}
		}
		found, values, allowed := routes.find(o.method, segments)
		if assert.NotNil(t, found, "%s %s has only %v", o.method, o.path, allowed) {
			assert.Equal(t, o.id, found.id, "%s %s", o.method, o.path)
			assert.Len(t, values, len(o.inPath), o.id)
		}
	}
}

func TestTheFirstLiteralFromTheLeftWins(t *testing.T) {
	t.Parallel()
	routes := everyRoute()
	for path, want := range map[string]string{
		"subscriptions/promotions":            "/subscriptions/promotions",
		"subscriptions/promotions/x":          "/subscriptions/promotions/{id}",
		"subscriptions/x/promotions":          "/subscriptions/{id}/promotions",
		"subscriptions/promotions/promotions": "/subscriptions/promotions/{id}",
		"webhooks/types":                      "/webhooks/types",
		"webhooks/x":                          "/webhooks/{id}",
	} {
		found, _, _ := routes.find("GET", strings.Split(path, "/"))
		if assert.NotNil(t, found, path) {
			assert.Equal(t, want, found.path)
		}
	}
	_, _, allowed := routes.find("DELETE", []string{"webhooks", "types"})
	assert.Equal(t, []string{"GET"}, allowed, "a literal hides the methods of the parameter beside it")
}

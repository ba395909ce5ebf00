package conformance_test

import (
	"net/http"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheDocumentIsValid(t *testing.T) {
	t.Parallel()
	described := load(t, "http://api.example.test/practice/v1")
	require.NoError(t, described.Validate(t.Context()))
	require.NotEmpty(t, described.endpoints())

	for id, operation := range described.endpoints() {
		require.NotEmpty(t, id)
		assert.NotEmpty(t, operation.Tags, "%s has no area", id)
		if operation.RequestBody != nil {
			schemaOf := operation.requestSchema()
			for media, content := range operation.RequestBody.Value.Content {
				assert.Equal(t, schemaOf.Value, content.Schema.Value, "%s: %s has a schema of its own", id, media)
			}
			assert.Len(t, operation.RequestBody.Value.Content, 3, id)
		}
		for status, response := range operation.Responses.Map() {
			if status >= "400" && len(response.Value.Content) > 0 {
				assert.Equal(t, "#/components/schemas/Problem", response.Value.Content[plainType].Schema.Ref, "%s %s", id, status)
				assert.Equal(t, "#/components/schemas/Problem", response.Value.Content["application/problem+json"].Schema.Ref, "%s %s", id, status)
			}
			assert.Contains(t, response.Value.Headers, "RequestId", "%s %s", id, status)
		}
		for _, name := range []string{"RequestId", "UserId"} {
			assert.NotNil(t, operation.Parameters.GetByInAndName(openapi3.ParameterInHeader, name), "%s takes no %s", id, name)
		}
	}
}

func TestTheServersOfTheDocument(t *testing.T) {
	t.Parallel()
	described := load(t, "http://api.example.test/practice/v1")
	for path, want := range map[string]struct{ operation, account string }{
		"/practice/v1/webhooks/types":              {"listWebhookTypes", ""},
		"/practice/v1/webhooks/a":                  {"getWebhook", ""},
		"/practice/v1/subscriptions/promotions":    {"listPromotions", ""},
		"/practice/v1/firm-1/bankaccounts":         {"listBankAccounts", "firm-1"},
		"/practice/v1/firm-1/webhooks/types":       {"listWebhookTypes", "firm-1"},
		"/practice/v1/firm-1/contacts/a/relations": {"listContactRelations", "firm-1"},
	} {
		route, values, err := described.router.FindRoute(get(t, path))
		require.NoError(t, err, path)
		assert.Equal(t, want.operation, route.Operation.OperationID, path)
		assert.Equal(t, want.account, values["accountId"], path)
	}
	for _, path := range []string{"/webhooks", "/practice/webhooks", "/practice/v1/a/b/webhooks", "/practice/v1/memos"} {
		_, _, err := described.router.FindRoute(get(t, path))
		require.ErrorIs(t, err, routers.ErrPathNotFound, path)
	}
}

func get(t *testing.T, path string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://api.example.test"+path, http.NoBody)
	require.NoError(t, err)
	return request
}

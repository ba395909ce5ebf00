package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/stretchr/testify/require"
)

const documentFile = "../api/openapi.yaml"

// document is the description of the API for a service at a base URL.
type document struct {
	*openapi3.T
	base   string
	router routers.Router
}

// load reads the document and sets its servers: the service itself, and the
// service with an account prefix.
func load(t testing.TB, base string) *document {
	t.Helper()
	described, err := openapi3.NewLoader().LoadFromFile(documentFile)
	require.NoError(t, err)
	for _, server := range described.Servers {
		server.URL = base + strings.TrimSuffix(server.URL, "/")
	}
	router, err := gorillamux.NewRouter(described)
	require.NoError(t, err)
	return &document{T: described, base: base, router: router}
}

// endpoint is an operation with its part of the document.
type endpoint struct {
	id, method, path string
	*openapi3.Operation
}

// endpoints returns all operations by operationId.
func (d *document) endpoints() map[string]endpoint {
	all := map[string]endpoint{}
	for path, item := range d.Paths.Map() {
		for method, operation := range item.Operations() {
			all[operation.OperationID] = endpoint{operation.OperationID, method, path, operation}
		}
	}
	return all
}

// says reports whether refusals with a status have a body: a Problem object.
func (e endpoint) says(status int) bool { return len(e.Responses.Status(status).Value.Content) > 0 }

// query returns the names of the query parameters.
func (e endpoint) query() []string {
	var names []string
	for _, parameter := range e.Parameters {
		if parameter.Value.In == openapi3.ParameterInQuery {
			names = append(names, parameter.Value.Name)
		}
	}
	return names
}

// linked returns the query parameters of pages that only links contain, which
// the document does not describe.
func (e endpoint) linked() []string {
	if slices.Contains([]string{"getRootFolder", "listGroups", "listContactRelations"}, e.id) {
		return []string{"Offset", "Limit"}
	}
	return nil
}

// current returns the query parameters that are not deprecated.
func (e endpoint) current() []string {
	return slices.DeleteFunc(e.query(), func(name string) bool { return e.Parameters.GetByInAndName("query", name).Deprecated })
}

// requestSchema returns the schema of the request body, or nil. It is the same
// for every media type, see TestTheDocumentIsValid.
func (e endpoint) requestSchema() *openapi3.SchemaRef {
	if e.RequestBody == nil {
		return nil
	}
	return e.RequestBody.Value.Content[declaredType].Schema
}

// successSchema returns the schema of a successful response, or nil if it has
// no body.
func (e endpoint) successSchema() *openapi3.SchemaRef {
	for status, response := range e.Responses.Map() {
		if strings.HasPrefix(status, "2") && response.Value.Content["application/json"] != nil {
			return response.Value.Content["application/json"].Schema
		}
	}
	return nil
}

package conformance_test

import (
	"os"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

// Operations that are described and not yet offered also form a valid document.
func TestTheWholeDescriptionIsValid(t *testing.T) {
	t.Parallel()
	described, err := description.Load(os.DirFS("../api"))
	require.NoError(t, err)
	for _, area := range described.Areas {
		for _, operation := range area.Operations {
			operation.Planned = operation.Unusable
		}
		for _, schema := range area.Schemas {
			schema.Planned = false
		}
	}
	text, err := described.OpenAPI()
	require.NoError(t, err)
	document, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	require.NoError(t, document.Validate(t.Context()))
}

package headers_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/headers"
)

func TestEveryRowIsWhole(t *testing.T) {
	t.Parallel()
	for _, h := range headers.All {
		assert.NotEmpty(t, h.Name)
		assert.NotEmpty(t, h.Option, h.Name)
		assert.Equal(t, http.CanonicalHeaderKey(h.Name), h.Key, "%s: net/http sends only this key", h.Name)
		assert.Equal(t, h.Takes != headers.Every, h.Else != "", "%s: only a call that does not take it needs a reason", h.Name)
		assert.Equal(t, h.Takes == headers.Flagged, h.Flag != "", "%s: a flag of api/ names the operations that take it", h.Name)
	}
}

func TestAFurtherRequestKeepsTheUserOnly(t *testing.T) {
	t.Parallel()
	all := headers.Values{headers.RequestID: "r", headers.UserID: "u", headers.ResourceID: "x", headers.ExternalID: "e", headers.Version: "1"}
	assert.Equal(t, headers.Values{headers.UserID: "u"}, all.Further())
}

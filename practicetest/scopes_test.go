package practicetest_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestAScopeThatIsPublishedIsGranted(t *testing.T) {
	t.Parallel()
	document := describedAPI(t)
	s := practicetest.New(t)
	asked := map[string]bool{}
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			for scope := range strings.FieldsSeq(o.Scope) {
				asked[scope] = true
			}
		}
	}
	// Clients can request these scopes, although no operation needs them. Some
	// belong to operations that are not published.
	for _, scope := range []string{"invoices/write", "layoutdesigns/write", "stages/write", "stagesets/write", "referraltypes/write", "odata/read", "openid"} {
		asked[scope] = true
	}
	for scope := range asked {
		form := clientCredentials()
		form.Set("scope", scope)
		assert.Equal(t, 200, grant(t, s, form).Status, scope)
	}
	for _, scope := range []string{"items/write", "mattertypes/write", "search/read", "odata/write", "portal/write", "matters"} {
		form := url.Values{"grant_type": {"client_credentials"}, "scope": {scope}}
		assert.Len(t, s.Tolerate(func() { assert.Equal(t, "invalid_scope", grant(t, s, form).text("error")) }), 1, scope)
	}
}

package readers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// TestARequestIsThatOfOneOperation finds operations by method and path, however
// the path is escaped.
func TestARequestIsThatOfOneOperation(t *testing.T) {
	t.Parallel()
	all := practice.Operations()
	for request, id := range map[[2]string]string{
		{"GET", "/matters"}:                             "listMatters",
		{"GET", "/m%61tters/%41"}:                       "getMatter",
		{"GET", "/MATTERS/x"}:                           "getMatter",
		{"DELETE", "/matters/m/memos/a%2Fb"}:            "deleteMemo",
		{"GET", "/matters/x/integrated-search/mapping"}: "getSearchMapping",
		{"POST", "/b%61nkaccounts/x/transactions"}:      "createTransaction",
		{"PATCH", "/matters"}:                           "",
		{"GET", "/matters/x/"}:                          "",
		{"GET", "matters"}:                              "",
	} {
		found, values, only := Match(all, request[0], request[1])
		assert.Equal(t, id, found.ID, request)
		assert.Equal(t, id != "", only, request)
		assert.Len(t, values, len(Parameters(found.Path)), request)
	}
	_, values, _ := Match(all, "DELETE", "/matters/m/memos/a%2Fb")
	assert.Equal(t, map[string]any{"matterId": "m", "id": "a/b"}, values)
	_, err := Named(all, "getMemmo", "; hint")
	require.ErrorContains(t, err, "did you mean getMemo")
	_, err = Named(all, "zzzzzzzz", "; hint")
	assert.ErrorContains(t, err, "; hint")
}

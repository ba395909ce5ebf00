//go:build unix

package sandbox

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachRequestIsPrintedWhenAskedFor(t *testing.T) {
	t.Parallel()
	use := func(v map[string]string) { get(t, v["BASE_URL"]+"/bankaccounts?limit=1&a=key", v["API_KEY"]) }
	none := sandbox(t, use)
	assert.NotContains(t, none.errs, "msg=request")

	text := sandbox(t, use, "-log", "text", "-strict=false")
	assert.Contains(t, text.errs, "msg=request part=api operation=listBankAccounts method=GET path=/practice/v1/bankaccounts query=\"limit=1&a=key\" status=401")

	asJSON := sandbox(t, func(v map[string]string) {
		use(v)
		assert.NotEmpty(t, v["API_KEY"])
	}, "-log", "json", "-strict=false")
	assert.NotContains(t, asJSON.errs, variables(asJSON)["API_KEY"], "no header is printed")
	var line struct {
		Time, Msg, Operation, Path string
		Status                     int
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimSpace(asJSON.errs)), &line))
	assert.Equal(t, []any{"request", "listBankAccounts", "/practice/v1/bankaccounts", 401}, []any{line.Msg, line.Operation, line.Path, line.Status})
	assert.NotEmpty(t, line.Time)
}

func TestTheDescriptionIsServedToEverybody(t *testing.T) {
	t.Parallel()
	sandbox(t, func(v map[string]string) {
		address := strings.TrimSuffix(v["SANDBOX_URL"], "/_sandbox") + "/openapi.yaml"
		assert.Equal(t, http.StatusOK, send(t, http.MethodGet, address, ""))
		assert.Equal(t, http.StatusMethodNotAllowed, send(t, http.MethodPost, address, ""))
	})
}

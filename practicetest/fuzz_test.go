package practicetest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// Whatever a body holds, a write is answered, and one that is accepted was JSON.
func FuzzBodies(f *testing.F) {
	operations := []string{
		"addContactTags", "removeContactTags", "createFile", "createFolder", "createWebhook", "patchFee", "sendPortalMessage", "updateContactRelation",
	}
	for i, body := range []string{
		`["VIP"]`, `[]`, `{"fileName":"a.b","folderPath":"a//b","fileAdditionalData":{}}`, `{"name":"n","parentFolderId":null}`,
		`{"name":"n","eventTypes":["error"],"eventNotificationUrl":"https://h.example.test"}`,
		`{"feeType":1,"rate":1e18,"duration":-9223372036854775808,"tax":-0.10,"sourceItems":[{}],"taxInclusive":true}`, `{"message":"\ud800"}`, `{"businessRole":null}`,
	} {
		f.Add(uint8(i), []byte(body))
	}
	s := practicetest.New(f, practicetest.WithStrict(false), practicetest.WithWriteDelay(0), practicetest.WithRequestLog(0), practicetest.WithEvents(0))
	client := s.HTTPClient()
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		method, path, status := target(s.Firm(), operations[int(which)%len(operations)])
		request, err := http.NewRequest(method, s.BaseURL()+path, bytes.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("x-api-key", s.Credentials().APIKey)
		request.Header.Set("Authorization", "Bearer "+s.Credentials().AccessToken)
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		require.NoError(t, err)
		answered, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		if response.StatusCode == status {
			require.True(t, json.Valid(body))
		} else {
			require.Contains(t, []int{400, 403, 404}, response.StatusCode)
		}
		require.True(t, len(answered) == 0 || json.Valid(answered))
		if strings.Contains(path, "/fees/") {
			read, err := http.NewRequest(http.MethodGet, s.BaseURL()+path, nil)
			require.NoError(t, err)
			read.Header = request.Header
			response, err := client.Do(read)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, 200, response.StatusCode)
		}
	})
}

// Whatever a query holds, a list is answered.
func FuzzQueries(f *testing.F) {
	for _, query := range []string{
		"From=2026-01-01T00:00:00&To=2027-01-01T00:00:00", "UpdatedSince=638912345678901234", "UpdatedSince=0", "limit=500&OFFSET=2147483647",
		"ExcludeDeletedEvents=TRUE&MatterId=%00", "a;b", "From=2026-01-01T00:00:00&From=x", "From=2026-01-01T00%3A00%3A00,5",
	} {
		f.Add(query)
	}
	s := practicetest.New(f, practicetest.WithStrict(false), practicetest.WithRequestLog(0), practicetest.WithEvents(10))
	client := s.HTTPClient()
	f.Fuzz(func(t *testing.T, query string) {
		request, err := http.NewRequest(http.MethodGet, s.BaseURL()+"/events", nil)
		require.NoError(t, err)
		if strings.ContainsAny(query, " #") || strings.ContainsFunc(query, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
			return // not what a client can send
		}
		request.URL.RawQuery = query
		request.Header.Set("x-api-key", s.Credentials().APIKey)
		request.Header.Set("Authorization", "Bearer "+s.Credentials().AccessToken)
		response, err := client.Do(request)
		require.NoError(t, err)
		answered, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Contains(t, []int{200, 400}, response.StatusCode)
		require.True(t, json.Valid(answered), "%s", answered)
	})
}

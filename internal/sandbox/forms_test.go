//go:build unix

package sandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestWordsChooseTheConsistency(t *testing.T) {
	t.Parallel()
	unkind := practicetest.Unkind()
	slower := unkind
	slower.ListLag, slower.Pending = time.Second, practicetest.PendingFails
	for text, want := range map[string]practicetest.Consistency{
		"":                                  {},
		"unkind":                            unkind,
		"list-lag=1s, unkind,pending-fails": slower,
		"pending-refused":                   {Pending: practicetest.PendingRefused},
		"min-delay=1s,max-delay=2s":         {MinDelay: time.Second, MaxDelay: 2 * time.Second},
		"event-lead=1ms,event-lag=2ms":      {EventLead: time.Millisecond, EventLag: 2 * time.Millisecond},
		"pending-refused,pending-accepted,unkind": unkind,
	} {
		got, err := consistencyOf(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestWordsChooseTheRendering(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]practicetest.Rendering{
		"":                    {},
		"null":                {},
		"absent":              {Empty: practicetest.EmptyAbsent},
		"full , rel":          {Empty: practicetest.EmptyFull, Rel: true},
		"unknown,rel, absent": {Empty: practicetest.EmptyAbsent, Rel: true, Unknown: true},
	} {
		got, err := renderingOf(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

// TestTheServiceHasTheFormOfItsFlags checks the effect of each flag on a
// response.
func TestTheServiceHasTheFormOfItsFlags(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		see  func(t *testing.T, v map[string]string)
	}{
		"a rendering": {[]string{"-rendering", "absent,unknown"}, func(t *testing.T, v map[string]string) {
			_, body := ask(t, v, http.MethodGet, "/matters/"+v["MATTER_ID"], "")
			assert.Contains(t, body, "addedInALaterRelease")
		}},
		"a reference that is refused": {[]string{"-consistency", "pending-refused,min-delay=1h,max-delay=1h"}, func(t *testing.T, v map[string]string) {
			status, body := ask(t, v, http.MethodPost, "/matters/"+v["MATTER_ID"]+"/documents/folders", `{"name":"n"}`)
			require.Equal(t, http.StatusAccepted, status)
			var folder struct{ ID string }
			require.NoError(t, json.Unmarshal([]byte(body), &folder))
			status, _ = ask(t, v, http.MethodPost, "/matters/"+v["MATTER_ID"]+"/documents/folders", `{"name":"m","parentFolderId":"`+folder.ID+`"}`)
			assert.Equal(t, http.StatusNotFound, status)
		}},
		"a fee that there is not": {[]string{"-early-not-found"}, func(t *testing.T, v map[string]string) {
			status, _ := ask(t, v, http.MethodPatch, "/matters/"+v["MATTER_ID"]+"/fees/"+v["MATTER_ID"], `{"subject":"s"}`)
			assert.Equal(t, http.StatusNotFound, status)
		}},
		"types of events": {[]string{"-event-types", "matter.closed, invoice.created"}, func(t *testing.T, v map[string]string) {
			status, body := ask(t, v, http.MethodPost, "/webhooks", `{"name":"n","eventTypes":["matter.closed","invoice.created"],"eventNotificationUrl":"http://127.0.0.1/x"}`)
			assert.Equal(t, http.StatusOK, status, body)
		}},
		"the vendor's prefix": {[]string{"-vendor-member", "acmeId"}, func(t *testing.T, v map[string]string) {
			_, body := ask(t, v, http.MethodGet, "/subscriptions/tiers", "")
			assert.Contains(t, body, `"acmeId":`)
		}},
		"a public client": {[]string{"-public-client"}, func(t *testing.T, v map[string]string) {
			assert.Empty(t, v["CLIENT_SECRET"])
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := sandbox(t, func(v map[string]string) { test.see(t, v) }, test.args...)
			assert.Zero(t, seen.code, seen.errs)
		})
	}
}

// ask sends a request to the API.
func ask(t *testing.T, v map[string]string, method, path, body string) (status int, answered string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, v["BASE_URL"]+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", v["API_KEY"])
	request.Header.Set("Authorization", "Bearer "+v["ACCESS_TOKEN"])
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Close = true
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode, string(text)
}

package practicetest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestAStubOfACommandAnswersAsItWasTold(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stub         string
		method, path string
		status       int
		header, body string
	}{
		"a body alone":              {`{"pattern":"GET /firm","body":"{\"name\":\"Ours\"}"}`, "GET", "/firm", 200, "application/json", `{"name":"Ours"}`},
		"a status alone":            {`{"pattern":"GET /firm","status":418}`, "GET", "/firm", 418, "", ""},
		"a status and a media type": {`{"pattern":"/firm","status":502,"headers":{"content-type":"text/html"},"body":"<p>"}`, "GET", "/firm", 502, "text/html", `<p>`},
		"bytes":                     {`{"pattern":"GET /firm","headers":{"Content-Type":"application/pdf"},"bodyBase64":"//4="}`, "GET", "/firm", 200, "application/pdf", "\xff\xfe"},
		"a path with a parameter":   {`{"pattern":"GET /staff/{id}","body":"{}"}`, "GET", "/staff/anybody", 200, "application/json", `{}`},
		"a path that there is not":  {`{"pattern":"POST /reports","status":201,"body":"{}"}`, "POST", "/reports", 201, "application/json", `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := controlled(t)
			command(t, s, "POST", "/stubs", test.stub).want(204)
			got := call(t, s).do(test.method, test.path, "")
			assert.Equal(t, test.status, got.Status)
			assert.Equal(t, test.header, got.Header.Get("Content-Type"))
			assert.Equal(t, test.body, got.Body)
			command(t, s, "DELETE", "/stubs", "").want(204)
			call(t, s).get("/firm").want(200)
		})
	}
}

func TestAStubOfACommandHasHeadersOfItsOwn(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	command(t, s, "POST", "/stubs", `{"pattern":"GET /firm","status":302,"headers":{"Location":"/elsewhere","RequestId":"other"}}`).want(204)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.BaseURL()+"/firm", http.NoBody)
	require.NoError(t, err)
	answer, err := s.HTTPClient().Transport.RoundTrip(request) // RoundTrip does not follow redirects
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, []string{"/elsewhere", "other"}, []string{answer.Header.Get("Location"), answer.Header.Get("RequestId")})
}

// TestWhatNothingHasMetIsTold checks that faults, late failures and stubs are
// unmet until a request matches them.
func TestWhatNothingHasMetIsTold(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		path, body string
		says       string
		meets      func(*testing.T, *practicetest.Server)
	}{
		"a fault that is skipped": {
			"/faults", `{"operation":"getFirm","skip":1}`, `the fault injected for "getFirm" was not used by any request`,
			func(t *testing.T, s *practicetest.Server) { call(t, s).get("/firm").want(200) },
		},
		"a stub that was removed": {
			"/stubs", `{"pattern":"GET /firm"}`, `the stub for`,
			func(t *testing.T, s *practicetest.Server) { command(t, s, "DELETE", "/stubs", "").want(204) },
		},
		"all of them, after a reset": {
			"/faults", `{}`, `the fault injected for any operation was not used by any request`,
			func(t *testing.T, s *practicetest.Server) { command(t, s, "POST", "/reset", "").want(204) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := controlled(t)
			unmet := func() []any { return command(t, s, "GET", "/unmet", "").want(200).list("value") }
			assert.Empty(t, unmet())
			command(t, s, "POST", test.path, test.body).want(204)
			if assert.Len(t, unmet(), 1) {
				assert.Contains(t, unmet()[0], test.says)
			}
			test.meets(t, s)
			assert.Empty(t, unmet())
			assert.Empty(t, s.Unmet())
		})
	}
}

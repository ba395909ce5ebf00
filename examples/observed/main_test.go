package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWhatGoesWrongIsSeenInEveryForm(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, func(string) string { return "" }))
	text := out.String()
	for _, want := range []string{
		// the log
		`level=DEBUG msg="practice: attempt" operation=BankAccounts.List attempt=1 status=503 duration=\S+ reason="status 503" wait=\S+`,
		`level=DEBUG msg="practice: attempt" operation=Events.All attempt=1 status=429 duration=\S+ reason="status 429" wait=1s`,
		`level=WARN msg="practice: call failed" operation=Fees.Patch attempts=1 status=404`,
		`operation=Documents.Upload attempt=1 status=503 duration=\S+ error=".+" reason="no whole transfer" wait=\S+ sent=13000 method=PUT server=http://127\.0\.0\.1:\d+\n`,
		// the spans
		`\n  BankAccounts\.List  \S+\n(?:  ├─ (?:POST|wait token)  .+\n)+  ├─ GET /bankaccounts  \S+  503  status 503  received \d+  127\.0\.0\.1\n(?:  ├─ wait retry  \S+\n)?  └─ GET /bankaccounts  \S+  200  resend 1`,
		`\n  Documents\.Upload  \S+\n  ├─ Documents\.CreateFile  \S+\n(?:  │  ├─ wait rate_limit  .+\n)?  │  └─ POST /matters/\{matterId\}/documents/files`,
		`  ├─ PUT  \S+  503  no whole transfer  sent 13000`,
		`  ├─ GET  \S+  200  error incomplete  no whole transfer  received \d+`,
		// the metrics
		`practice\.client\.retries +Documents\.Upload +1`,
		`practice\.client\.rate_limited +Events\.All +1`,
		`practice\.webhook\.deliveries +too_old  refused +1`,
		`practice\.webhook\.events +duplicate +1`,
	} {
		assert.Regexp(t, want, text)
	}
	for _, secret := range []string{"Signature", "Bearer"} {
		assert.NotContains(t, text, secret)
	}
}

func TestAServiceOfTheVariablesIsOnlyReadFrom(t *testing.T) {
	t.Parallel()
	server, err := practicetest.Start()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	variables := map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": server.Credentials().APIKey,
		"PRACTICE_ACCESS_TOKEN": server.Credentials().AccessToken,
	}
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, func(name string) string { return variables[name] }))
	for _, r := range server.Requests() {
		assert.Equal(t, "GET", r.Method)
		assert.NotEmpty(t, r.Header.Get("Traceparent"))
	}
	for _, secret := range []string{server.Credentials().APIKey, server.Credentials().AccessToken} {
		assert.NotContains(t, out.String(), secret)
	}
}

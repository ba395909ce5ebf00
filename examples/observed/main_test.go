package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWhatGoesWrongIsSeenInEveryForm(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out))
	log, rest, found := strings.Cut(out.String(), "\nThe spans\n")
	require.True(t, found)
	log = strings.Join(strings.Fields(log), " ") // with line breaks removed
	for _, want := range []string{
		`level=DEBUG msg="practice: attempt" operation=BankAccounts.List attempt=1 status=503 `,
		`operation=Events.List attempt=1 status=429 `,
		`level=WARN msg="practice: call failed" operation=Fees.Patch attempts=1 status=404 `,
	} {
		assert.Contains(t, log, want)
	}
	for _, want := range []string{
		`\n BankAccounts\.List +\d\S+\n(?:   .+\n)*   GET /bankaccounts  503 .+\n(?:   .+\n)*   GET /bankaccounts  200 `,
		`\n   PUT  503 `,
		`practice\.client\.retries  Documents\.Upload +1\n`,
		`practice\.client\.rate_limited  Events\.List +1\n`,
		`practice\.webhook\.deliveries  too_old +1\n`,
	} {
		assert.Regexp(t, want, rest)
	}
	for _, secret := range []string{"Signature", "Bearer"} {
		assert.NotContains(t, out.String(), secret)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAnOutputThatBreaksIsAFailure(t *testing.T) {
	t.Parallel()
	require.EqualError(t, run(t.Context(), broken{}), "broken pipe")
}

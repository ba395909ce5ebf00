package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// childVariable makes the program of the tests the program itself.
const childVariable = "WEBHOOK_RECEIVER_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

func nothing(string) string { return "" }

func TestWithoutAnythingItShowsAStream(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-dir", dir, "-events", "48", "-slow", "0s"}, &out, nothing))
	assert.Contains(t, out.String(), " created, for http://127.0.0.1:")
	assert.Regexp(t, `\d\d:\d\d:\d\d\.\d{3}  contact\.updated  \S+ \S+ +now related to \d+ contacts?\n`, out.String())
	assert.Contains(t, out.String(), "an own change, dropped\n")
	assert.Contains(t, out.String(), " was accepted, and failed: The contact is locked.\n")
	assert.Contains(t, out.String(), "  The changes of 3 own writes came back as events, and were dropped.\n")
	assert.Contains(t, out.String(), "  Everything that was acknowledged is handled.\n")

	out.Reset()
	require.NoError(t, run(t.Context(), []string{"-dir", dir, "-events", "0"}, &out, nothing))
	assert.Contains(t, out.String(), "  0 deliveries acknowledged and waiting to be handled.\n")
	assert.Contains(t, out.String(), " may not have arrived: read what has changed since then.\n")
}

// interrupter ends the context when a text is written.
type interrupter struct {
	mu   sync.Mutex
	out  bytes.Buffer
	at   string
	then context.CancelFunc
}

func (i *interrupter) Write(text []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if bytes.Contains(text, []byte(i.at)) {
		i.then()
	}
	return i.out.Write(text)
}

func TestCtrlCLeavesWhatTheSameCommandGoesOnWith(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	first := &interrupter{at: "now related to", then: cancel}
	require.NoError(t, run(ctx, []string{"-dir", dir, "-slow", "300ms"}, first, nothing))
	_, left, found := strings.Cut(first.out.String(), "held off")
	require.True(t, found)
	left, _, found = strings.Cut(left[strings.LastIndex(left, "\n  ")+3:], " are in the queue")
	require.True(t, found, "%s", first.out.String())
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-dir", dir, "-events", "0", "-slow", "0s"}, &out, nothing))
	assert.Contains(t, out.String(), "  "+left+" acknowledged and waiting to be handled.\n")
	assert.Contains(t, out.String(), "  Everything that was acknowledged is handled.\n")
}

func TestTheCommandLineIsChecked(t *testing.T) {
	t.Parallel()
	variables := func(name, value string) func(string) string {
		return func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}
	}
	for name, test := range map[string]struct {
		args []string
		env  func(string) string
	}{
		"an unknown flag":                {[]string{"-x"}, nothing},
		"a word":                         {[]string{"x"}, nothing},
		"a service without a directory":  {nil, variables("PRACTICE_BASE_URL", "https://api.example.test")},
		"a key that is no key":           {[]string{"-dir", t.TempDir()}, variables("PRACTICE_REQUEST_ID_KEY", "secret")},
		"a key that is too short":        {[]string{"-dir", t.TempDir()}, variables("PRACTICE_REQUEST_ID_KEY", "00ff")},
		"a Redis address that is no one": {[]string{"-dir", t.TempDir(), "-redis", "http://redis.example.test"}, nothing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := run(t.Context(), test.args, &out, test.env)
			require.ErrorIs(t, err, program.ErrUsage)
			assert.NotContains(t, err.Error(), "secret")
			assert.Empty(t, out.String())
		})
	}
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, io.Discard, nothing), flag.ErrHelp)
}

func TestAnEventCannotHaveHappenedLongAfterItWasSent(t *testing.T) {
	t.Parallel()
	sent := webhook.Verified{SentAt: began}
	const second = models.Ticks(10_000_000)
	require.NoError(t, plausible(began-second, sent))
	require.NoError(t, plausible(began+second, sent), "clocks differ")
	require.Error(t, plausible(began+1000*second, sent))
}

//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestHelpIsNotAnError(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"-h"}, &out, &errs))
	assert.Empty(t, out.String())
	for _, flag := range []string{"-listen", "-events", "-write-delay", "-latency", "-rate-limit", "-seed", "-token-lifetime"} {
		assert.Contains(t, errs.String(), "\n  "+flag+" ")
	}
}

func TestABadCommandLineIsRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args []string
		says string
	}{
		"an unknown flag":  {[]string{"-nonsense"}, "not defined: -nonsense"},
		"a bad duration":   {[]string{"-latency", "5"}, "invalid value"},
		"a bad share":      {[]string{"-duplicates", "2"}, "between 0 and 1"},
		"no share at all":  {[]string{"-disorder", "NaN"}, "between 0 and 1"},
		"a stray argument": {[]string{"serve"}, `unexpected argument "serve"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			assert.Equal(t, 2, run(t.Context(), tt.args, &out, &errs))
			assert.Contains(t, errs.String(), tt.says)
			assert.Empty(t, out.String())
		})
	}
}

func TestAnAddressThatCannotBeListenedAtIsReported(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for _, address := range []string{taken.Addr().String(), "127.0.0.1", "127.0.0.1:nonsense", "127.0.0.1:65535"} {
		var out, errs bytes.Buffer
		assert.Equal(t, 1, run(t.Context(), []string{"-listen", address}, &out, &errs), address)
		assert.Contains(t, errs.String(), "practice-sandbox: ")
		assert.Empty(t, out.String())
	}
}

func TestAnOutputThatIsClosedEndsTheProgram(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	require.NoError(t, r.Close())
	var errs bytes.Buffer
	assert.Equal(t, 1, run(t.Context(), nil, w, &errs))
	assert.Contains(t, errs.String(), "closed pipe")
}

func TestEqualSeedsMakeUpEqualFirms(t *testing.T) {
	t.Parallel()
	firm := func(args ...string) string {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out, errs bytes.Buffer
		require.Zero(t, run(ctx, args, &out, &errs), errs.String())
		_, ids, _ := strings.Cut(out.String(), "export PRACTICE_ACCOUNT_ID=")
		return ids
	}
	assert.Equal(t, firm("-seed", "7", "-rate-limit", "0.5"), firm("-seed", "7"))
	assert.NotEqual(t, firm("-seed", "7"), firm("-seed", "8"))
}

func TestQuotedTextIsOneWordOfTheShell(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", "it's", `$HOME "x" \ ` + "`id`", "two\nlines"} {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+quote(text)).Output()
		require.NoError(t, err)
		assert.Equal(t, text, string(out))
	}
}

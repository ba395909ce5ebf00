package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/webhook"
)

func TestTheDemonstrationKeepsItsNotifications(t *testing.T) {
	t.Parallel()
	keep := filepath.Join(t.TempDir(), "kept.jsonl")
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-keep", keep}, &out, func(string) string { return "" }))
	text, err := os.ReadFile(keep)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, strings.Count(string(text), "\n"), 5)
	assert.Contains(t, out.String(), "kept {")
}

func TestKeptNotificationsAreReplayedAsTheyCame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.keep = filepath.Join(t.TempDir(), "kept.jsonl")
	stop := w.forward(t)
	forger, err := webhook.NewSigner(w.Credentials().ClientID, "another key")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, w.deliver(t, forger, w.Firm().MatterIDs[0], 0))
	for at, id := range w.Firm().MatterIDs[:3] {
		require.Equal(t, http.StatusOK, w.deliver(t, w.signer, id, at))
	}
	stop()
	info, err := os.Stat(w.keep)
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&0o077, "of others")

	receiver, err := webhook.NewReceiver(w.Credentials().ClientID, webhook.Keys(w.key))
	require.NoError(t, err)
	var ids []string
	refuse := ""
	webhook.OnAny(receiver, func(_ context.Context, e *webhook.Event[json.RawMessage]) error {
		if ids = append(ids, e.ResourceID()); e.ResourceID() == refuse {
			return assert.AnError
		}
		return nil
	})
	local := httptest.NewServer(receiver)
	defer local.Close()
	var out bytes.Buffer
	replay := func() error {
		return run(t.Context(), []string{"-replay", w.keep, "-to", local.URL}, &out, func(name string) string {
			return map[string]string{"PRACTICE_CLIENT_ID": w.variables["PRACTICE_CLIENT_ID"], "PRACTICE_WEBHOOK_KEY": w.variables["PRACTICE_WEBHOOK_KEY"]}[name]
		})
	}
	require.NoError(t, replay())
	assert.Equal(t, w.Firm().MatterIDs[:3], ids)
	assert.Equal(t, 3, strings.Count(out.String(), "200 {"))
	refuse = w.Firm().MatterIDs[1]
	require.ErrorIs(t, replay(), errNotTaken)
	assert.Equal(t, append(w.Firm().MatterIDs[:3:3], w.Firm().MatterIDs[:3]...), ids, "those after it are sent all the same")
	assert.Contains(t, out.String(), "500 {")
}

func TestAReplaySaysWhatItCannotDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	env := func(name string) string {
		return map[string]string{"PRACTICE_CLIENT_ID": "c", "PRACTICE_WEBHOOK_KEY": "k"}[name]
	}
	whole := `{"received":"` + time.Now().Format(time.RFC3339) + `","requestId":"a","body":"{}"}` + "\n"
	for name, test := range map[string]struct {
		file, says string
	}{
		"no file":            {filepath.Join(dir, "none"), "none"},
		"a file of no use":   {file("a", "no JSON"), "notification 1: "},
		"a line that is cut": {file("b", whole[:20]), "notification 1: "},
		"nobody is there":    {file("c", whole), "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, err := freeAddress(t.Context())
			require.NoError(t, err)
			require.ErrorContains(t, run(t.Context(), []string{"-replay", test.file, "-to", "http://" + address}, new(bytes.Buffer), env), test.says)
		})
	}
	require.NoError(t, run(t.Context(), []string{"-replay", file("empty", ""), "-to", "http://127.0.0.1:1"}, new(bytes.Buffer), env))
	for _, args := range [][]string{{"-replay", "f"}, {"-replay", "f", "-to", "t", "-dir", "d"}, {"-replay", "f", "-to", "t", "-keep", "k"}} {
		require.ErrorIs(t, run(t.Context(), args, new(bytes.Buffer), env), program.ErrUsage)
	}
	require.ErrorIs(t, run(t.Context(), []string{"-replay", "f", "-to", "t"}, new(bytes.Buffer), none), program.ErrUsage, "without the key")
}

package acceptance_test

import (
	"context"
	"encoding/json"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// captured collects what the process prints until the end of the test, and
// returns a function that returns it. A test that uses it must not run in
// parallel.
func captured(t *testing.T) (printed func() string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "output")
	file, err := os.Create(name)
	require.NoError(t, err)
	stdout, stderr, structured, writer, flags := os.Stdout, os.Stderr, slog.Default(), log.Writer(), log.Flags()
	t.Cleanup(func() {
		os.Stdout, os.Stderr = stdout, stderr
		slog.SetDefault(structured)
		log.SetOutput(writer)
		log.SetFlags(flags)
		assert.NoError(t, file.Close())
	})
	os.Stdout, os.Stderr = file, file
	slog.SetDefault(slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelDebug})))
	log.SetOutput(file)
	return func() string {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(text)
	}
}

// TestTheLibraryPrintsNothing makes calls fail in every way, without a logger,
// and checks standard output, standard error and the default loggers.
func TestTheLibraryPrintsNothing(t *testing.T) {
	printed := captured(t)
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		client := server.Client(t, testkit.ClientCredentials(server), practice.WithMaxBody(1<<14))
		for _, fault := range append(secretFaults("getStaff"), secretFaults("token")...) {
			server.ClearFaults()
			server.Inject(fault)
			_ = testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithRetries(1))) // only the output counts
		}
		server.ClearFaults()
		receiver, err := webhook.NewReceiver("client", webhook.Keys(markedHookKey))
		require.NoError(t, err)
		webhook.OnAny(receiver, func(context.Context, *webhook.Event[json.RawMessage]) error { panic("at work") })
		signer, err := webhook.NewSigner("client", markedHookKey)
		require.NoError(t, err)
		for _, body := range []string{`{"type":"matter.updated","payload":{}}`, "no JSON"} {
			req := httptest.NewRequest(http.MethodPost, "/in", strings.NewReader(body))
			require.NoError(t, signer.Sign(req.Header, time.Now(), "request-1"))
			receiver.ServeHTTP(httptest.NewRecorder(), req)
		}
		assert.EqualValues(t, 2, receiver.Stats().Refused)
		require.NoError(t, receiver.Shutdown(t.Context()))
	})
	assert.Empty(t, printed())

	_, err := os.Stderr.WriteString("seen")
	require.NoError(t, err)
	slog.Debug("seen")
	log.Print("seen")
	assert.Equal(t, 3, strings.Count(printed(), "seen"), "it would have been noticed")
}

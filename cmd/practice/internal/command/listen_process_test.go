package command

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestAListenerThatIsKilledLeavesOthersAlone kills listeners (kill -9) at any of
// their requests and deliveries, beside subscriptions that look like theirs.
func TestAListenerThatIsKilledLeavesOthersAlone(t *testing.T) {
	kills := soak.Times(5, 50)
	var left atomic.Int64
	var kill atomic.Pointer[func()]
	count := func() {
		if left.Add(-1) == 0 {
			(*kill.Load())()
		}
	}
	var written sync.Map // paths of subscriptions that were changed or deleted
	b := newBooth(t, practicetest.WithRequestHandler(func(r practicetest.RecordedRequest) {
		if r.Method != http.MethodGet {
			written.Store(path.Base(r.Path), true)
		}
		count()
	}))
	for _, address := range []string{"http://127.0.0.1:1/", "http://127.0.0.1:1/AAAAAAAAAAAAAAAAAAAAAAAAAA"} {
		_, err := b.client.Webhooks.Create(t.Context(), models.WebhookSubscriptionWrite{
			Name: "practice webhooks listen", EventTypes: []models.EventType{"matter.updated"}, EventNotificationURL: address, Key: models.Null[models.Secret](),
		})
		require.NoError(t, err)
	}
	others := b.subscriptions()
	program := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { count() }))
	t.Cleanup(program.Close)
	killed := 0
	for n := range kills {
		binary, err := os.Executable()
		require.NoError(t, err)
		process := exec.CommandContext(context.WithoutCancel(t.Context()), binary, "--sandbox="+b.file, "webhooks", "listen", "--forward-to", program.URL, "--test", "-o", "json")
		process.Env = append(os.Environ(), asProgram+"=1", "PRACTICE_CONFIG_DIR="+b.folder)
		process.Stdout = &afterText{text: "noop", do: func() { _ = process.Process.Signal(syscall.SIGINT) }}
		strike := func() { _ = process.Process.Kill() }
		kill.Store(&strike)
		left.Store(int64(1 + n%15)) // a start has up to 3 requests to sign in, 4 others, a delivery, 3 to remove what was left, and 3 to end
		require.NoError(t, process.Start())
		if _ = process.Wait(); process.ProcessState.ExitCode() < 0 {
			killed++
		}
		left.Store(0)
		there := b.subscriptions()
		rest := slices.DeleteFunc(slices.Clone(there), func(s models.WebhookSubscription) bool {
			return strings.HasPrefix(s.EventNotificationURL, "http://127.0.0.1:") && !strings.HasPrefix(s.EventNotificationURL, "http://127.0.0.1:1/")
		})
		assert.Equal(t, others, rest, "kill %d", n)
		assert.LessOrEqual(t, len(there)-len(rest), 2, "what the last start left, and what it was removing")
	}
	for _, other := range others {
		_, touched := written.Load(other.ID)
		assert.False(t, touched, other.ID)
	}
	for tries := 0; len(b.subscriptions()) > len(others) && tries < 10; tries++ { // a create may arrive after its process was killed
		assert.Equal(t, exitDone, b.listen().stop().code)
	}
	assert.Equal(t, others, b.subscriptions())
	t.Logf("%d of %d starts killed", killed, kills)
	assert.Greater(t, killed, kills/2)
}

// tunnel forwards a public address to a port of this machine.
type tunnel struct{ port string }

func (tunnel tunnel) RoundTrip(r *http.Request) (*http.Response, error) {
	there := r.Clone(r.Context())
	there.URL.Scheme, there.URL.Host = "http", "127.0.0.1:"+tunnel.port
	return http.DefaultTransport.RoundTrip(there)
}

// TestAPublicURLForwardsToTheListener uses a profile of the environment, and a
// public address with a path.
func TestAPublicURLForwardsToTheListener(t *testing.T) {
	free := httptest.NewServer(nil)
	at, err := url.Parse(free.URL)
	require.NoError(t, err)
	free.Close()
	server, err := practicetest.Start(practicetest.WithMatters(2), practicetest.WithWebhookClient(&http.Client{Transport: tunnel{at.Port()}}))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	own := server.Credentials()
	env := map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": own.APIKey, "PRACTICE_ACCESS_TOKEN": own.AccessToken, "PRACTICE_CLIENT_ID": own.ClientID,
	}
	program := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(program.Close)
	listen := func(out io.Writer, more ...string) result {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var errs locked
		line := append([]string{"webhooks", "listen", "--forward-to", program.URL, "--port", at.Port(), "--public-url", "https://Tunnel.example.test/a/b/", "--test", "-o", "jsonl"}, more...)
		code := Run(ctx, line, Streams{strings.NewReader(""), io.MultiWriter(out, &afterText{text: "noop", do: cancel}), &errs}, variables(t, env))
		return result{code, "", errs.String()}
	}
	got := listen(io.Discard, "--events", "matter.updated")
	require.Equal(t, exitDone, got.code, got.err)
	sent := server.Deliveries()[0]
	assert.True(t, strings.HasPrefix(sent.URL, "https://tunnel.example.test/a/b/"), sent.URL)
	assert.Equal(t, http.StatusOK, sent.Status)

	got = listen(broken{})
	assert.Equal(t, exitClosed, got.code, got.err)
	server.Inject(practicetest.Fault{Operation: "createWebhook", Status: http.StatusForbidden})
	got = listen(io.Discard)
	assert.Equal(t, exitNotAllowed, got.code)
	assert.Contains(t, got.err, "requires the scopes webhooks/read and webhooks/write")
}

// broken is a stdout whose reader has gone.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestWrongFlagsOfListenSendNothing(t *testing.T) {
	server, env := service(t)
	server.ResetRequests()
	const to, public = "--forward-to=http://localhost:1", "--public-url=https://tunnel.example.test"
	env["PRACTICE_CLIENT_ID"] = "c"
	busy := httptest.NewServer(nil)
	defer busy.Close()
	at, err := url.Parse(busy.URL)
	require.NoError(t, err)
	for says, row := range map[string]struct {
		code int
		args []string
	}{
		"requires --forward-to":        {exitMisused, []string{public, "--port=1"}},
		"requires --public-url":        {exitMisused, []string{to}},
		"requires --port":              {exitMisused, []string{to, public}},
		"must be an http or https URL": {exitMisused, []string{"--forward-to=localhost:8080"}},
		"--allow-remote":               {exitMisused, []string{"--forward-to=http://app.example.test", public, "--port=1"}},
		"must be an https URL":         {exitMisused, []string{to, "--public-url=http://tunnel.example.test", "--port=1"}},
		"query":                        {exitMisused, []string{to, "--public-url=https://tunnel.example.test/?a", "--port=1"}},
		"--port: listen":               {exitMisused, []string{to, public, "--port=" + at.Port()}},
		"has no request":               {exitMisused, []string{to, "--dry-run"}},
		"no-member":                    {exitMisused, []string{to, public, "--port=1", "-o", "csv", "--columns=no-member"}},
		"unexpected argument":          {exitMisused, []string{"x"}},
	} {
		got := execute(t, "", env, append([]string{"webhooks", "listen"}, row.args...)...)
		assert.Equal(t, row.code, got.code, got.err)
		assert.Contains(t, got.err, says)
	}
	delete(env, "PRACTICE_CLIENT_ID")
	got := execute(t, "", env, "webhooks", "listen", to, public, "--port=1")
	assert.Equal(t, exitMisused, got.code)
	assert.Contains(t, got.err, "PRACTICE_CLIENT_ID is not set")
	env["PRACTICE_READ_ONLY"] = "1"
	assert.Equal(t, exitNotAllowed, execute(t, "", env, "webhooks", "listen", to, public, "--port=1").code)
	assert.Empty(t, server.Requests())
}

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func none(string) string { return "" }

func TestWithoutAnythingItForwardsFiveChanges(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, none))
	assert.Contains(t, out.String(), "subscription created\n")
	assert.Contains(t, out.String(), "the other system answered 503 Service Unavailable")
	assert.GreaterOrEqual(t, strings.Count(out.String(), "PUT "), 4, "the last one may not be printed any more")
}

// world is the service, the other system, and a forwarder between them that can
// be started again.
type world struct {
	*practicetest.Server
	options
	variables map[string]string
	signer    *webhook.Signer
	arrived   chan arrival // at the other system
	down      atomic.Bool  // the other system is out of order
}

// arrival is a request to the other system.
type arrival struct{ method, path, key, body string }

// newWorld has another system that gives its nth request the nth answer, and
// 200 afterwards.
func newWorld(t *testing.T, answers ...int) *world {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	key := uuid.NewString()
	signer, err := webhook.NewSigner(server.Credentials().ClientID, key)
	require.NoError(t, err)
	w := &world{Server: server, signer: signer, arrived: make(chan arrival, 100)}
	var mu sync.Mutex
	other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		assert.NoError(t, err)
		w.arrived <- arrival{r.Method, r.URL.Path, r.Header.Get("Idempotency-Key"), string(text)}
		switch {
		case w.down.Load():
			rw.WriteHeader(http.StatusServiceUnavailable)
		case len(answers) > 0:
			rw.WriteHeader(answers[0])
			answers = answers[1:]
		}
	}))
	address, err := freeAddress(t.Context())
	require.NoError(t, err)
	w.options = options{dir: t.TempDir(), to: other.URL, listen: address, callback: "http://" + address + "/", key: models.NewSecret(key)}
	c := server.Credentials()
	w.variables = map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": c.APIKey, "PRACTICE_CLIENT_ID": c.ClientID,
		"PRACTICE_TOKEN_URL": server.TokenURL(), "PRACTICE_CLIENT_SECRET": c.ClientSecret, "PRACTICE_WEBHOOK_KEY": key,
	}
	t.Cleanup(func() {
		other.Close()
		http.DefaultClient.CloseIdleConnections()
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	return w
}

// forward runs the program until the function it returns is called.
func (w *world) forward(t *testing.T) (stop func()) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	listening, ended := make(chan struct{}, 10), make(chan error, 1)
	out := &lines{out: io.Discard, seen: func(line string) {
		if strings.HasPrefix(line, "subscription ") {
			listening <- struct{}{}
		}
	}}
	service, err := setup.Open(func(name string) string { return w.variables[name] }, setup.Options{Program: "test"})
	require.NoError(t, err)
	go func() { ended <- w.options.forward(ctx, service, out) }()
	select {
	case <-listening:
	case err := <-ended:
		require.NoError(t, err)
	}
	return func() {
		end()
		require.NoError(t, <-ended)
		require.NoError(t, service.Close())
	}
}

// deliver sends a signed notification, as the service does, and returns the
// status of the answer.
func (w *world) deliver(t *testing.T, signer *webhook.Signer, id string, at int) int {
	t.Helper()
	text := fmt.Appendf(nil, `{"accountId":%q,"subscriptionId":"s","type":"matter.updated","timestamp":%d,"payload":{"id":%q,"title":"forged"}}`,
		w.Firm().AccountID, 638_912_345_678_901_234+at, id)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.callback, bytes.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, signer.Sign(request.Header, time.Now(), uuid.NewString()))
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func TestTheMatterIsForwardedAndNotWhatTheNotificationSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.forward(t)()
	id := w.Firm().MatterID
	require.Equal(t, http.StatusOK, w.deliver(t, w.signer, id, 0))
	got := <-w.arrived
	assert.Equal(t, []string{http.MethodPut, "/" + id}, []string{got.method, got.path})
	assert.NotEmpty(t, got.key)
	matter, there := w.Matter(id)
	require.True(t, there)
	var forwarded models.Matter
	require.NoError(t, forwarded.UnmarshalJSON([]byte(got.body)))
	assert.Equal(t, matter.Title, forwarded.Title)

	const gone = "6a0f5b1e-0000-4000-8000-000000000000"
	require.Equal(t, http.StatusOK, w.deliver(t, w.signer, gone, 0))
	got = <-w.arrived
	assert.Equal(t, []string{http.MethodDelete, "/" + gone, ""}, []string{got.method, got.path, got.body})
}

func TestANotificationThatNobodySignedIsNotForwarded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.forward(t)()
	forger, err := webhook.NewSigner(w.Credentials().ClientID, "another key")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, w.deliver(t, forger, w.Firm().MatterIDs[0], 0))
	require.Equal(t, http.StatusOK, w.deliver(t, w.signer, w.Firm().MatterIDs[1], 0))
	assert.Equal(t, "/"+w.Firm().MatterIDs[1], (<-w.arrived).path, "the first request")
}

func TestARepeatedNotificationIsForwardedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.forward(t)
	for range 3 {
		require.Equal(t, http.StatusOK, w.deliver(t, w.signer, w.Firm().MatterID, 0))
	}
	require.Equal(t, http.StatusOK, w.deliver(t, w.signer, w.Firm().MatterID, 1))
	first, second := <-w.arrived, <-w.arrived
	assert.NotEqual(t, first.key, second.key, "another event")
	stop()
	assert.Empty(t, w.arrived)
}

func TestWhatTheOtherSystemDidNotTakeIsSentAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, http.StatusServiceUnavailable, http.StatusTooManyRequests)
	defer w.forward(t)()
	require.Equal(t, http.StatusOK, w.deliver(t, w.signer, w.Firm().MatterID, 0))
	first, second, third := <-w.arrived, <-w.arrived, <-w.arrived
	assert.Equal(t, first, second)
	assert.Equal(t, second, third)
}

func TestAnotherRunForwardsWhatWasAcknowledged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.down.Store(true)
	stop := w.forward(t)
	require.Equal(t, http.StatusOK, w.deliver(t, w.signer, w.Firm().MatterID, 0))
	first := <-w.arrived
	stop()
	for len(w.arrived) > 0 {
		<-w.arrived // it was sent again before the end
	}
	w.down.Store(false)
	defer w.forward(t)()
	assert.Equal(t, first, <-w.arrived)
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	service := func(name string) string {
		return map[string]string{"PRACTICE_BASE_URL": "https://api.example.test"}[name]
	}
	for _, args := range [][]string{{"-x"}, {"a"}, {}, {"-dir", "d", "-to", "t", "-listen", "l", "-callback", "c"}} {
		require.ErrorIs(t, run(t.Context(), args, new(bytes.Buffer), service), program.ErrUsage)
	}
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, &out, none), flag.ErrHelp)
	assert.Empty(t, out.String())
}

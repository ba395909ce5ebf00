package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/internal/members"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// booth is a machine of a developer: a sandbox that another process serves, and
// a program that receives events.
type booth struct {
	*practicetest.Server
	t       *testing.T
	file    string // of the sandbox
	folder  string // of the profiles
	client  *practice.Client
	program *httptest.Server

	mu       sync.Mutex
	received []practicetest.Delivery // what the program received
	status   int                     // that the program returns
}

func newBooth(t *testing.T, opts ...practicetest.Option) *booth {
	b := &booth{t: t, file: filepath.Join(t.TempDir(), "firm"), folder: t.TempDir(), status: http.StatusNoContent}
	var err error
	b.Server, err = practicetest.Start(append(opts, practicetest.WithStateFile(b.file), practicetest.WithControl(), practicetest.WithMatters(2), practicetest.WithEvents(5))...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	own := b.Credentials()
	b.client, err = practice.NewClient(b.BaseURL(), practice.WithAPIKey(own.APIKey), practice.WithAccessToken(own.AccessToken))
	require.NoError(t, err)
	t.Cleanup(b.client.CloseIdleConnections)
	b.program = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.received = append(b.received, practicetest.Delivery{URL: r.URL.String(), Header: r.Header, Body: body})
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(b.status)
	}))
	t.Cleanup(b.program.Close)
	return b
}

// listener is a running practice webhooks listen.
type listener struct {
	key, address string
	stop         func() result
}

// listen starts a listener, and returns when it forwards or has ended.
func (b *booth) listen(args ...string) *listener {
	b.t.Helper()
	before := b.notes()
	ctx, cancel := context.WithCancel(b.t.Context())
	ready, ended := make(chan struct{}), make(chan int, 1)
	var first sync.Once
	var out, errs locked
	on := afterText{text: "Until then, ", do: func() { first.Do(func() { close(ready) }) }}
	env := variables(b.t, map[string]string{"PRACTICE_CONFIG_DIR": b.folder})
	line := append([]string{"--sandbox=" + b.file, "webhooks", "listen", "--forward-to", b.program.URL + "/hooks?a=b", "-o", "json"}, args...)
	go func() {
		ended <- Run(ctx, line, Streams{strings.NewReader(""), &out, io.MultiWriter(&errs, &on)}, env)
		on.do()
	}()
	<-ready
	l := &listener{stop: sync.OnceValue(func() result {
		cancel()
		return result{<-ended, out.String(), errs.String()}
	})}
	b.t.Cleanup(func() { l.stop() })
	_, l.key, _ = strings.Cut(errs.String(), " and key ")
	l.key = strings.TrimSuffix(l.key, ".\n")
	for _, name := range b.notes() {
		text, err := os.ReadFile(filepath.Join(b.folder, "listeners", name))
		require.NoError(b.t, err)
		if _, address, noted := strings.Cut(string(text), `\"address\":\"`); noted && !slices.Contains(before, name) {
			l.address, _, _ = strings.Cut(address, `\"`)
		}
	}
	return l
}

// locked is a buffer for several goroutines.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (b *booth) subscriptions() (all []models.WebhookSubscription) {
	b.t.Helper()
	for s, err := range b.client.Webhooks.All(context.WithoutCancel(b.t.Context()), practice.WebhookSubscriptionListOptions{}) {
		require.NoError(b.t, err)
		all = append(all, s)
	}
	return all
}

func (b *booth) notes() (names []string) {
	files, err := os.ReadDir(filepath.Join(b.folder, "listeners"))
	require.True(b.t, err == nil || os.IsNotExist(err), err)
	for _, file := range files {
		names = append(names, file.Name())
	}
	return names
}

// send posts a delivery, which sign changes, to an address.
func (b *booth) send(address, body string, sign func(http.Header)) int {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, address, strings.NewReader(body))
	require.NoError(b.t, err)
	sign(request.Header)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	require.NoError(b.t, err)
	require.NoError(b.t, response.Body.Close())
	return response.StatusCode
}

var personal = practicetest.Event{
	Type: "contact.updated", Source: "API", UserID: "u-1", Payload: json.RawMessage("{\"id\": \"c-1\",\n \"person\":{\"firstName\":\"Ada\",\"birthDate\":\"1990-01-02\"},\"rate\":385.50}"),
}

func TestADeliveryIsForwardedByteForByteAndVerifies(t *testing.T) {
	b := newBooth(t)
	others := b.subscriptions()
	l := b.listen()
	require.Len(t, b.subscriptions(), len(others)+1)
	for _, name := range b.notes() {
		info, err := os.Stat(filepath.Join(b.folder, "listeners", name))
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, name)
	}
	b.Emit(personal)
	require.NoError(t, b.Flush(t.Context()))
	got := l.stop()
	assert.Equal(t, exitDone, got.code, got.err)
	assert.Equal(t, others, b.subscriptions())
	assert.Empty(t, b.notes())

	require.Len(t, b.received, 1)
	sent, arrived := b.Deliveries()[0], b.received[0]
	assert.Equal(t, http.StatusOK, sent.Status)
	assert.Equal(t, "/hooks?a=b", arrived.URL)
	assert.Equal(t, string(sent.Body), string(arrived.Body))
	for name, values := range sent.Header {
		assert.Equal(t, values, arrived.Header[http.CanonicalHeaderKey(name)], name)
	}
	verifier, err := webhook.NewVerifier(b.Credentials().ClientID, webhook.Keys(l.key))
	require.NoError(t, err)
	_, err = verifier.Verify(arrived.Header)
	require.NoError(t, err)

	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(got.out), &line), "one line an event: %s", got.out)
	assert.Equal(t, []any{"contact.updated", "c-1", "u-1", 204.0}, []any{line["type"], line["id"], line["userId"], line["status"]})
	assert.NotContains(t, got.out, "Ada")
	assert.Contains(t, got.err, "Deliveries: 1 accepted, 0 not accepted.")
}

func TestOnlyBodiesShowsPersonalData(t *testing.T) {
	for field := range reflect.TypeFor[arrival]().Fields() {
		assert.False(t, members.Personal("Notification", shape.NameOf(field)), field.Name)
	}
	assert.True(t, members.Personal("Notification", "payload"))
	b := newBooth(t)
	for _, format := range []string{"table", "csv", "jsonl"} {
		l, whole := b.listen("-o", format), b.listen("-o", format, "--bodies", "--jq", ".body.payload.rate")
		b.Emit(personal)
		require.NoError(t, b.Flush(t.Context()))
		got := l.stop()
		assert.Contains(t, got.out, "contact.updated", format)
		assert.NotContains(t, got.out, "Ada", format)
		assert.Equal(t, "385.50\n", whole.stop().out)
	}
}

func TestWhatTheProgramReturnsDecidesWhatTheServiceReceives(t *testing.T) {
	b := newBooth(t)
	l := b.listen()
	delivered := func() int {
		b.Emit(personal)
		require.NoError(t, b.Flush(t.Context()))
		all := b.Deliveries()
		return all[len(all)-1].Status
	}
	for status, want := range map[int]int{200: 200, 204: 200, 302: 500, 404: 500, 500: 500, 503: 500} {
		b.mu.Lock()
		b.status = status
		b.mu.Unlock()
		assert.Equal(t, want, delivered(), status)
	}
	b.program.Close()
	assert.Equal(t, http.StatusInternalServerError, delivered())
	got := l.stop()
	assert.Equal(t, exitDone, got.code)
	assert.Contains(t, got.out, `"status":302`)
	assert.Contains(t, got.out, "connection refused")
	assert.Contains(t, got.err, "Deliveries: 2 accepted, 5 not accepted.")
	assert.NotContains(t, got.err, "handler")
}

func TestForgedAndReplayedDeliveriesAreRefused(t *testing.T) {
	b := newBooth(t)
	l := b.listen()
	signer, err := webhook.NewSigner(b.Credentials().ClientID, l.key)
	require.NoError(t, err)
	foreign, err := webhook.NewSigner(b.Credentials().ClientID, "another key")
	require.NoError(t, err)
	signed := func(s *webhook.Signer, at time.Time) func(http.Header) {
		return func(h http.Header) { require.NoError(t, s.Sign(h, at, "r")) }
	}
	const body = `{"type":"\u001b[31mmatter.updated","timestamp":1,"payload":{}}`
	now := time.Now()
	require.Equal(t, 200, b.send(l.address, body, signed(signer, now)))
	for name, row := range map[string]struct {
		path, body string
		sign       func(http.Header)
		status     int
		says       string
	}{
		"not signed":         {"", body, func(http.Header) {}, 401, "not signed"},
		"another key":        {"", body, signed(foreign, now), 401, "does not match any key"},
		"the same again":     {"", body, signed(signer, now), 500, "already been used"},
		"another body":       {"", body + " ", signed(signer, now), 401, "a different body"},
		"old":                {"", body, signed(signer, now.Add(-6*time.Minute)), 401, "too long ago"},
		"from the future":    {"", body, signed(signer, now.Add(6*time.Minute)), 401, "future"},
		"too large":          {"", strings.Repeat(" ", largestDelivery+1), signed(signer, now.Add(time.Second)), 413, "too large"},
		"to another path":    {"x", body, signed(signer, now.Add(2*time.Second)), 404, "last segment of the path must not change"},
		"not a notification": {"", "{", signed(signer, now.Add(3*time.Second)), 400, "not a notification"},
	} {
		assert.Equal(t, row.status, b.send(l.address+row.path, row.body, row.sign), name)
		assert.Len(t, b.received, 1, name)
		defer func() { assert.Contains(t, l.stop().err, row.says, name) }()
	}
	large := `{"type":"fee.updated","payload":{"text":"` + strings.Repeat("x", largestDelivery-100) + `"}}`
	assert.Equal(t, 200, b.send(l.address, large, signed(signer, now.Add(4*time.Second))))
	assert.Len(t, b.received, 2)
	b.mu.Lock()
	b.status = 500
	b.mu.Unlock()
	assert.Equal(t, 500, b.send(l.address, body, signed(signer, now.Add(5*time.Second))))
	assert.Equal(t, 500, b.send(l.address, body, signed(signer, now.Add(5*time.Second))))
	assert.Len(t, b.received, 4, "the program has not accepted it, so it may come again")
	got := l.stop()
	assert.NotContains(t, got.out, "\x1b")
	assert.Contains(t, got.err, "Deliveries: 2 accepted, 10 not accepted.")
}

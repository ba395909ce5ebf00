package practicetest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// inbox receives the notifications of a subscription.
type inbox struct {
	t      *testing.T
	server *practicetest.Server
	id     string
	url    string

	mu  sync.Mutex
	got []answer
}

func (b *inbox) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.got = append(b.got, answer{b.t, 0, r.Header, string(body)})
}

const webhookKey = "k-0123456789"

// subscribe makes a subscription with a key and a receiver for it.
func subscribe(t *testing.T, s *practicetest.Server, types ...string) *inbox {
	t.Helper()
	b := &inbox{t: t, server: s}
	origin, err := s.Mount(b)
	require.NoError(t, err)
	b.url = origin + "/hooks"
	body, err := json.Marshal(map[string]any{"name": "inbox", "eventTypes": types, "eventNotificationUrl": b.url, "key": webhookKey})
	require.NoError(t, err)
	b.id = call(t, s).asClient().do("POST", "/webhooks", string(body)).want(200).text("id")
	return b
}

// wait returns the notifications, of which there must be n by now.
func (b *inbox) wait(n int) []answer {
	b.t.Helper()
	require.NoError(b.t, b.server.Flush(b.t.Context()))
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Len(b.t, b.got, n)
	return b.got
}

package nats_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/internal/sharetest"
	"github.com/practicesdk/practice-go/webhook"
)

var (
	ordered   = flag.Int("ordered", 200, "events of the test of the order")
	processes = flag.Int("processes", 4, "receivers that share them, with an engine each")
)

// deliverInOrder sends events one after another, alternating between records,
// and returns their numbers by record.
func deliverInOrder(t *testing.T, receivers []*webhook.Receiver, events, records int) map[string][]int64 {
	t.Helper()
	signer, err := webhook.NewSigner(sharetest.ClientID, sharetest.Key)
	require.NoError(t, err)
	sent := map[string][]int64{}
	for n := range int64(events) {
		record := fmt.Sprint(rand.N(records))
		body := fmt.Appendf(nil, `{"accountId":"a","type":"matter.updated","timestamp":%d,"payload":{"id":%q}}`, n+1, record)
		req := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
		require.NoError(t, signer.Sign(req.Header, time.Now(), fmt.Sprint(n)))
		w := httptest.NewRecorder()
		receivers[rand.N(len(receivers))].ServeHTTP(w, req)
		require.Equal(t, http.StatusOK, w.Code)
		sent[record] = append(sent[record], n+1)
	}
	return sent
}

// Half of the events belong to a few records, so that the queue holds many of
// them at the same time.
func TestManyProcessesHandleTheEventsOfARecordInTheirOrder(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	var mu sync.Mutex
	var done atomic.Int64
	handled, failed := map[string][]int64{}, map[string]bool{}
	handle := func(_ context.Context, e *webhook.Event[json.RawMessage]) error {
		<-time.After(rand.N(5 * time.Millisecond))
		mu.Lock()
		defer mu.Unlock()
		if !failed[e.Identity()] && rand.N(20) == 0 {
			failed[e.Identity()] = true
			return errors.New("some fail at first")
		}
		handled[e.ResourceID()] = append(handled[e.ResourceID()], int64(e.Timestamp))
		done.Add(1)
		return nil
	}
	var receivers []*webhook.Receiver
	for range *processes {
		receiver := newReceiver(t, open(t, "", on(server)), webhook.WithSerialRecords(),
			webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 5, First: 50 * time.Millisecond, Max: time.Second}))
		webhook.OnAny(receiver, handle)
		receivers = append(receivers, receiver)
	}
	sent := deliverInOrder(t, receivers, *ordered, 1+*ordered/20)
	require.Eventually(t, func() bool { return done.Load() >= int64(*ordered) }, 5*time.Minute, 10*time.Millisecond)
	mu.Lock()
	defer mu.Unlock()
	assert.Equal(t, sent, handled)
	var returned uint64
	for _, receiver := range receivers {
		returned += receiver.Stats().Retries
	}
	t.Logf("%d events of %d records; %d failed at first; %d messages were given back", *ordered, len(sent), len(failed), returned)
}

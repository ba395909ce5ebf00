package nats_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/internal/sharetest"
	"github.com/practicesdk/practice-go/webhook"
)

func deliver(t *testing.T, receiver *webhook.Receiver) {
	t.Helper()
	signer, err := webhook.NewSigner(sharetest.ClientID, sharetest.Key)
	require.NoError(t, err)
	req := httptest.NewRequest(http.MethodPost, "/hooks", bytes.NewReader([]byte(`{"type":"matter.updated","payload":{"id":"1"}}`)))
	require.NoError(t, signer.Sign(req.Header, time.Now(), ""))
	w := httptest.NewRecorder()
	receiver.ServeHTTP(w, req)
	require.Equal(t, http.StatusOK, w.Code)
}

func TestAnEventThatCannotBeHandledIsRetriedDeadLetteredAndReplayed(t *testing.T) {
	t.Parallel()
	engine := open(t, t.TempDir())
	const wait = 200 * time.Millisecond
	receiver := newReceiver(t, engine, webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 3, First: wait, Max: time.Minute}))
	var mended atomic.Bool
	attempts := make(chan time.Time, 10)
	webhook.OnAny(receiver, func(context.Context, *webhook.Event[json.RawMessage]) error {
		attempts <- time.Now()
		if mended.Load() {
			return nil
		}
		return errors.New("the ledger is closed")
	})
	deliver(t, receiver)
	first, second, third := <-attempts, <-attempts, <-attempts
	assert.GreaterOrEqual(t, second.Sub(first), wait/2, "half of a wait is random")
	assert.GreaterOrEqual(t, third.Sub(second), wait, "waits double")

	var letters []webhook.DeadLetter
	require.Eventually(t, func() bool {
		for letter, err := range engine.Queue().DeadLetters(t.Context()) {
			require.NoError(t, err)
			letters = append(letters, letter)
		}
		return len(letters) > 0
	}, patient, 10*time.Millisecond)
	require.Len(t, letters, 1)
	assert.Equal(t, 3, letters[0].Attempts)
	assert.Contains(t, letters[0].Reason, "the ledger is closed")

	mended.Store(true)
	require.NoError(t, engine.Queue().Replay(t.Context(), letters[0].ID))
	<-attempts
	require.Eventually(t, func() bool { return receiver.Stats().Handled == 1 }, patient, time.Millisecond)
	deliver(t, receiver)
	require.Eventually(t, func() bool { return receiver.Stats().Duplicates == 1 }, patient, time.Millisecond)
	require.Eventually(t, func() bool { // a message is counted before it is taken out
		left, err := engine.Queue().Len(t.Context())
		return assert.NoError(t, err) && left == 0
	}, patient, time.Millisecond)
}

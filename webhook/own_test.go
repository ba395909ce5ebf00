package webhook_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/requestid"
	"github.com/practicesdk/practice-go/webhook"
)

func newIDs(tb testing.TB, b byte) *requestid.Signer {
	tb.Helper()
	s, err := requestid.NewSigner(bytes.Repeat([]byte{b}, requestid.KeySize))
	require.NoError(tb, err)
	return s
}

// madeAt is a verifier that recognises one id.
type madeAt struct {
	id   string
	made time.Time
}

func (m madeAt) Verify(id string) (time.Time, bool) { return m.made, id == m.id }

func TestEchoesOfOwnRequestsAreDropped(t *testing.T) {
	t.Parallel()
	var dropped []*rawEvent
	own, foreign := newIDs(t, 1), newIDs(t, 2)
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.IgnoreOwn(own),
		webhook.WithOwnHook(func(_ context.Context, e *rawEvent) {
			dropped = append(dropped, e)
			panic("costs nothing")
		}))
	require.NoError(t, err)
	events := handleRest(receiver)
	deliver := func(id string) {
		require.Equal(t, 200, serve(receiver, signedWith(t, key, time.Now(), id, sample(t, "matter-updated"))).Code)
	}
	mine := own.NewRequestID()
	deliver(mine)
	assert.Empty(t, *events)
	require.Len(t, dropped, 1)
	assert.Equal(t, mine, dropped[0].RequestID)
	assert.Equal(t, models.EventTypeMatterUpdated.Type(), dropped[0].Type)
	for _, id := range []string{foreign.NewRequestID(), requestID, "", "not an id"} {
		deliver(id)
	}
	assert.Len(t, *events, 4)
	assert.Equal(t, webhook.Stats{Accepted: 5, Own: 1, Handled: 4}, receiver.Stats())
}

func TestAnErrorEventIsNeverDropped(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t, webhook.IgnoreOwn(madeAt{requestID, clock()}), webhook.WithDeduplicator(newDeduplicator(t)))
	failed := handle(receiver, models.EventTypeError)
	for range 2 {
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
	}
	require.Len(t, *failed, 1)
	assert.Equal(t, "contact", (*failed)[0].Payload.ResourceName)
	assert.Zero(t, receiver.Stats().Own)
}

func TestAnOwnIDCountsForALimitedAge(t *testing.T) {
	t.Parallel()
	const tolerance = webhook.DefaultTolerance
	for name, test := range map[string]struct {
		age     time.Duration
		options []webhook.Option
		own     bool
	}{
		"just made":               {0, nil, true},
		"a day ago":               {24 * time.Hour, nil, true},
		"more than a day ago":     {24*time.Hour + 1, nil, false},
		"by a clock that is fast": {-tolerance, nil, true},
		"in the future":           {-tolerance - 1, nil, false},
		"within a shorter age":    {time.Minute, []webhook.Option{webhook.WithOwnAge(time.Minute)}, true},
		"beyond a shorter age":    {time.Minute + 1, []webhook.Option{webhook.WithOwnAge(time.Minute)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			receiver := newReceiver(t, append(test.options, webhook.IgnoreOwn(madeAt{requestID, clock().Add(-test.age)}))...)
			events := handleRest(receiver)
			require.Equal(t, 200, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
			assert.Equal(t, test.own, len(*events) == 0)
		})
	}
}

func TestTheIDOfASignedDeliveryIsThatOfItsHeader(t *testing.T) {
	t.Parallel()
	body := fmt.Appendf(nil, `{"type":"matter.updated","requestId":%q}`, requestID)
	receiver := newReceiver(t, webhook.IgnoreOwn(madeAt{requestID, clock()}))
	events := handleRest(receiver)
	require.Equal(t, 200, serve(receiver, signedWith(t, key, clock(), "", body)).Code)
	require.Len(t, *events, 1, "the body is not signed")

	unsigned, err := webhook.NewReceiver(clientID, webhook.NoKey(), webhook.WithClock(clock),
		webhook.IgnoreOwn(madeAt{requestID, clock()}))
	require.NoError(t, err)
	events = handleRest(unsigned)
	require.Equal(t, 200, serve(unsigned, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))).Code)
	assert.Empty(t, *events, "without a key nothing is, and the body is all there is")
}

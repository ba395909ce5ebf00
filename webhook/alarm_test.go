package webhook_test

import (
	"context"
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func alarms(into *[]webhook.Alarm) webhook.Option {
	return webhook.WithAlarmHook(func(_ context.Context, a webhook.Alarm) bool { *into = append(*into, a); return false })
}

func TestASignatureThatComesWithAnotherBodyRaisesTheAlarm(t *testing.T) {
	t.Parallel()
	var raised []webhook.Alarm
	receiver := newReceiver(t, alarms(&raised), webhook.WithMaxBody(4096))
	events := handleRest(receiver)
	genuine, forged := sample(t, "matter-updated"), sample(t, "unknown-type")

	require.Equal(t, 200, serve(receiver, signed(t, genuine)).Code)
	require.Equal(t, 200, serve(receiver, signed(t, genuine)).Code)
	assert.Empty(t, raised, "the same body again is no alarm")

	require.Equal(t, 200, serve(receiver, signed(t, forged)).Code, "an alarm is not a refusal")
	require.Len(t, raised, 1)
	assert.Equal(t, sha256.Sum256(genuine), raised[0].FirstBody)
	assert.Equal(t, sha256.Sum256(forged), raised[0].Body)
	assert.Equal(t, clock(), raised[0].FirstSeen)
	assert.Equal(t, requestID, raised[0].Verified.RequestID)
	assert.Equal(t, sentTicks, raised[0].Verified.SentAt)
	assert.Len(t, *events, 3)

	require.Equal(t, 400, serve(receiver, signed(t, []byte("no JSON"))).Code)
	assert.Len(t, raised, 2, "also when the other body is refused")
	require.Equal(t, 413, serve(receiver, signed(t, []byte(strings.Repeat("x", 5000)))).Code)
	assert.Len(t, raised, 3, "also when it is too large")

	require.Equal(t, 200, serve(receiver, signedWith(t, key, clock(), "another", forged)).Code)
	require.Equal(t, 200, serve(receiver, signedWith(t, key, clock().Add(100), requestID, forged)).Code)
	assert.Len(t, raised, 3, "another signature may have any body")
}

func TestABodyThatBreaksOffIsNotRemembered(t *testing.T) {
	t.Parallel()
	var raised []webhook.Alarm
	receiver := newReceiver(t, alarms(&raised))
	req := signed(t, nil)
	req.Body = broken()
	require.Equal(t, 400, serve(receiver, req).Code)
	require.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
	assert.Empty(t, raised, "a proxy may send the rest of it again")
}

func TestAForgedSignatureRaisesNoAlarm(t *testing.T) {
	t.Parallel()
	var raised []webhook.Alarm
	receiver := newReceiver(t, alarms(&raised))
	require.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
	require.Equal(t, 401, serve(receiver, signedWith(t, "wrong", clock(), requestID, sample(t, "unknown-type"))).Code)
	assert.Empty(t, raised)
}

func TestTheAlarmComesBeforeTheHandler(t *testing.T) {
	t.Parallel()
	var order []string
	receiver := newReceiver(t, webhook.WithAlarmHook(func(context.Context, webhook.Alarm) bool {
		order = append(order, "alarm")
		panic("a hook that panics costs nothing")
	}))
	webhook.On(receiver, models.EventTypeError, func(context.Context, *webhook.Event[models.ErrorPayload]) error {
		order = append(order, "handler")
		return nil
	})
	for _, body := range []string{`{"type":"error"}`, `{"type":"error","source":"API"}`} {
		require.Equal(t, 200, serve(receiver, signed(t, []byte(body))).Code)
	}
	assert.Equal(t, []string{"handler", "alarm", "handler"}, order)
}

func TestAnAlarmIsRaisedAsLongAsTheSignatureIsGood(t *testing.T) {
	t.Parallel()
	var raised []webhook.Alarm
	var now time.Time
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), alarms(&raised), webhook.WithTolerance(time.Minute),
		webhook.WithClock(func() time.Time { return now }))
	require.NoError(t, err)
	send := func(at time.Duration, requestID, body string) int {
		now = clock().Add(at)
		return serve(receiver, signedWith(t, key, clock(), requestID, []byte(body))).Code
	}
	require.Equal(t, 200, send(-time.Minute, "1", `{"type":"a"}`))
	require.Equal(t, 200, send(time.Minute, "2", `{"type":"b"}`), "makes the memory drop what is too old")
	require.Equal(t, 200, send(time.Minute, "1", `{"type":"b"}`))
	assert.Len(t, raised, 1)
	require.Equal(t, 401, send(time.Minute+1, "1", `{"type":"c"}`))
	assert.Len(t, raised, 1)
}

package webhook_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// The service has changed members from numbers to names before, and may not
// send a refused event again.
func TestAnEventNeedsNoMoreThanItsType(t *testing.T) {
	t.Parallel()
	const iso = 638912345678901234 // 2025-08-15T14:09:27.8901234Z
	at := models.Ticks(iso).Time().UTC().Format(time.RFC3339Nano)
	for body, want := range map[string]rawEvent{
		`{"type":"x.y"}`:                 {},
		"\xef\xbb\xbf{\"type\":\"x.y\"}": {},
		`{"type":"x.y","source":1,"userId":12345,"accountId":7,"subscriptionId":8,"requestId":9}`: {
			Source: "1", UserID: "12345", AccountID: "7", SubscriptionID: "8",
		},
		`{"type":"x.y","source":true,"userId":{"id":"u"},"accountId":[],"subscriptionId":false}`: {},
		`{"type":"x.y","timestamp":638912345678901234}`:                                          {Timestamp: iso},
		`{"type":"x.y","timestamp":"638912345678901234"}`:                                        {Timestamp: iso},
		`{"type":"x.y","timestamp":"` + at + `"}`:                                                {Timestamp: iso},
		`{"type":"x.y","timestamp":"` + at[:len(at)-1] + `"}`:                                    {Timestamp: iso},
		`{"type":"x.y","timestamp":""}`:                                                          {},
		`{"type":"x.y","timestamp":"soon"}`:                                                      {},
		`{"type":"x.y","timestamp":-5}`:                                                          {},
		`{"type":"x.y","timestamp":1.5}`:                                                         {},
		`{"type":"x.y","timestamp":1e99}`:                                                        {},
		`{"type":"x.y","timestamp":99999999999999999999}`:                                        {},
		`{"type":"x.y","timestamp":{}}`:                                                          {},
	} {
		e := receive(t, []byte(body))
		got := rawEvent{Source: e.Source, UserID: e.UserID, AccountID: e.AccountID, SubscriptionID: e.SubscriptionID, Timestamp: e.Timestamp}
		assert.Equal(t, want, got, body)
		assert.Equal(t, body, string(e.Raw))
	}
}

// The largest duration means no limit.
func TestTheLongestTimesAreForEver(t *testing.T) {
	t.Parallel()
	for _, forEver := range []time.Duration{math.MaxInt64, math.MaxInt64 - 1, 290 * 365 * 24 * time.Hour, 237 * 365 * 24 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			lasting := webhook.WithRetention(forEver)
			events, err := webhook.NewMemoryStore(lasting)
			require.NoError(t, err)
			store, err := webhook.NewMemoryStore(lasting)
			require.NoError(t, err)
			tracker := newTracker(t, store)
			require.NoError(t, tracker.Register(t.Context(), requestID))
			q := newQueued(t, webhook.WithDeduplicator(events), webhook.WithTracker(tracker),
				webhook.WithHandlerTimeout(forEver), webhook.WithStoreTimeout(forEver), webhook.WithTolerance(forEver),
				webhook.WithAlarmHook(func(context.Context, webhook.Alarm) bool { return assert.Fail(t, "no alarm") }),
				webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 2, First: forEver, Max: forEver}))
			calls := 0
			webhook.OnAny(q.Receiver, func(ctx context.Context, _ *rawEvent) error {
				calls++
				<-time.After(time.Hour)
				return ctx.Err()
			})
			stop := q.run(t)
			body := notificationOf("contact.updated", "a", "s", 5, `{"id":"1"}`)
			for range 3 { // back to back
				require.Equal(t, 200, serve(q, signed(t, body)).Code)
			}
			<-time.After(365 * 24 * time.Hour)
			require.Equal(t, 200, serve(q, signed(t, body)).Code)
			synctest.Wait()
			assert.Equal(t, 1, calls)
			assert.EqualValues(t, 1, q.Stats().Handled)
			require.NoError(t, tracker.Failure(t.Context(), requestID), "it is still registered, and has not failed")
			stop()
		})
	}
}

func TestATimeOfTheFarFutureIsTold(t *testing.T) {
	t.Parallel()
	for ticks, want := range map[string]string{"9223372036854775807": "292", "3155378975999999999": "9999-12-31T23:59:59Z"} {
		signer, err := webhook.NewSigner(clientID, key)
		require.NoError(t, err)
		verifier, err := webhook.NewVerifier(clientID, webhook.Keys(key), webhook.WithClock(clock))
		require.NoError(t, err)
		header := signed(t, nil).Header
		header.Set(webhook.HeaderTimestamp, ticks)
		header.Set(webhook.HeaderSignature, signer.Signature(ticks, requestID))
		_, err = verifier.Verify(header)
		require.ErrorIs(t, err, webhook.ErrTooNew)
		assert.NotContains(t, err.Error(), "-2562047h")
		assert.Contains(t, err.Error(), want)
	}
}

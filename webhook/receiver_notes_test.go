package webhook_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// claimed is a store with a fixed response for the event, after the lock of its
// record was claimed.
type claimed struct {
	*hanging
	answer webhook.Claim
}

func (c *claimed) Claim(context.Context, string, string, time.Duration) (webhook.Claim, error) {
	if c.calls.Add(1)%2 == 1 {
		return webhook.ClaimNew, nil
	}
	return c.answer, nil
}

// The stores hang as soon as the handler is done, or the event is known to need
// none.
func TestTheAnswerDoesNotWaitForTheStoresThatAreToldOfTheEvent(t *testing.T) {
	t.Parallel()
	const late = webhook.DefaultDeadline - 50*time.Millisecond
	for name, test := range map[string]struct {
		claim webhook.Claim
		lasts time.Duration // of the handler
		fail  error
		want  int
		again string // the Retry-After header
	}{
		"of its success": {webhook.ClaimNew, 0, nil, 200, ""},
		"of its failure": {webhook.ClaimNew, 0, errOwn, 500, ""},
		"of its success just before the deadline":   {webhook.ClaimNew, late, nil, 200, ""},
		"of its failure just before the deadline":   {webhook.ClaimNew, late, errOwn, 500, ""},
		"of its last failure before the deadline":   {webhook.ClaimNew, late, webhook.Permanent(errOwn), 200, ""},
		"of a wait asked for before the deadline":   {webhook.ClaimNew, late, webhook.RetryAfter(errOwn, time.Minute), 503, "60"},
		"of the turn of a repetition":               {webhook.ClaimDone, 0, nil, 200, ""},
		"of the turn of an event that is in others": {webhook.ClaimInProgress, 0, nil, 503, ""},
	} {
		for _, deaf := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", and are deaf"}[deaf], func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					store := &claimed{&hanging{deaf: deaf}, test.claim}
					if test.claim != webhook.ClaimNew {
						store.hangFor(time.Hour)
					}
					receiver := newReceiver(t, webhook.WithDeduplicator(store), webhook.WithSerialRecords())
					webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
						<-time.After(test.lasts)
						store.hangFor(time.Hour)
						return test.fail
					})
					began := time.Now()
					w := serve(receiver, signed(t, notificationOf("contact.updated", "a", "s", int64(sentTicks), `{"id":"1"}`)))
					assert.Equal(t, test.want, w.Code)
					assert.Equal(t, test.again, w.Header().Get("Retry-After"))
					assert.LessOrEqual(t, time.Since(began), min(test.lasts+100*time.Millisecond, webhook.DefaultDeadline))
					require.NoError(t, receiver.Shutdown(t.Context()), "it waits for the notes")
				})
			})
		}
	}
}

// leisurely stores respond slowly.
type leisurely struct {
	webhook.Deduplicator
	webhook.Sequencer
}

func (l leisurely) Commit(ctx context.Context, key string) error {
	<-time.After(300 * time.Millisecond)
	return l.Deduplicator.Commit(ctx, key)
}

func (l leisurely) Advance(ctx context.Context, p webhook.Position) error {
	<-time.After(300 * time.Millisecond)
	return l.Sequencer.Advance(ctx, p)
}

func TestTheTurnOfARecordEndsWhenTheStoresKnowOfTheEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sequencer, err := webhook.NewMemoryStore()
		require.NoError(t, err)
		stores := leisurely{newDeduplicator(t), sequencer}
		receiver := newReceiver(t, webhook.WithSerialRecords(), webhook.WithDeduplicator(stores), webhook.WithSequencer(stores))
		var orders []webhook.Order
		webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
			orders = append(orders, e.Order)
			return nil
		})
		for at := range int64(3) { // the next one is sent after the last response, while the stores are still being notified
			body := notificationOf("fee.updated", "a", "s", 30-at, `{"id":"1"}`)
			assert.Equal(t, 200, serve(receiver, signed(t, body)).Code)
		}
		require.NoError(t, receiver.Shutdown(t.Context()))
		assert.Equal(t, []webhook.Order{webhook.OrderFresh, webhook.OrderStale, webhook.OrderStale}, orders)
	})
}

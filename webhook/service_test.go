package webhook_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/requestid"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// integration is a client and a receiver of the embedded service.
type integration struct {
	server   *practicetest.Server
	client   *practice.Client
	ids      *requestid.Signer
	tracker  *webhook.Tracker
	receiver *webhook.Receiver

	mu     sync.Mutex
	events []*rawEvent
}

func integrate(t *testing.T, options ...practicetest.Option) *integration {
	t.Helper()
	i := &integration{server: practicetest.New(t, options...), ids: newIDs(t, 1), tracker: newTracker(t, nil)}
	i.client = i.server.Client(t, practice.WithRequestIDSigner(i.ids))
	var err error
	i.receiver, err = webhook.NewReceiver(i.server.Credentials().ClientID, webhook.Keys(key), webhook.IgnoreOwn(i.ids),
		webhook.WithTracker(i.tracker), webhook.WithDeduplicator(newDeduplicator(t)))
	require.NoError(t, err)
	webhook.OnAny(i.receiver, func(_ context.Context, e *rawEvent) error {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.events = append(i.events, e)
		return nil
	})
	mux := http.NewServeMux()
	mux.Handle("POST /hooks", i.receiver)
	address, err := i.server.Mount(mux)
	require.NoError(t, err)
	_, err = subscribe.Ensure(t.Context(), i.client, subscribe.Spec{
		Name: "Everything", EventNotificationURL: address + "/hooks", EventTypes: models.EventTypes(), Key: models.NewSecret(key),
	})
	require.NoError(t, err)
	return i
}

// settled waits for all notifications and returns the handled events.
func (i *integration) settled(t *testing.T) []*rawEvent {
	t.Helper()
	i.server.Settle()
	require.NoError(t, i.server.Flush(t.Context()))
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.events
}

func patch() models.FeePatch { return models.FeePatch{Subject: models.Some("Advice")} }

func TestOwnChangesAreNotHandledAndThoseOfOthersAre(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := integrate(t)
		firm := i.server.Firm()
		_, err := i.client.Fees.Patch(t.Context(), firm.MatterID, firm.FeeID, patch())
		require.NoError(t, err)
		assert.Empty(t, i.settled(t))
		assert.NotZero(t, i.receiver.Stats().Own)

		_, err = i.server.Client(t).Fees.Patch(t.Context(), firm.MatterID, firm.FeeID, patch())
		require.NoError(t, err)
		events := i.settled(t)
		require.Len(t, events, 1)
		assert.Equal(t, models.EventTypeFeeUpdated.Type(), events[0].Type)
	})
}

func TestAWriteThatFailsLaterIsTracked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := integrate(t, practicetest.WithWriteDelay(3*time.Second))
		firm := i.server.Firm()
		write := func() string {
			id := i.ids.NewRequestID()
			require.NoError(t, i.tracker.Register(t.Context(), id))
			_, err := i.client.Fees.Patch(t.Context(), firm.MatterID, firm.FeeID, patch(), practice.WithRequestID(id))
			require.NoError(t, err)
			return id
		}
		i.server.FailWrite("patchFee", "The fee is finalized")
		doomed := write()
		require.NoError(t, i.tracker.Failure(t.Context(), doomed), "nothing is known yet")
		events := i.settled(t)
		failed := failureOf(t, i.tracker, doomed)
		require.NotNil(t, failed)
		assert.Equal(t, "The fee is finalized", failed.Message)
		assert.Equal(t, firm.FeeID, failed.ResourceID)
		require.Len(t, events, 1, "an error event is handled although its id is an own one")
		assert.Equal(t, models.EventTypeError.Type(), events[0].Type)

		fine := write()
		i.settled(t)
		require.NoError(t, i.tracker.Failure(t.Context(), fine))
	})
}

func TestAnUnreliableServiceIsHandledOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const count = 300
		i := integrate(t, practicetest.WithWebhookChaos(0.5, 0.5), practicetest.WithWebhookRedeliveries(3))
		for n := range count {
			i.server.Emit(practicetest.Event{Type: "matter.updated", Payload: []byte(`{"id":"m"}`), Timestamp: int64(sentTicks) + int64(n)})
		}
		events := i.settled(t)
		seen := map[string]bool{}
		for _, e := range events {
			assert.False(t, seen[e.Identity()])
			seen[e.Identity()] = true
		}
		assert.Len(t, seen, count)
		assert.Greater(t, len(i.server.Deliveries()), count+count/4, "many came twice")
	})
}

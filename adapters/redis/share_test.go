package redis_test

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/internal/sharetest"
	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
)

var events = flag.Int("events", soak.Times(1000, 5000), "events that two receivers share")

func TestTwoReceiversShareTheWork(t *testing.T) {
	t.Parallel()
	s, ledger := startServer(t), sharetest.NewLedger()
	var receivers []*webhook.Receiver
	for range 2 {
		client := s.client(t)
		store, err := redis.NewStore(client)
		require.NoError(t, err)
		receiver, err := webhook.NewReceiver(sharetest.ClientID, webhook.Keys(sharetest.Key),
			webhook.WithDeduplicator(store), webhook.WithStoreTimeout(time.Minute),
			webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { t.Log(err) }))
		require.NoError(t, err)
		ledger.Attach(receiver)
		receivers = append(receivers, receiver)
	}
	deliveries, took := sharetest.Deliver(t, *events, ledger, receivers...)
	t.Logf("%d deliveries of %d events in %v; handled by each: %d and %d", deliveries, *events, took,
		receivers[0].Stats().Handled, receivers[1].Stats().Handled)
}

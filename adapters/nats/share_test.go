package nats_test

import (
	"context"
	"flag"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/internal/sharetest"
	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
)

var events = flag.Int("events", soak.Times(500, 2000), "events that two receivers share")

// newReceiver returns a receiver with an engine, like a separate process, and
// runs it until the test ends.
func newReceiver(t *testing.T, engine *nats.Engine, options ...webhook.Option) *webhook.Receiver {
	t.Helper()
	receiver, err := webhook.NewReceiver(sharetest.ClientID, webhook.Keys(sharetest.Key), append([]webhook.Option{
		webhook.WithQueue(engine.Queue()),
		webhook.WithDeduplicator(engine.Store()),
		webhook.WithStoreTimeout(patient),
		webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { t.Log(err) }),
	}, options...)...)
	require.NoError(t, err)
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(t, receiver.Run(context.Background())) })
	t.Cleanup(func() {
		assert.NoError(t, receiver.Shutdown(context.Background()))
		running.Wait()
	})
	return receiver
}

func TestTwoReceiversShareTheWork(t *testing.T) {
	t.Parallel()
	server, ledger := startServer(t), sharetest.NewLedger()
	var receivers []*webhook.Receiver
	for range 2 {
		receiver := newReceiver(t, open(t, "", on(server)))
		ledger.Attach(receiver)
		receivers = append(receivers, receiver)
	}
	deliveries, took := sharetest.Deliver(t, *events, ledger, receivers...)
	t.Logf("%d deliveries of %d events in %v; handled by each: %d and %d", deliveries, *events, took,
		receivers[0].Stats().Handled, receivers[1].Stats().Handled)
}

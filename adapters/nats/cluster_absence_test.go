package nats_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// absence records how long each stream and each consumer had no leader.
type absence struct {
	mu sync.Mutex
	of map[string]time.Duration
}

// watchLeaders requests the state of each stream and consumer until ctx ends,
// because only a leader responds.
func watchLeaders(ctx context.Context, t *testing.T, js jetstream.JetStream, watching *sync.WaitGroup) *absence {
	t.Helper()
	a := &absence{of: map[string]time.Duration{}}
	watch := func(name string, ask func(context.Context) error) { watching.Go(func() { a.watch(ctx, name, ask) }) }
	streams := js.ListStreams(ctx)
	for info := range streams.Info() {
		stream, err := js.Stream(ctx, info.Config.Name)
		require.NoError(t, err)
		watch(info.Config.Name, func(ctx context.Context) error { _, err := stream.Info(ctx); return err })
		consumers := stream.ListConsumers(ctx)
		for consumer := range consumers.Info() {
			watch(info.Config.Name+"/"+consumer.Name, func(ctx context.Context) error { _, err := stream.Consumer(ctx, consumer.Name); return err })
		}
		require.NoError(t, consumers.Err())
	}
	require.NoError(t, streams.Err())
	return a
}

func (a *absence) watch(ctx context.Context, name string, ask func(context.Context) error) {
	for last := time.Now(); ctx.Err() == nil; <-time.After(50 * time.Millisecond) {
		asking, cancel := context.WithTimeout(ctx, 250*time.Millisecond)
		err := ask(asking)
		cancel()
		if err == nil {
			now := time.Now()
			a.mu.Lock()
			a.of[name] = max(a.of[name], now.Sub(last))
			a.mu.Unlock()
			last = now
		}
	}
}

func (a *absence) longest() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Max(append(slices.Collect(maps.Values(a.of)), 0)).Round(time.Millisecond)
}

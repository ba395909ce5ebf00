package nats_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// absence records when a stream or a consumer had no leader.
type absence struct {
	mu   sync.Mutex
	away []interval
}

type interval struct{ from, to time.Time }

// watchLeaders requests the state of each stream and consumer until ctx ends,
// because only a leader responds.
func watchLeaders(ctx context.Context, t *testing.T, js jetstream.JetStream, watching *sync.WaitGroup) *absence {
	t.Helper()
	a := new(absence)
	watch := func(ask func(context.Context) error) { watching.Go(func() { a.watch(ctx, ask) }) }
	streams := js.ListStreams(ctx)
	for info := range streams.Info() {
		stream, err := js.Stream(ctx, info.Config.Name)
		require.NoError(t, err)
		watch(func(ctx context.Context) error { _, err := stream.Info(ctx); return err })
		consumers := stream.ListConsumers(ctx)
		for consumer := range consumers.Info() {
			watch(func(ctx context.Context) error { _, err := stream.Consumer(ctx, consumer.Name); return err })
		}
		require.NoError(t, consumers.Err())
	}
	require.NoError(t, streams.Err())
	return a
}

func (a *absence) watch(ctx context.Context, ask func(context.Context) error) {
	for last := time.Now(); ctx.Err() == nil; <-time.After(50 * time.Millisecond) {
		asking, cancel := context.WithTimeout(ctx, 250*time.Millisecond)
		err := ask(asking)
		cancel()
		if err == nil {
			now := time.Now()
			a.mu.Lock()
			a.away = append(a.away, interval{last, now})
			a.mu.Unlock()
			last = now
		}
	}
}

// longest returns the longest time in which not all leaders were there: an
// effect needs each of them, and they are elected one by one.
func (a *absence) longest() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	const responds = time.Second // a leader that is there does so within it
	away := slices.DeleteFunc(slices.Clone(a.away), func(i interval) bool { return i.to.Sub(i.from) < responds })
	slices.SortFunc(away, func(a, b interval) int { return a.from.Compare(b.from) })
	var longest time.Duration
	var all interval
	for _, one := range away {
		if one.from.After(all.to) {
			all = one
		}
		if one.to.After(all.to) {
			all.to = one.to
		}
		longest = max(longest, all.to.Sub(all.from))
	}
	return longest.Round(time.Millisecond)
}

package webhook_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
)

// history is a random run of receivers that share a queue and a Deduplicator.
// Its oracle knows what the handlers did.
type history struct {
	rng   *rand.Rand
	queue *lapsing
	lease time.Duration

	mu      sync.Mutex
	fails   map[string]int           // attempts of an event that fail
	takes   map[string]time.Duration // time that its handler takes
	inside  map[string]int           // running handlers by record
	handled map[string][]string      // events by record
}

// outages returns a line to a store that is away now and then, each time for
// less than a lease.
func (h *history) outages() *lossy {
	type outage struct {
		from, to time.Time
		way      string
	}
	var all []outage
	kinds := []string{"refused", "done, and its answer lost", "done, and no answer", "not done, and no answer", "slow"}
	for at := time.Now(); h.rng.IntN(6) > 0; {
		at = at.Add(time.Duration(h.rng.Int64N(int64(2 * h.lease))))
		end := at.Add(time.Duration(h.rng.Int64N(int64(h.lease * 9 / 10))))
		all = append(all, outage{at, end, kinds[h.rng.IntN(len(kinds))]})
		at = end.Add(h.lease)
	}
	spoils := ways()
	return &lossy{from: 1, to: math.MaxInt, spoil: func(ctx context.Context, call func() error) error {
		now := time.Now()
		for _, o := range all {
			if now.After(o.from) && now.Before(o.to) {
				return spoils[o.way](ctx, call)
			}
		}
		return call()
	}}
}

func (h *history) handle(t *testing.T) func(context.Context, *rawEvent) error {
	return func(ctx context.Context, e *rawEvent) error {
		record, name := e.ResourceID(), fmt.Sprint(e.Timestamp)
		h.mu.Lock()
		h.inside[record]++
		assert.Equal(t, 1, h.inside[record], "one handler of a record at a time")
		takes := h.takes[record+"/"+name]
		h.mu.Unlock()
		err := backoff.Sleep(ctx, takes)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.inside[record]--
		if err == nil && h.fails[record+"/"+name] > 0 {
			h.fails[record+"/"+name]--
			err = errOwn
		}
		if err == nil {
			h.handled[record] = append(h.handled[record], name)
		}
		return err
	}
}

// run puts up to twelve events, each up to three times, and lets one or two
// receivers work, which stop and go on.
func (h *history) run(t *testing.T) (want map[string][]string) {
	t.Helper()
	known := newDeduplicator(t)
	toQueue, toKnown := h.outages(), h.outages()
	var receivers []*webhook.Receiver
	for range 1 + h.rng.IntN(2) {
		receiver := newReceiver(t, webhook.WithQueue(lossyQueue{h.queue, toQueue}), webhook.WithSerialRecords(), webhook.WithWorkers(1+h.rng.IntN(3)),
			webhook.WithDeduplicator(lossyDeduplicator{known, toKnown}),
			webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 1000, First: time.Second, Max: 10 * time.Second}))
		webhook.OnAny(receiver, h.handle(t))
		receivers = append(receivers, receiver)
	}
	want = map[string][]string{}
	var all sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	for _, receiver := range receivers {
		pauses := []time.Duration{time.Duration(h.rng.Int64N(int64(40 * time.Second))), time.Duration(h.rng.Int64N(int64(10 * time.Second)))}
		all.Go(func() {
			for round := 0; ctx.Err() == nil; round++ {
				until, cancel := ctx, context.CancelFunc(func() {})
				if round < 2 { // Run ends twice
					until, cancel = context.WithTimeout(ctx, pauses[round])
				}
				assert.NoError(t, receiver.Run(until))
				cancel()
			}
		})
	}
	for at := range 1 + h.rng.IntN(4) {
		for record := range 1 + h.rng.IntN(3) {
			id, name := fmt.Sprint(record), fmt.Sprint(20+at)
			h.mu.Lock()
			h.fails[id+"/"+name], h.takes[id+"/"+name] = h.rng.IntN(3)/2, time.Duration(h.rng.Int64N(int64(2*h.lease)))/time.Duration(1+h.rng.IntN(20))
			h.mu.Unlock()
			body := notificationOf("fee.updated", "a", "s", int64(20+at), fmt.Sprintf(`{"id":"%s"}`, id))
			for acknowledged, times := 0, 1+h.rng.IntN(3); acknowledged < times; {
				if serve(receivers[h.rng.IntN(len(receivers))], signed(t, body)).Code == 200 {
					acknowledged++
				} else {
					<-time.After(time.Second)
				}
			}
			want[id] = append(want[id], name)
			<-time.After(time.Duration(h.rng.Int64N(int64(h.lease))))
		}
	}
	for minute := 0; minute == 0 || h.queue.Len() > 0 && minute < 45; minute++ {
		<-time.After(time.Minute)
	}
	stop()
	all.Wait()
	for _, receiver := range receivers {
		require.NoError(t, receiver.Shutdown(t.Context()))
	}
	return want
}

// No process dies, and no store is away for as long as a lease: then nothing is
// lost, handled twice or out of order.
func TestInEveryHistoryEachEventIsHandledOnceAndInOrder(t *testing.T) {
	t.Parallel()
	for seed := range uint64(soak.Times(soak.Least(150), 20_000)) {
		synctest.Test(t, func(t *testing.T) {
			h := &history{
				rng: rand.New(rand.NewPCG(seed, 46)), lease: 15 * time.Second, fails: map[string]int{}, takes: map[string]time.Duration{},
				inside: map[string]int{}, handled: map[string][]string{},
			}
			h.queue = newLapsing(t, h.lease)
			want := h.run(t)
			assert.Equal(t, want, h.handled, "history %d", seed)
			assert.Zero(t, h.queue.Len(), "history %d", seed)
			for _, names := range h.handled {
				assert.True(t, slices.IsSorted(names))
			}
		})
		if t.Failed() {
			return
		}
	}
}

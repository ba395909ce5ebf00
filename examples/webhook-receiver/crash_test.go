package main

import (
	"context"
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var kills = flag.Int("kills", 3, "how often the crash test kills the program")

// backlog hands out the numbers of events. One that was not acknowledged comes
// again, as a service does that does not give up.
type backlog struct {
	mu    sync.Mutex
	count int
	again []int
}

func (b *backlog) next() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if last := len(b.again) - 1; last >= 0 {
		n := b.again[last]
		b.again = b.again[:last]
		return n
	}
	b.count++
	return b.count - 1
}

func (b *backlog) back(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.again = append(b.again, n)
}

// load delivers events until the process is gone, a fifth of them twice.
func (w *world) load(ctx context.Context, t *testing.T, address string, b *backlog) {
	work(func() {
		for ctx.Err() == nil {
			n := b.next()
			if !w.post(t, address, n) {
				b.back(n)
				return
			}
			if rand.IntN(5) == 0 {
				_ = w.post(t, address, n)
			}
		}
	})
}

func TestEveryAcknowledgedEventTakesEffectOnceAlthoughTheProgramIsKilled(t *testing.T) {
	t.Parallel()
	w, b, began := newWorld(t), &backlog{}, time.Now()
	for i := range *kills {
		p := w.launch(t)
		if i%5 == 4 { // while it finds again what it had
			someTime(t.Context(), 300*time.Millisecond)
			p.kill(t)
			continue
		}
		address := p.address(t)
		ctx, cancel := context.WithCancel(t.Context())
		var loading sync.WaitGroup
		loading.Go(func() { w.load(ctx, t, address, b) })
		someTime(ctx, 500*time.Millisecond)
		p.kill(t)
		cancel()
		loading.Wait()
	}
	killing := time.Since(began)

	p := w.launch(t)
	address := p.address(t)
	for len(b.again) > 0 {
		require.True(t, w.deliver(t, address, b.next()))
	}
	db := w.open(t)
	w.await(t, db, b.count)
	require.True(t, w.deliver(t, address, 0), "what took effect long ago")
	p.interrupt(t)
	assert.Contains(t, p.said(), "Found again: ")
	processes := w.check(t, db, b.count)
	assert.NotEmpty(t, processes)
	t.Logf("%d events were acknowledged and took effect once, in %d processes and in spite of %d kills; %v, of which %v with kills",
		b.count, len(processes), *kills, time.Since(began).Round(time.Second), killing.Round(time.Second))
}

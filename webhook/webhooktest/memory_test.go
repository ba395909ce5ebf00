package webhooktest_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/testmain"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/webhooktest"
)

func TestMain(m *testing.M) {
	testmain.WaitTogether()
	goleak.VerifyTestMain(m)
}

// clock is a clock that only the test advances.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// inMemory returns the function that opens a memory store.
func inMemory[S any](as func(*webhook.MemoryStore) S) func(*testing.T, webhooktest.Conditions) webhooktest.Instance[S] {
	return func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[S] {
		clock := &clock{now: time.Now()}
		store, err := webhook.NewMemoryStore(webhook.WithRetention(c.Retention), webhook.WithClock(clock.Now))
		require.NoError(t, err)
		return webhooktest.Instance[S]{Store: as(store), Other: as(store), Wait: clock.Advance}
	}
}

func TestMemoryDeduplicator(t *testing.T) {
	t.Parallel()
	webhooktest.Deduplicator(t, inMemory(func(m *webhook.MemoryStore) webhook.Deduplicator { return m }))
}

func TestMemoryTrackerStore(t *testing.T) {
	t.Parallel()
	webhooktest.TrackerStore(t, inMemory(func(m *webhook.MemoryStore) webhook.TrackerStore { return m }))
}

func TestMemoryQueue(t *testing.T) {
	t.Parallel()
	webhooktest.Queue(t, func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[webhook.Queue] {
		if c.Capacity == 0 {
			c.Capacity = 1000
		}
		queue, err := webhook.NewMemoryQueue(c.Capacity)
		require.NoError(t, err)
		return webhooktest.Instance[webhook.Queue]{Store: queue, Other: queue}
	})
}

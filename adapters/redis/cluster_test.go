package redis_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/internal/sharetest"
	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/webhook"
)

const slots = 16384 // of a cluster

// cluster has three primaries without replicas: if one is down, a third of the
// keys is unavailable.
type cluster struct {
	primaries []*server
	first     *goredis.Client // of the first of them
	client    *goredis.ClusterClient
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{}
	var addresses []string
	for i := range 3 {
		bus := freePort(t)
		s := startServer(t, "--cluster-enabled", "yes", "--cluster-port", bus, "--cluster-require-full-coverage", "no", "--cluster-node-timeout", "600000") // a member must not be considered dead
		node := s.client(t)
		require.NoError(t, node.ClusterAddSlotsRange(t.Context(), i*slots/3, (i+1)*slots/3-1).Err())
		if i == 0 {
			c.first = node
		} else {
			require.NoError(t, c.first.Do(t.Context(), "CLUSTER", "MEET", "127.0.0.1", s.port, bus).Err())
		}
		c.primaries, addresses = append(c.primaries, s), append(addresses, s.address())
	}
	for _, s := range c.primaries {
		c.await(t, s, "cluster_known_nodes:3")
		c.await(t, s, "cluster_slots_ok:16384")
	}
	c.client = goredis.NewClusterClient(&goredis.ClusterOptions{
		Addrs: addresses, ContextTimeoutEnabled: true, DialTimeout: time.Minute, DialerRetries: 1, MaxRedirects: 1,
		ReadTimeout: time.Minute, WriteTimeout: time.Minute, PoolTimeout: time.Minute,
	})
	t.Cleanup(func() { _ = c.client.Close() })
	return c
}

// await waits until the cluster info of a server contains a text.
func (c *cluster) await(t *testing.T, s *server, says string) {
	t.Helper()
	client := s.client(t)
	require.Eventually(t, func() bool {
		info, err := client.ClusterInfo(t.Context()).Result()
		return err == nil && strings.Contains(info, says)
	}, 2*time.Minute, 20*time.Millisecond, says)
}

// livesOn reports whether a key belongs to this primary.
func (c *cluster) livesOn(t *testing.T, primary int, key string) bool {
	t.Helper()
	slot, err := c.first.ClusterKeySlot(t.Context(), key).Result()
	require.NoError(t, err)
	return int(slot) >= primary*slots/3 && int(slot) < (primary+1)*slots/3
}

// effects holds the handled events by identity.
type effects struct {
	mu    sync.Mutex
	times map[string]int
}

func (e *effects) handle(_ context.Context, event *webhook.Event[json.RawMessage]) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.times[event.Identity()]++
	return nil
}

func (e *effects) has(identities []string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, identity := range identities {
		if e.times[identity] == 0 {
			return false
		}
	}
	return true
}

// noting is a queue that records its latest message.
type noting struct {
	*webhook.MemoryQueue
	last string
}

func (q *noting) Put(ctx context.Context, m webhook.Message) error {
	q.last = m.Identity
	return q.MemoryQueue.Put(ctx, m)
}

// runReceiver runs a receiver with a queue and the stores of the cluster until
// the test ends.
func runReceiver(t *testing.T, c *cluster, queue webhook.Queue, handled *effects) *webhook.Receiver {
	t.Helper()
	store, err := redis.NewStore(c.client)
	require.NoError(t, err)
	receiver, err := webhook.NewReceiver(sharetest.ClientID, webhook.Keys(sharetest.Key), webhook.WithQueue(queue),
		webhook.WithDeduplicator(store))
	require.NoError(t, err)
	webhook.OnAny(receiver, handled.handle)
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(t, receiver.Run(context.Background())) })
	t.Cleanup(func() {
		assert.NoError(t, receiver.Shutdown(context.Background()))
		running.Wait()
	})
	return receiver
}

// If one of three primaries is down, events with keys on the others are
// handled; the rest waits until it is up again.
func TestAPrimaryThatIsDownStopsOnlyItsOwnEvents(t *testing.T) {
	t.Parallel()
	c, handled := startCluster(t), &effects{times: map[string]int{}}
	memory, err := webhook.NewMemoryQueue(1000)
	require.NoError(t, err)
	queue := &noting{MemoryQueue: memory}
	receiver := runReceiver(t, c, queue, handled)
	const down = 1
	c.primaries[down].kill()

	signer, err := webhook.NewSigner(sharetest.ClientID, sharetest.Key)
	require.NoError(t, err)
	var alive, waiting []string
	for n := range 300 {
		payload := json.RawMessage(fmt.Sprintf(`{"id":%d}`, n))
		req, err := signer.NewRequest(t.Context(), "/hooks", "matter.updated", payload)
		require.NoError(t, err)
		w := httptest.NewRecorder()
		receiver.ServeHTTP(w, req)
		require.Equal(t, 200, w.Code)
		if c.livesOn(t, down, redis.DefaultPrefix+"event:"+queue.last) {
			waiting = append(waiting, queue.last)
		} else {
			alive = append(alive, queue.last)
		}
	}
	require.Eventually(t, func() bool { return handled.has(alive) }, 5*time.Minute, 20*time.Millisecond)
	require.NotEmpty(t, waiting)
	assert.False(t, handled.has(waiting[:1]), "nobody knows whether it was handled before")

	require.True(t, c.primaries[down].start(t))
	require.Eventually(t, func() bool { return handled.has(waiting) }, 5*time.Minute, 20*time.Millisecond)
	for identity, times := range handled.times {
		assert.Equal(t, 1, times, identity)
	}
	assert.Zero(t, receiver.Stats().DeadLetters)
}

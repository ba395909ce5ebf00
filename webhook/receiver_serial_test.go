package webhook_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// crowd counts the handlers at work, by record.
type crowd struct {
	mu           sync.Mutex
	now          map[string]int
	most, apiece int // at once: of all records, and of one
	handled      int
}

func (c *crowd) handle(_ context.Context, e *rawEvent) error {
	c.add(e, 1)
	<-time.After(time.Second)
	c.add(e, -1)
	return nil
}

func (c *crowd) add(e *rawEvent, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	record := e.ResourceID()
	c.now[record] += n
	all := 0
	for _, count := range c.now {
		all += count
	}
	c.apiece, c.most = max(c.apiece, c.now[record]), max(c.most, all)
	if n > 0 {
		c.handled++
	}
}

// runTogether has receivers handle the events of 4 records, 5 of each, in the order of their times, and tells what they did.
func runTogether(t *testing.T, receivers []*webhook.Receiver) *crowd {
	t.Helper()
	c := &crowd{now: map[string]int{}}
	for at := range 5 {
		for record := range 4 {
			body := notificationOf("fee.updated", "a", "s", int64(20+at), fmt.Sprintf(`{"id":"%d"}`, record))
			require.Equal(t, 200, serve(receivers[0], signed(t, body)).Code)
		}
	}
	var all sync.WaitGroup
	ctx, stop := context.WithCancel(context.Background())
	for _, receiver := range receivers {
		webhook.OnAny(receiver, c.handle)
		all.Go(func() { assert.NoError(t, receiver.Run(ctx)) })
	}
	<-time.After(time.Hour)
	stop()
	all.Wait()
	return c
}

func TestEventsOfOneRecordAreHandledOneAtATime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		processes int
		serial    bool
	}{"one process": {1, true}, "two processes": {2, true}, "without the option": {1, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue, err := webhook.NewMemoryQueue(100)
				require.NoError(t, err)
				seen := newDeduplicator(t)
				var receivers []*webhook.Receiver
				for range test.processes {
					options := []webhook.ReceiverOption{webhook.WithQueue(queue), webhook.WithDeduplicator(seen), webhook.WithWorkers(8)}
					if test.serial {
						options = append(options, webhook.WithSerialRecords())
					}
					receivers = append(receivers, newReceiver(t, options...))
				}
				c := runTogether(t, receivers)
				assert.Equal(t, 20, c.handled)
				assert.Greater(t, c.most, 1, "other records do not wait")
				assert.Equal(t, test.serial, c.apiece == 1)
			})
		})
	}
}

func TestATurnThatIsGivenUpIsNobodys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		receiver := newReceiver(t, webhook.WithSerialRecords(), webhook.WithDeadline(3*time.Second))
		release, called := make(chan struct{}), 0
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
			called++
			<-release
			return nil
		})
		codes := make(chan int, 3)
		for at := range int64(3) {
			req := signed(t, notificationOf("fee.updated", "a", "s", 20+at, `{"id":"1"}`))
			go func() { codes <- serve(receiver, req).Code }()
			synctest.Wait()
		}
		assert.Equal(t, []int{503, 503, 503}, []int{<-codes, <-codes, <-codes}, "the handler outlives its delivery, and the others wait in vain")
		close(release)
		require.NoError(t, receiver.Shutdown(t.Context()))
		assert.Equal(t, 1, called)
		assert.Equal(t, 200, serve(receiver, signed(t, notificationOf("fee.updated", "a", "s", 30, `{"id":"1"}`))).Code)
		assert.Equal(t, 200, serve(receiver, signed(t, notificationOf("error", "a", "s", 30, `{}`))).Code, "an event without a record")
	})
}

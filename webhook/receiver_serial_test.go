package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// crowd counts the concurrent handlers by record.
type crowd struct {
	mu           sync.Mutex
	now          map[string]int
	most, apiece int // maximum concurrency: in total, and for one record
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
	record := strings.ToLower(e.ResourceID())
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

// runTogether lets receivers handle the events of 4 records, 5 of each, in the
// order of their times, and returns what they did. The service varies the case
// of ids.
func runTogether(t *testing.T, receivers []*webhook.Receiver) *crowd {
	t.Helper()
	c := &crowd{now: map[string]int{}}
	for at := range 5 {
		for record := range 4 {
			account, id := "account", fmt.Sprint("record-", record)
			switch at % 3 {
			case 1:
				id = strings.ToUpper(id)
			case 2:
				account = strings.ToUpper(account)
			}
			body := notificationOf("fee.updated", account, "s", int64(20+at), `{"id":"`+id+`"}`)
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
					options := []webhook.Option{webhook.WithQueue(queue), webhook.WithDeduplicator(seen), webhook.WithWorkers(8)}
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

func TestARecordDrainsAtOnceAfterItsFirstEventSucceeds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const followers = 1500
		queue, err := webhook.NewMemoryQueue(2 * followers)
		require.NoError(t, err)
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithSerialRecords(),
			webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 1000, First: time.Second, Max: time.Minute}))
		began, outage := time.Now(), time.Minute
		var handled []int64
		var last time.Duration // after the first event succeeded
		var healed time.Time
		webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
			if e.Timestamp == 1 && time.Since(began) < outage {
				return webhook.RetryAfter(errOwn, time.Second)
			}
			if healed.IsZero() {
				healed = time.Now()
			}
			handled, last = append(handled, int64(e.Timestamp)), time.Since(healed)
			return nil
		})
		for at := range int64(followers + 1) {
			require.Equal(t, 200, serve(receiver, signed(t, notificationOf("fee.updated", "a", "s", 1+at, `{"id":"1"}`))).Code)
		}
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { assert.NoError(t, receiver.Run(ctx)) })
		<-time.After(10 * time.Minute)
		stop()
		all.Wait()
		assert.Len(t, handled, followers+1)
		assert.IsIncreasing(t, handled)
		assert.Less(t, last, time.Second)
	})
}

// The earlier event waits for the end of Run, which also ends the later one.
func TestAnEventThatWaitsForAnEarlierOneIsNotHandledWhenRunEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithSerialRecords(), webhook.WithWorkers(2))
		var at []int64
		webhook.OnAny(q.Receiver, func(ctx context.Context, e *rawEvent) error {
			at = append(at, int64(e.Timestamp))
			<-ctx.Done()
			return ctx.Err()
		})
		for _, ticks := range []int64{20, 21} {
			require.Equal(t, 200, serve(q, signed(t, notificationOf("fee.updated", "a", "s", ticks, `{"id":"1"}`))).Code)
		}
		stop := q.run(t)
		synctest.Wait()
		stop()
		assert.Equal(t, []int64{20}, at)
		assert.Equal(t, 2, q.queue.Len(), "none is lost")
	})
}

// The end of an event wakes up the worker that waits for it.
func TestEventsOfARecordFollowEachOtherWithoutAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue, err := webhook.NewMemoryQueue(100)
		require.NoError(t, err)
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithSerialRecords())
		began, count := time.Now(), 0
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
			<-time.After(time.Millisecond)
			if count++; count == 50 {
				assert.Equal(t, 50*time.Millisecond, time.Since(began))
			}
			return nil
		})
		for at := range 50 {
			require.Equal(t, 200, serve(receiver, signed(t, notificationOf("fee.updated", "a", "s", int64(20+at), `{"id":"1"}`))).Code)
		}
		runWhile(t, receiver, time.Minute)
		assert.Equal(t, 50, count)
	})
}

// diary records the numbers of the handled events by record.
type diary struct {
	mu      sync.Mutex
	numbers map[string][]int64
	tried   map[string]int // by identity
}

func newDiary() *diary { return &diary{numbers: map[string][]int64{}, tried: map[string]int{}} }

func (d *diary) try(e *rawEvent) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tried[e.Identity()]++
	return d.tried[e.Identity()]
}

func (d *diary) write(e *rawEvent) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.numbers[e.ResourceID()] = append(d.numbers[e.ResourceID()], int64(e.Timestamp))
}

func TestTheEventsOfARecordAreHandledInTheOrderInWhichTheyCame(t *testing.T) {
	t.Parallel()
	for name, processes := range map[string]int{"one process": 1, "five processes": 5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue, err := webhook.NewMemoryQueue(1000)
				require.NoError(t, err)
				d := newDiary()
				var receivers []*webhook.Receiver
				for range processes {
					receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithSerialRecords(), webhook.WithWorkers(4))
					webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
						<-time.After(rand.N(100 * time.Millisecond))
						if d.try(e) == 1 && rand.N(20) == 0 {
							return errors.New("some fail at first")
						}
						d.write(e)
						return nil
					})
					receivers = append(receivers, receiver)
				}
				const records, events = 5, 40
				want := map[string][]int64{}
				for at := range int64(events) {
					for record := range records {
						body := notificationOf("fee.updated", "a", "s", 20+at, fmt.Sprintf(`{"id":"%d"}`, record))
						require.Equal(t, 200, serve(receivers[0], signed(t, body)).Code)
						id := fmt.Sprint(record)
						want[id] = append(want[id], 20+at)
					}
				}
				runFor(t, time.Hour, receivers...)
				assert.Equal(t, want, d.numbers)
			})
		})
	}
}

// runFor runs receivers for a while.
func runFor(t *testing.T, long time.Duration, receivers ...*webhook.Receiver) {
	t.Helper()
	var all sync.WaitGroup
	ctx, stop := context.WithCancel(context.Background())
	for _, receiver := range receivers {
		all.Go(func() { assert.NoError(t, receiver.Run(ctx)) })
	}
	<-time.After(long)
	stop()
	all.Wait()
}

// One event fails for some minutes, and many later ones wait for it.
func TestAnEventThatFailsHoldsBackItsRecordOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue, err := webhook.NewMemoryQueue(10_000)
		require.NoError(t, err)
		d, began := newDiary(), time.Now()
		others, late := 0, time.Duration(0)
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithSerialRecords(), webhook.WithWorkers(8),
			webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 8, First: time.Second, Max: time.Minute}))
		webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
			<-time.After(5 * time.Millisecond)
			switch {
			case e.ResourceID() == "bad" && e.Timestamp == 20:
				return errors.New("it fails for ever")
			case e.ResourceID() == "bad":
				d.write(e)
			default:
				d.mu.Lock()
				defer d.mu.Unlock()
				others++
				late = max(late, time.Since(began))
			}
			return nil
		})
		var want []int64
		for at := range int64(200) {
			require.Equal(t, 200, serve(receiver, signed(t, notificationOf("fee.updated", "a", "s", 20+at, `{"id":"bad"}`))).Code)
			require.Equal(t, 200, serve(receiver, signed(t, notificationOf("fee.updated", "a", "s", 20, fmt.Sprintf(`{"id":"%d"}`, at)))).Code)
			if at > 0 {
				want = append(want, 20+at)
			}
		}
		runFor(t, 3*time.Hour, receiver)
		assert.Equal(t, 200, others)
		assert.Less(t, late, 5*time.Second)
		assert.Equal(t, want, d.numbers["bad"])
		assert.EqualValues(t, 1, receiver.Stats().DeadLetters)
		t.Logf("others were done after %v; %d messages were given back", late, receiver.Stats().Retries)
	})
}

func TestAQueueIsDrainedInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue, err := webhook.NewMemoryQueue(1000)
		require.NoError(t, err)
		d := newDiary()
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithSerialRecords())
		webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
			<-time.After(5 * time.Millisecond)
			if e.Timestamp == 20 && d.try(e) < 5 {
				return errors.New("it fails at first")
			}
			d.write(e)
			return nil
		})
		var want []int64
		for at := range int64(200) {
			require.Equal(t, 200, serve(receiver, signed(t, notificationOf("fee.updated", "a", "s", 20+at, `{"id":"1"}`))).Code)
			want = append(want, 20+at)
		}
		runFor(t, 3*time.Second, receiver)
		began := time.Now()
		require.NoError(t, receiver.Shutdown(t.Context()))
		assert.Equal(t, want, d.numbers["1"])
		assert.Less(t, time.Since(began), time.Minute)
		t.Logf("drained in %v", time.Since(began))
	})
}

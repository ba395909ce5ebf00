package nats_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/internal/sharetest"
	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
)

// figures holds the times of messages of a record, of which the first may fail
// for a while.
type figures struct {
	began   time.Time
	mu      sync.Mutex
	healthy bool
	first   time.Time // time when the first one succeeded
	gap     time.Duration
	handled []int
	last    time.Time
	waits   []time.Duration // waits of messages of other records
	all     chan struct{}   // closed when the expected number was handled
	want    int
}

func (f *figures) handle(_ context.Context, e *webhook.Event[json.RawMessage]) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e.ResourceID() != "1" {
		f.waits = append(f.waits, time.Since(f.began)-time.Duration(e.Timestamp)) // which is when it was put
		return nil
	}
	now := time.Now()
	switch number := int(e.Timestamp); {
	case number == 1 && !f.healthy:
		return webhook.RetryAfter(errors.New("it fails"), 100*time.Millisecond)
	case number == 1:
		f.first = now
	case number == 2:
		f.gap = now.Sub(f.first)
	}
	f.handled, f.last = append(f.handled, int(e.Timestamp)), now
	if len(f.handled) == f.want {
		close(f.all)
	}
	return nil
}

func (f *figures) heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.healthy = true
}

// putFigures puts messages of a record.
func putFigures(t *testing.T, queue *nats.Queue, record string, from, messages int) {
	t.Helper()
	for n := range messages {
		body := fmt.Appendf(nil, `{"accountId":"a","type":"matter.updated","timestamp":%d,"payload":{"id":%q}}`, from+n, record)
		m := webhook.Message{Identity: record + "-" + strconv.Itoa(n), Record: record, Received: time.Now(), Body: body}
		require.NoError(t, queue.Put(t.Context(), m))
	}
}

// runFigures runs a receiver without stores until the test ends.
func runFigures(t *testing.T, queue *nats.Queue, f *figures) {
	t.Helper()
	receiver, err := webhook.NewReceiver(sharetest.ClientID, webhook.Keys(sharetest.Key), webhook.WithQueue(queue),
		webhook.WithSerialRecords(), webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 1000, First: time.Second, Max: time.Second}))
	require.NoError(t, err)
	webhook.OnAny(receiver, f.handle)
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(t, receiver.Run(context.Background())) })
	t.Cleanup(func() {
		assert.NoError(t, receiver.Shutdown(context.Background()))
		running.Wait()
	})
}

// drainRecord measures how long the messages after the first one take.
func drainRecord(t *testing.T, fails bool) (took, gap time.Duration) {
	const followers = 1500
	queue := open(t, t.TempDir()).Queue()
	f := &figures{healthy: !fails, all: make(chan struct{}), want: followers + 1}
	putFigures(t, queue, "1", 1, followers+1)
	runFigures(t, queue, f)
	if fails {
		<-time.After(time.Second)
		f.heal()
	}
	<-f.all
	f.mu.Lock()
	defer f.mu.Unlock()
	assert.True(t, slices.IsSorted(f.handled))
	return f.last.Sub(f.first), f.gap
}

func TestARecordDrainsAsFastAsOneThatNeverFailed(t *testing.T) {
	soak.Only(t, "it measures a rate")
	var best, worst time.Duration
	for range 3 { // alternately, so that other load affects both
		failed, gap := drainRecord(t, true)
		never, _ := drainRecord(t, false)
		if t.Logf("1,500 followers: %v after a failure, %v without; the next one began after %v", failed, never, gap); best == 0 || failed < best {
			best = failed
		}
		worst = max(worst, never)
		assert.Less(t, gap, 50*time.Millisecond)
	}
	assert.LessOrEqual(t, float64(best)*0.9, float64(worst))
}

func TestTheNextMessageOfARecordBeginsSoonOnACluster(t *testing.T) {
	soak.Only(t, "it measures a time")
	var urls []string
	for _, m := range startMembers(t) {
		urls = append(urls, m.url)
	}
	queue, other := openServers(t, urls).Queue(), openServers(t, urls).Queue()
	var gaps []time.Duration
	for n := range 10 {
		f := &figures{all: make(chan struct{}), want: 20}
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			putFigures(t, queue, "1", 1, f.want)
			runFigures(t, queue, f)
			runFigures(t, other, f)
			<-time.After(time.Second)
			f.heal()
			<-f.all
		})
		assert.True(t, slices.IsSorted(f.handled))
		gaps = append(gaps, f.gap)
	}
	slices.Sort(gaps)
	t.Logf("the next message of a record began after %v", gaps)
	assert.LessOrEqual(t, gaps[len(gaps)-1], 250*time.Millisecond)
}

func TestAStuckRecordSlowsNoOther(t *testing.T) {
	soak.Only(t, "it measures a time")
	measure := func(stuck int) time.Duration {
		queue := open(t, t.TempDir()).Queue()
		f := &figures{began: time.Now(), all: make(chan struct{}), want: -1}
		putFigures(t, queue, "1", 1, stuck)
		runFigures(t, queue, f)
		const others = 400
		for n := range others {
			putFigures(t, queue, "other-"+strconv.Itoa(n%20), int(time.Since(f.began)), 1)
			<-time.After(5 * time.Millisecond)
		}
		require.Eventually(t, func() bool {
			f.mu.Lock()
			defer f.mu.Unlock()
			return len(f.waits) == others
		}, patient, time.Millisecond)
		f.mu.Lock()
		defer f.mu.Unlock()
		slices.Sort(f.waits)
		return f.waits[others*99/100]
	}
	without, with := measure(0), measure(500)
	t.Logf("99th percentile of the waits of other records: %v, beside one of 500 that is stuck %v", without, with)
	assert.LessOrEqual(t, with, without+100*time.Millisecond)
}

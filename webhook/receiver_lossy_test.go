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

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/webhook"
)

// lossy is the connection to all stores of some receivers. It disturbs some of
// their calls, counted from 1.
type lossy struct {
	from, to int // the calls that are spoilt
	spoil    func(ctx context.Context, call func() error) error

	mu    sync.Mutex
	count int
	names []string // names of the disturbed calls
}

func (l *lossy) call(ctx context.Context, name string, call func() error) error {
	l.mu.Lock()
	l.count++
	spoilt := l.count >= l.from && l.count <= l.to
	if spoilt {
		l.names = append(l.names, name)
	}
	l.mu.Unlock()
	if spoilt {
		return l.spoil(ctx, call)
	}
	return call()
}

type lossyDeduplicator struct {
	webhook.Deduplicator
	line *lossy
}

func (d lossyDeduplicator) Claim(ctx context.Context, key, owner string, lease time.Duration) (claim webhook.Claim, err error) {
	err = d.line.call(ctx, "Claim", func() (err error) {
		claim, err = d.Deduplicator.Claim(ctx, key, owner, lease)
		return err
	})
	return claim, err
}

func (d lossyDeduplicator) Commit(ctx context.Context, key string) error {
	return d.line.call(ctx, "Commit", func() error { return d.Deduplicator.Commit(ctx, key) })
}

func (d lossyDeduplicator) Release(ctx context.Context, key, owner string) error {
	return d.line.call(ctx, "Release", func() error { return d.Deduplicator.Release(ctx, key, owner) })
}

type lossyTrackerStore struct {
	webhook.TrackerStore
	line *lossy
}

func (s lossyTrackerStore) Record(ctx context.Context, key string, failure webhook.WriteError) error {
	return s.line.call(ctx, "Record", func() error { return s.TrackerStore.Record(ctx, key, failure) })
}

type lossyQueue struct {
	webhook.Queue
	line *lossy
}

func (q lossyQueue) Put(ctx context.Context, m webhook.Message) error {
	return q.line.call(ctx, "Put", func() error { return q.Queue.Put(ctx, m) })
}

func (q lossyQueue) Take(ctx context.Context) (webhook.Job, error) {
	job, err := q.Queue.Take(ctx)
	if err != nil {
		return nil, err
	}
	// A lost response leaves the message leased without a worker. A queue
	// limits the time of a request itself.
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	if err := q.line.call(ctx, "Take", func() error { return nil }); err != nil {
		return nil, err
	}
	return lossyJob{job, q.line}, nil
}

type lossyJob struct {
	webhook.Job
	line *lossy
}

func (j lossyJob) Extend(ctx context.Context) error {
	return j.line.call(ctx, "Extend", func() error { return j.Job.Extend(ctx) })
}

func (j lossyJob) Done(ctx context.Context) error {
	return j.line.call(ctx, "Done", func() error { return j.Job.Done(ctx) })
}

func (j lossyJob) Retry(ctx context.Context, after time.Duration) error {
	return j.line.call(ctx, "Retry", func() error { return j.Job.Retry(ctx, after) })
}

func (j lossyJob) Return(ctx context.Context, after time.Duration) error {
	return j.line.call(ctx, "Return", func() error { return j.Job.Return(ctx, after) })
}

// ways returns the ways in which a call of a store can fail.
func ways() map[string]func(ctx context.Context, call func() error) error {
	return map[string]func(ctx context.Context, call func() error) error{
		"refused":                   func(context.Context, func() error) error { return errDown },
		"done, and its answer lost": func(_ context.Context, call func() error) error { _ = call(); return errDown },
		"done, and no answer":       func(ctx context.Context, call func() error) error { _ = call(); <-ctx.Done(); return ctx.Err() },
		"not done, and no answer":   func(ctx context.Context, _ func() error) error { <-ctx.Done(); return ctx.Err() },
		"slow":                      func(_ context.Context, call func() error) error { <-time.After(1500 * time.Millisecond); return call() },
		"done when nobody waits":    func(_ context.Context, call func() error) error { <-time.After(20 * time.Second); return call() },
	}
}

// works simulates two processes with the events of four records, whose stores
// share one connection.
type works struct {
	line  *lossy
	queue *lapsing
	began time.Time

	mu      sync.Mutex
	failed  bool
	effects map[string][]string // of each record
	last    time.Duration       // time of the last effect since the beginning
}

// handle takes longer than the lease for one event, and fails at first for
// another.
func (w *works) handle(ctx context.Context, e *rawEvent) error {
	name, takes := fmt.Sprint(e.ResourceID(), "/", e.Timestamp), 50*time.Millisecond
	if name == "1/21" {
		takes = 6 * time.Second
	}
	if err := backoff.Sleep(ctx, takes); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if name == "2/20" && !w.failed {
		w.failed = true
		return errOwn
	}
	w.effects[e.ResourceID()] = append(w.effects[e.ResourceID()], name)
	w.last = time.Since(w.began)
	return nil
}

func (w *works) receiver(t *testing.T, known webhook.Deduplicator, writes webhook.TrackerStore) *webhook.Receiver {
	t.Helper()
	receiver := newReceiver(t, webhook.WithQueue(lossyQueue{w.queue, w.line}), webhook.WithWorkers(2), webhook.WithSerialRecords(),
		webhook.WithDeduplicator(lossyDeduplicator{known, w.line}),
		webhook.WithTracker(newTracker(t, lossyTrackerStore{writes, w.line})))
	webhook.OnAny(receiver, w.handle)
	return receiver
}

// workThrough delivers two events of each record, each of them twice, and
// repeats each delivery until it is acknowledged.
func workThrough(t *testing.T, line *lossy) *works {
	t.Helper()
	w := &works{line: line, queue: newLapsing(t, 4*time.Second), began: time.Now(), effects: map[string][]string{}}
	writes, err := webhook.NewMemoryStore()
	require.NoError(t, err)
	known := newDeduplicator(t)
	receivers := []*webhook.Receiver{w.receiver(t, known, writes), w.receiver(t, known, writes)}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	for _, receiver := range receivers {
		all.Go(func() { assert.NoError(t, receiver.Run(ctx)) })
	}
	for at := range 2 {
		for record := range 4 {
			body := notificationOf("fee.updated", "a", "s", int64(20+at), fmt.Sprintf(`{"id":"%d"}`, record))
			for acknowledged := 0; acknowledged < 2; {
				if serve(receivers[record%2], signed(t, body)).Code == 200 {
					acknowledged++
				}
			}
		}
	}
	for minute := 0; minute == 0 || w.queue.Len() > 0 && minute < 5; minute++ {
		<-time.After(time.Minute)
	}
	stop()
	all.Wait()
	for _, receiver := range receivers {
		require.NoError(t, receiver.Shutdown(t.Context()))
	}
	return w
}

// A lost response of a store loses no event, causes no effect twice or out of
// order, and delays nothing.
func TestALostAnswerOfAStoreDoesNoHarm(t *testing.T) {
	t.Parallel()
	const (
		undisturbed = 8 * time.Second
		lease       = 4 * time.Second
		alone       = 10 * time.Second // maximum for a message that may have crashed its worker
	)
	for name, spoil := range ways() {
		for _, inARow := range []int{1, 4} {
			t.Run(fmt.Sprint(name, ", in a row: ", inARow), func(t *testing.T) {
				t.Parallel()
				for from, calls := 1, 1; from <= calls; from += max(inARow, 2) {
					synctest.Test(t, func(t *testing.T) {
						line := &lossy{from: from, to: from + inARow - 1, spoil: spoil}
						w := workThrough(t, line)
						calls = line.count
						assert.Equal(t, map[string][]string{
							"0": {"0/20", "0/21"}, "1": {"1/20", "1/21"}, "2": {"2/20", "2/21"}, "3": {"3/20", "3/21"},
						}, w.effects, line.names)
						assert.LessOrEqual(t, w.last, undisturbed+lease+alone+time.Duration(inARow)*webhook.DefaultDeadline, line.names)
						assert.Zero(t, w.queue.Len(), line.names)
					})
				}
			})
		}
	}
}

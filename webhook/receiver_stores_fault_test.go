package webhook_test

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// faulty implements every store, with a fault in its first calls.
type faulty struct {
	fault func() error
	left  atomic.Int32 // calls with the fault
}

func (f *faulty) call() error {
	if f.left.Add(-1) >= 0 {
		return f.fault()
	}
	return nil
}

func (f *faulty) Claim(context.Context, string, string, time.Duration) (webhook.Claim, error) {
	return webhook.ClaimNew, f.call()
}
func (f *faulty) Commit(context.Context, string) error                     { return f.call() }
func (f *faulty) Release(context.Context, string, string) error            { return f.call() }
func (f *faulty) Register(context.Context, string) error                   { return f.call() }
func (f *faulty) Record(context.Context, string, webhook.WriteError) error { return f.call() }
func (f *faulty) Load(context.Context, string) (*webhook.WriteError, error) {
	return nil, f.call()
}

// faultyQueue has a fault in the first calls of one of its methods.
type faultyQueue struct {
	*webhook.MemoryQueue
	*faulty
	method string
}

func (q *faultyQueue) Put(ctx context.Context, m webhook.Message) error {
	if q.method == "Put" {
		if err := q.call(); err != nil {
			return err
		}
	}
	return q.MemoryQueue.Put(ctx, m)
}

func (q *faultyQueue) Take(ctx context.Context) (webhook.Job, error) {
	if q.method == "Take" {
		if err := q.call(); err != nil {
			return nil, err
		}
	}
	job, err := q.MemoryQueue.Take(ctx)
	return faultyJob{job, q}, err
}

type faultyJob struct {
	webhook.Job
	queue *faultyQueue
}

// only is for methods without an error, in which only a panic is possible.
func (j faultyJob) only(method string) {
	if j.queue.method == method {
		_ = j.queue.call()
	}
}

func (j faultyJob) ID() string               { j.only("ID"); return j.Job.ID() }
func (j faultyJob) Message() webhook.Message { j.only("Message"); return j.Job.Message() }
func (j faultyJob) Attempt() int             { j.only("Attempt"); return j.Job.Attempt() }
func (j faultyJob) Returned() int            { j.only("Returned"); return j.Job.Returned() }
func (j faultyJob) Lapsed() int              { j.only("Lapsed"); return j.Job.Lapsed() }
func (j faultyJob) Lease() time.Duration     { j.only("Lease"); return j.Job.Lease() }

// faults returns the ways in which a call of a store can fail like a handler.
func faults() map[string]func() error {
	return map[string]func() error{
		"panics":                            func() error { panic("nil map") },
		"panics with an error of handlers":  func() error { panic(fmt.Errorf("%w: %w", webhook.ErrHandler, errOwn)) },
		"ends its goroutine":                func() error { runtime.Goexit(); return nil },
		"returns an error of handlers":      func() error { return fmt.Errorf("%w: %w", webhook.ErrHandler, errOwn) },
		"returns that there is no use":      func() error { return webhook.Permanent(webhook.ErrHandler) },
		"returns that the time was over":    func() error { return fmt.Errorf("%w: %w", webhook.ErrUnfinished, errOwn) },
		"returns that a message is no good": func() error { return webhook.ErrMalformed },
	}
}

func faultyStore(t *testing.T, fault func() error, calls int32) map[string][]webhook.Option {
	t.Helper()
	f := func() *faulty {
		s := &faulty{fault: fault}
		s.left.Store(calls)
		return s
	}
	tracker := func(s *faulty) webhook.Option { return webhook.WithTracker(newTracker(t, s)) }
	all := f()
	return map[string][]webhook.Option{
		"the deduplicator": {webhook.WithDeduplicator(f())}, "the tracker": {tracker(f())},
		"each of them": {webhook.WithDeduplicator(all), tracker(all)},
	}
}

// forEveryFault runs a test for each store and each fault in a number of its
// calls.
func forEveryFault(t *testing.T, calls int32, test func(t *testing.T, options []webhook.Option)) {
	t.Helper()
	for does, fault := range faults() {
		for name := range faultyStore(t, fault, calls) {
			t.Run(name+" "+does, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { test(t, faultyStore(t, fault, calls)[name]) })
			})
		}
	}
}

func requireStoreErrors(t *testing.T, reported []*webhook.DeliveryError) {
	t.Helper()
	require.NotEmpty(t, reported)
	for _, err := range reported {
		require.ErrorIs(t, err, webhook.ErrStore)
	}
}

func TestAFaultOfAStoreCostsARequestNoMoreThanItsRefusal(t *testing.T) {
	t.Parallel()
	forEveryFault(t, 100, func(t *testing.T, options []webhook.Option) {
		var reported []*webhook.DeliveryError
		receiver := newReceiver(t, append(options, failures(&reported))...)
		events := handleRest(receiver)
		serve(receiver, signed(t, sample(t, "error")))
		assert.Len(t, *events, 1, "it is handled all the same")
		require.NoError(t, receiver.Shutdown(t.Context()))
		requireStoreErrors(t, reported)
		assert.Zero(t, receiver.Stats().Failed)
	})
}

func TestAFaultOfAStoreIsNoAttemptOfAMessage(t *testing.T) {
	t.Parallel()
	forEveryFault(t, 7, func(t *testing.T, options []webhook.Option) {
		q := newQueued(t, append(options, webhook.WithSerialRecords(), webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 1, First: 1, Max: 1}))...)
		var attempts []int
		webhook.OnAny(q.Receiver, func(_ context.Context, e *rawEvent) error { attempts = append(attempts, e.Attempt); return nil })
		q.run(t)
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		<-time.After(10 * time.Minute)
		synctest.Wait()
		assert.Equal(t, []int{1}, attempts)
		requireStoreErrors(t, q.reported)
		assert.Empty(t, q.deadLetters(t))
		assert.Zero(t, q.queue.Len())
		assert.Zero(t, q.Stats().Failed)
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

func TestAFaultOfAQueueIsNoAttemptOfAMessage(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"Put", "Take", "ID", "Message", "Attempt", "Returned", "Lapsed", "Lease"} {
		for does, fault := range faults() {
			t.Run(method+" "+does, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					memory, err := webhook.NewMemoryQueue(10)
					require.NoError(t, err)
					queue := &faultyQueue{memory, &faulty{fault: fault}, method}
					queue.left.Store(3)
					q := newQueued(t, webhook.WithQueue(queue), webhook.WithSerialRecords(), webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 1, First: 1, Max: 1}))
					q.queue = memory
					events := handleRest(q.Receiver)
					q.run(t)
					for at := 0; serve(q, signed(t, notificationOf("fee.updated", "a", "s", int64(sentTicks), `{"id":"1"}`))).Code != 200; at++ {
						require.Less(t, at, 3)
					}
					<-time.After(10 * time.Minute)
					synctest.Wait()
					assert.Len(t, *events, 1)
					assert.Empty(t, q.deadLetters(t))
					assert.Zero(t, memory.Len())
					assert.Zero(t, q.Refusals()[webhook.ErrHandler])
					for _, err := range q.reported {
						require.ErrorIs(t, err, webhook.ErrStore)
					}
					require.NoError(t, q.Shutdown(t.Context()))
				})
			})
		}
	}
}

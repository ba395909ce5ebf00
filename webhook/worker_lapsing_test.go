package webhook_test

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/webhook"
)

// lapsing is a queue whose leases expire, like those of a remote server. A
// worker may be cut off from it.
type lapsing struct {
	*webhook.MemoryQueue
	lease time.Duration

	mu     sync.Mutex
	cut    bool           // workers with a message cannot reach the queue
	hangs  bool           // without an error to the worker
	stops  time.Duration  // time for which the process is suspended after it took the next message
	lapsed map[string]int // by the id of the message
}

func newLapsing(t *testing.T, lease time.Duration) *lapsing {
	t.Helper()
	memory, err := webhook.NewMemoryQueue(1000)
	require.NoError(t, err)
	return &lapsing{MemoryQueue: memory, lease: lease, lapsed: map[string]int{}}
}

func (q *lapsing) Take(ctx context.Context) (webhook.Job, error) {
	job, err := q.MemoryQueue.Take(ctx)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	j := &lapsingJob{Job: job, queue: q, lapsed: q.lapsed[job.ID()]}
	j.timer = time.AfterFunc(q.lease, j.lapse)
	return j, nil
}

func (q *lapsing) cutOff(cut bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cut = cut
}

type lapsingJob struct {
	webhook.Job
	queue  *lapsing
	lapsed int
	timer  *time.Timer
}

func (j *lapsingJob) Lease() time.Duration {
	j.queue.mu.Lock()
	stops := j.queue.stops
	j.queue.stops = 0
	j.queue.mu.Unlock()
	_ = backoff.Sleep(context.Background(), stops)
	return j.queue.lease
}
func (j *lapsingJob) Lapsed() int   { return j.lapsed }
func (j *lapsingJob) Returned() int { return j.Job.Returned() - j.lapsed }

// hasLapsed returns how often each message has lapsed.
func (q *lapsing) hasLapsed() map[string]int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return maps.Clone(q.lapsed)
}

func (j *lapsingJob) lapse() {
	j.queue.mu.Lock()
	j.queue.lapsed[j.ID()]++
	j.queue.mu.Unlock()
	_ = j.Job.Return(context.Background(), 0)
}

// reach fails or hangs while the queue is unreachable.
func (j *lapsingJob) reach(ctx context.Context) error {
	j.queue.mu.Lock()
	cut, hangs := j.queue.cut, j.queue.hangs
	j.queue.mu.Unlock()
	if cut && hangs {
		<-ctx.Done()
	}
	if cut {
		return errDown
	}
	return nil
}

func (j *lapsingJob) end(ctx context.Context, how func() error) error {
	if err := j.reach(ctx); err != nil {
		return err
	}
	j.timer.Stop()
	return how()
}

func (j *lapsingJob) Extend(ctx context.Context) error {
	if err := j.reach(ctx); err != nil {
		return err
	}
	if j.timer.Stop() { // an ended or lapsed lease stays so
		j.timer.Reset(j.queue.lease)
	}
	return j.Job.Extend(ctx)
}

func (j *lapsingJob) Done(ctx context.Context) error {
	return j.end(ctx, func() error { return j.Job.Done(ctx) })
}

func (j *lapsingJob) Retry(ctx context.Context, after time.Duration) error {
	return j.end(ctx, func() error { return j.Job.Retry(ctx, after) })
}

func (j *lapsingJob) Return(ctx context.Context, after time.Duration) error {
	return j.end(ctx, func() error { return j.Job.Return(ctx, after) })
}

func (j *lapsingJob) DeadLetter(ctx context.Context, reason string) error {
	return j.end(ctx, func() error { return j.Job.DeadLetter(ctx, reason) })
}

// runWhile runs the receiver for a duration.
func runWhile(t *testing.T, receiver *webhook.Receiver, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	require.NoError(t, receiver.Run(ctx))
}

func putEvents(t *testing.T, receiver *webhook.Receiver, count int) {
	t.Helper()
	for i := range count {
		body := notificationOf("contact.updated", "a", "s", int64(sentTicks), fmt.Sprintf(`{"id":"%d"}`, i))
		require.Equal(t, 200, serve(receiver, signed(t, body)).Code)
	}
}

// tally counts the calls of handlers by event.
type tally struct {
	mu sync.Mutex
	by map[string]int
}

func (h *tally) note(_ context.Context, e *rawEvent) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.by == nil {
		h.by = map[string]int{}
	}
	h.by[e.Identity()]++
	return nil
}

func (h *tally) times() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.by)
}

// messageIDs takes all messages and returns them to the queue.
func messageIDs(t *testing.T, queue *lapsing) (ids []string) {
	t.Helper()
	var jobs []webhook.Job
	for range queue.Len() {
		job, err := queue.MemoryQueue.Take(t.Context())
		require.NoError(t, err)
		jobs = append(jobs, job)
	}
	for _, job := range jobs {
		ids = append(ids, job.ID())
		require.NoError(t, job.Return(t.Context(), 0))
	}
	return ids
}

package webhooktest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

func fullRefuses(t *testing.T, q queueTest) {
	q.put(t, 1, 2, 3)
	job := q.take(t, q.Store) // a leased message occupies capacity
	for _, queue := range []webhook.Queue{q.Store, q.Other} {
		if err := queue.Put(context.Background(), message(4)); !errors.Is(err, webhook.ErrQueueFull) {
			t.Errorf("want ErrQueueFull, got %v", err)
		}
	}
	q.done(t, job)
	q.eventually(t, "room in the queue", func() bool {
		return q.Other.Put(context.Background(), message(4)) == nil
	})
	for range 3 {
		q.done(t, q.take(t, q.Other))
	}
}

// sharedWork checks that no two workers have a message at the same time and
// that none is lost, even if some are retried.
func sharedWork(t *testing.T, q queueTest) {
	const messages, workers = 120, 6
	for n := range messages {
		q.put(t, n)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w := &work{held: map[string]bool{}, done: map[string]bool{}, finished: cancel, goal: messages}
	var all sync.WaitGroup
	for i := range workers {
		queue := q.Store
		if i%2 == 1 {
			queue = q.Other
		}
		all.Go(func() {
			for ctx.Err() == nil {
				if job, err := queue.Take(ctx); err == nil {
					w.process(t, job)
				} else if ctx.Err() == nil {
					t.Errorf("take: %v", err)
				}
			}
		})
	}
	all.Wait()
	equal(t, messages, len(w.done), "messages that were done")
}

type work struct {
	mu       sync.Mutex
	held     map[string]bool
	done     map[string]bool
	goal     int
	finished func()
}

func (w *work) process(t *testing.T, job webhook.Job) {
	identity := job.Message().Identity
	w.mu.Lock()
	if w.held[identity] || w.done[identity] {
		t.Errorf("message %s was delivered again", identity[60:])
	}
	w.held[identity] = true
	w.mu.Unlock()

	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.held, identity)
	if job.Attempt() == 1 && identity[63] == '5' {
		if err := job.Retry(context.Background(), 0); err != nil {
			t.Errorf("retry: %v", err)
		}
		return
	}
	if err := job.Done(context.Background()); err != nil {
		t.Errorf("done: %v", err)
	}
	w.done[identity] = true
	if len(w.done) == w.goal {
		w.finished()
	}
}

// recordsInOrder checks that a message is not leased while an earlier one of
// its record is leased or waits for its next attempt.
func recordsInOrder(t *testing.T, q queueTest) {
	ctx := context.Background()
	q.put(t, 1, 2, 3, 5) // one belongs to another record
	first, other := q.take(t, q.Store), q.take(t, q.Other)
	sameMessage(t, message(1), first.Message())
	sameMessage(t, message(2), other.Message())
	q.done(t, other)
	q.nothing(t, q.Other)
	noError(t, first.Retry(ctx, short*2))
	q.nothing(t, q.Other)
	first = q.take(t, q.Other)
	sameMessage(t, message(1), first.Message())
	equal(t, 2, first.Attempt(), "attempt")
	noError(t, first.Return(ctx, 0))
	first = q.take(t, q.Store)
	equal(t, 1, first.Returned(), "returned")
	noError(t, first.DeadLetter(ctx, "a reason"))
	began := time.Now()
	second := q.take(t, q.Store)
	sameMessage(t, message(3), second.Message())
	equal(t, 1, second.Attempt(), "attempt of the next")
	equal(t, 0, second.Returned()+second.Lapsed(), "leases of the next")
	if waited := time.Since(began); waited > unhurried {
		t.Errorf("the next message was delivered after %v", waited)
	}
	noError(t, q.Store.Replay(ctx, q.dead(t, q.Store)[0].ID))
	q.done(t, second)
	for _, n := range []int{5, 1} { // the replayed message is last in its record
		job := q.take(t, q.Other)
		sameMessage(t, message(n), job.Message())
		q.nothing(t, q.Store)
		q.done(t, job)
	}
	q.put(t, 7) // its record was empty before
	q.done(t, q.take(t, q.Store))
	for _, n := range []int{9, 11} {
		m := message(n)
		m.Record = ""
		noError(t, q.Store.Put(ctx, m))
	}
	one, two := q.take(t, q.Store), q.take(t, q.Other) // messages without a record are not ordered
	q.done(t, two)
	q.done(t, one)
}

// recordsShared checks the order under concurrent Put and Take, when some
// messages fail at first.
func recordsShared(t *testing.T, q queueTest) {
	const messages, workers = 80, 4
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	done, last := 0, map[string]time.Time{}
	for i := range workers {
		queue := []webhook.Queue{q.Store, q.Other}[i%2]
		all.Go(func() {
			for ctx.Err() == nil {
				job, err := queue.Take(ctx)
				if err != nil {
					continue
				}
				m := job.Message()
				mu.Lock()
				failed := job.Attempt() == 1 && m.Identity[63] == '5'
				if !failed {
					if !m.Received.After(last[m.Record]) {
						t.Errorf("message %s was delivered too late", m.Identity[60:])
					}
					last[m.Record] = m.Received
					done++
				}
				over := done == messages
				mu.Unlock()
				if failed {
					noError(t, job.Retry(context.Background(), short/20))
				} else {
					q.done(t, job)
				}
				if over {
					cancel()
				}
			}
		})
	}
	for n := range messages {
		q.put(t, n)
	}
	all.Wait()
	equal(t, messages, done, "messages that were done")
}

func leaseLapses(t *testing.T, q queueTest) {
	q.put(t, 1)
	job := q.take(t, q.Store)
	if job.Lease() == 0 {
		q.nothing(t, q.Other) // the lease does not expire: the worker lives as long as the queue
		return
	}
	again := q.take(t, q.Other)
	sameMessage(t, message(1), again.Message())
	equal(t, 1, again.Attempt(), "attempt") // a lapsed lease is not an attempt
	equal(t, 1, again.Lapsed(), "lapsed")
	equal(t, 0, again.Returned(), "returned")
	equal(t, job.ID(), again.ID(), "id")
	ctx := context.Background()
	for _, late := range []func() error{ // which the queue may refuse or ignore
		func() error { return job.Extend(ctx) }, func() error { return job.Retry(ctx, 0) }, func() error { return job.Return(ctx, 0) },
		func() error { return job.DeadLetter(ctx, "late") }, func() error { return job.Done(ctx) },
	} {
		_ = late()
	}
	q.nothing(t, q.Other)
	equal(t, 0, len(q.dead(t, q.Store)), "dead letters")
	noError(t, again.Return(ctx, 0)) // it still holds the message
	again = q.take(t, q.Store)
	equal(t, 1, again.Attempt(), "attempt")
	equal(t, 1, again.Returned(), "returned")
	q.done(t, again)
	q.nothing(t, q.Store)
}

func leaseExtended(t *testing.T, q queueTest) {
	q.put(t, 1)
	job := q.take(t, q.Store)
	if job.Lease() == 0 {
		noError(t, job.Extend(context.Background()))
		q.nothing(t, q.Other) // the lease does not expire: the worker lives as long as the queue
		return
	}
	var extended time.Time
	for range 2 {
		<-time.After(unhurried / 4)
		extended = time.Now()
		noError(t, job.Extend(context.Background()))
	}
	again := q.take(t, q.Other)
	if lasted := time.Since(extended); lasted < unhurried*9/10 {
		t.Errorf("the message was delivered again %v after its lease was extended", lasted)
	}
	q.done(t, again)
}

func (q queueTest) dead(t *testing.T, queue webhook.Queue) []webhook.DeadLetter {
	t.Helper()
	var all []webhook.DeadLetter
	for letter, err := range queue.DeadLetters(context.Background()) {
		noError(t, err)
		all = append(all, letter)
	}
	return all
}

func (q queueTest) deadLetter(t *testing.T, n int, reason string) {
	t.Helper()
	q.put(t, n)
	noError(t, q.take(t, q.Store).DeadLetter(context.Background(), reason))
}

func deadLettersListed(t *testing.T, q queueTest) {
	equal(t, 0, len(q.dead(t, q.Store)), "dead letters")
	began := time.Now()
	q.put(t, 1)
	noError(t, q.take(t, q.Store).Retry(context.Background(), 0))
	noError(t, q.take(t, q.Store).DeadLetter(context.Background(), "a reason: \"é\"\n"))
	q.deadLetter(t, 2, "")
	q.nothing(t, q.Other)
	for _, queue := range []webhook.Queue{q.Store, q.Other} {
		all := q.dead(t, queue)
		if len(all) != 2 {
			t.Fatalf("%d dead letters instead of 2", len(all))
		}
		for i, want := range []struct {
			attempts int
			reason   string
		}{{2, "a reason: \"é\"\n"}, {1, ""}} {
			sameMessage(t, message(i+1), all[i].Message)
			equal(t, want.attempts, all[i].Attempts, "attempts")
			equal(t, want.reason, all[i].Reason, "reason")
			if at := all[i].At; at.Before(began.Add(-time.Second)) || at.After(time.Now().Add(time.Second)) {
				t.Errorf("dead letter since %v", at)
			}
		}
		if all[0].ID == all[1].ID {
			t.Errorf("both dead letters have the id %q", all[0].ID)
		}
	}
	for _, err := range q.Store.DeadLetters(context.Background()) {
		noError(t, err)
		break // stopping the iteration early is allowed
	}
}

func replayed(t *testing.T, q queueTest) {
	q.put(t, 1)
	noError(t, q.take(t, q.Store).Retry(context.Background(), 0)) // so that it has attempts to lose
	noError(t, q.take(t, q.Store).DeadLetter(context.Background(), "first"))
	q.deadLetter(t, 2, "second")
	noError(t, q.Other.Replay(context.Background(), q.dead(t, q.Other)[0].ID))
	job := q.take(t, q.Store)
	sameMessage(t, message(1), job.Message())
	equal(t, 1, job.Attempt(), "attempt")
	left := q.dead(t, q.Store)
	equal(t, 1, len(left), "dead letters")
	noError(t, job.DeadLetter(context.Background(), "again"))
	equal(t, 2, len(q.dead(t, q.Store)), "dead letters")
	q.nothing(t, q.Store)
}

func discarded(t *testing.T, q queueTest) {
	q.deadLetter(t, 1, "first")
	q.deadLetter(t, 2, "second")
	noError(t, q.Other.Discard(context.Background(), q.dead(t, q.Other)[0].ID))
	left := q.dead(t, q.Store)
	equal(t, 1, len(left), "dead letters")
	equal(t, "second", left[0].Reason, "reason")
	q.nothing(t, q.Store)
}

func noDeadLetter(t *testing.T, q queueTest) {
	q.deadLetter(t, 1, "first")
	id := q.dead(t, q.Store)[0].ID
	noError(t, q.Store.Discard(context.Background(), id))
	for _, id := range []string{id, "", "no-such-id", "../1", "1 2"} {
		for name, end := range map[string]func(context.Context, string) error{"replay": q.Store.Replay, "discard": q.Other.Discard} {
			if err := end(context.Background(), id); !errors.Is(err, webhook.ErrNoDeadLetter) {
				t.Errorf("%s of %q: want ErrNoDeadLetter, got %v", name, id, err)
			}
		}
	}
}

func survives(t *testing.T, q queueTest) {
	if q.Reopen == nil {
		if !q.Store.Drain() {
			t.Error("a queue that does not survive its process must be drained")
		}
		return
	}
	q.deadLetter(t, 1, "dead")
	q.put(t, 2, 3, 4)
	done := q.take(t, q.Store)
	q.done(t, done)
	held := q.take(t, q.Store) // its worker dies with the process
	queue := q.Reopen()
	lapsed := map[string]int{}
	for range 2 {
		job := q.take(t, queue)
		lapsed[job.Message().Identity] = job.Lapsed() + 1
		q.done(t, job)
	}
	equal(t, 2, lapsed[held.Message().Identity], "leases of the message whose worker died")
	equal(t, 0, lapsed[done.Message().Identity], "leases of the message that was done")
	letters := q.dead(t, queue)
	equal(t, 1, len(letters), "dead letters")
	sameMessage(t, message(1), letters[0].Message)
}

func drained(t *testing.T, q queueTest) {
	queue := q.Store
	q.put(t, 1, 2)
	leased := q.take(t, queue)
	noError(t, q.take(t, queue).Retry(context.Background(), time.Hour))
	if !queue.Drain() {
		q.done(t, leased)
		q.put(t, 3) // a queue that survives its process goes on
		q.done(t, q.take(t, queue))
		return
	}
	if err := queue.Put(context.Background(), message(3)); !errors.Is(err, webhook.ErrQueueClosed) {
		t.Errorf("put: want ErrQueueClosed, got %v", err)
	}
	q.done(t, q.take(t, queue)) // due at once
	q.nothing(t, queue)         // the other message is leased and may be returned
	noError(t, leased.Retry(context.Background(), time.Hour))
	q.done(t, q.take(t, queue))
	if _, err := queue.Take(context.Background()); !errors.Is(err, webhook.ErrQueueClosed) {
		t.Errorf("take: want ErrQueueClosed, got %v", err)
	}
}

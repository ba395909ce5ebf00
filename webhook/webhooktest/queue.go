package webhooktest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

type queueTest struct {
	Instance[webhook.Queue]
}

// Queue tests an implementation of [webhook.Queue]. The tests wait in real
// time.
func Queue(t *testing.T, open func(*testing.T, Conditions) Instance[webhook.Queue]) {
	s := suite[webhook.Queue]{t, open}
	run := func(rule string, c Conditions, test func(*testing.T, queueTest)) {
		s.run(rule, c, func(t *testing.T, i Instance[webhook.Queue]) { test(t, queueTest{i}) })
	}
	run("a message is returned unchanged", usual(), messageIntact)
	run("the backlog is measured", usual(), backlogMeasured)
	run("a worker waits for a message", usual(), takeWaits)
	run("a worker stops waiting with its context", usual(), takeEnds)
	run("no other worker gets a leased message", usual(), leasedIsHeld)
	run("a message that is done is not delivered again", usual(), doneIsGone)
	run("a retried message is delivered again later", usual(), retriedLater)
	run("returning a message does not count as an attempt", usual(), returnedLater)
	run("a job whose lease has ended has no effect", usual(), endedLease)
	run("a record's messages are delivered one at a time and in order", usual(), recordsInOrder)
	run("many workers share a record's messages without a pause", usual(), recordsShared)
	run("messages have different ids", usual(), idsDiffer)
	run("a full queue rejects messages", Conditions{Retention: time.Hour, Lease: time.Minute, Capacity: 3}, fullRefuses)
	run("each message is handled by one of many workers", usual(), sharedWork)
	run("after a lease ends, another worker gets the message", Conditions{Retention: time.Hour, Lease: unhurried}, leaseLapses)
	run("an extended lease lasts", Conditions{Retention: time.Hour, Lease: unhurried}, leaseExtended)
	run("dead letters are listed", usual(), deadLettersListed)
	run("a dead letter is replayed as if it were new", usual(), replayed)
	run("a discarded dead letter does not return", usual(), discarded)
	run("an unknown dead letter is reported", usual(), noDeadLetter)
	run("stored messages survive a restart", Conditions{Retention: time.Hour, Lease: 2 * unhurried}, survives)
	run("a queue that does not survive a restart is drained", usual(), drained)
}

// message returns a message with unusual values in all its fields.
func message(n int) webhook.Message {
	return webhook.Message{
		Identity:  key(n),
		Record:    key(n % 2),
		Received:  time.Date(2026, 8, 15, 9, 30, n, 123_456_000, time.UTC),
		RequestID: "\xff%2F 6e546416-8149-5540-a814-155abb8460f5",
		Body:      fmt.Appendf(nil, "{\"type\":\"n.%d\",\"payload\":\"\\u0000\xfe|é\"}\n", n),
	}
}

func (q queueTest) put(t *testing.T, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		noError(t, q.Store.Put(context.Background(), message(n)))
	}
}

// take returns the next message. It fails if none arrives within patience.
func (q queueTest) take(t *testing.T, queue webhook.Queue) webhook.Job {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	job, err := queue.Take(ctx)
	noError(t, err)
	return job
}

// nothing checks that no message arrives for a while.
func (q queueTest) nothing(t *testing.T, queue webhook.Queue) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), short/2)
	defer cancel()
	if job, err := queue.Take(ctx); err == nil {
		t.Errorf("message %s was delivered in attempt %d", job.Message().Identity[60:], job.Attempt())
	}
}

func (q queueTest) done(t *testing.T, job webhook.Job) {
	t.Helper()
	noError(t, job.Done(context.Background()))
}

func backlogMeasured(t *testing.T, q queueTest) {
	if _, err := q.Other.Backlog(context.Background()); errors.Is(err, errors.ErrUnsupported) {
		return
	}
	backlog := func() webhook.Backlog {
		b, err := q.Other.Backlog(context.Background())
		noError(t, err)
		return b
	}
	equal(t, webhook.Backlog{}, backlog(), "an empty queue")
	q.put(t, 1, 2)
	job := q.take(t, q.Store)
	b := backlog()
	equal(t, 2, b.Messages, "messages, of which one is leased")
	if age := time.Since(b.Oldest); age < -time.Minute || age > time.Minute {
		t.Errorf("the oldest message is %v old", age)
	}
	q.done(t, job)
	equal(t, 1, backlog().Messages, "messages, when one is done")
	q.done(t, q.take(t, q.Store))
	equal(t, webhook.Backlog{}, backlog(), "an empty queue")
}

func sameMessage(t *testing.T, want, got webhook.Message) {
	t.Helper()
	equal(t, want.Identity, got.Identity, "identity")
	equal(t, want.Record, got.Record, "record")
	equal(t, want.RequestID, got.RequestID, "request id")
	equal(t, string(want.Body), string(got.Body), "body")
	equal(t, want.Verified.Signed(), got.Verified.Signed(), "signed")
	equal(t, want.Verified.Timestamp, got.Verified.Timestamp, "timestamp")
	equal(t, want.Verified.RequestID, got.Verified.RequestID, "signed request id")
	equal(t, want.Verified.SentAt, got.Verified.SentAt, "sent at")
	equal(t, want.Verified.KeyIndex, got.Verified.KeyIndex, "key index")
	if !maps.Equal(want.Carried, got.Carried) {
		t.Errorf("carried: want %v, got %v", want.Carried, got.Carried)
	}
	if got.Received.Sub(want.Received).Abs() >= time.Microsecond {
		t.Errorf("received: want %v, got %v", want.Received, got.Received)
	}
}

func messageIntact(t *testing.T, q queueTest) {
	for _, m := range []webhook.Message{message(1), signedMessage(2)} {
		noError(t, q.Store.Put(context.Background(), m))
		job := q.take(t, q.Other)
		sameMessage(t, m, job.Message())
		equal(t, 1, job.Attempt(), "attempt")
		noError(t, job.DeadLetter(context.Background(), "no"))
		letter := q.dead(t, q.Store)[0]
		sameMessage(t, m, letter.Message)
		noError(t, q.Other.Replay(context.Background(), letter.ID))
		job = q.take(t, q.Store)
		sameMessage(t, m, job.Message())
		q.done(t, job)
	}
}

// signedMessage returns a message with all that a receiver stores.
func signedMessage(n int) webhook.Message {
	m := message(n)
	m.Carried = map[string]string{"traceparent": "00-1", "": "\x00"}
	m.Verified = webhook.Verified{
		Signature: models.NewSecret("a signature"), Timestamp: "0638912345678901234", RequestID: m.RequestID,
		SentAt: 638_912_345_678_901_234, KeyIndex: 1,
	}
	return m
}

func takeWaits(t *testing.T, q queueTest) {
	got := make(chan webhook.Job, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		job, err := q.Other.Take(ctx)
		if err != nil {
			t.Errorf("take: %v", err)
		}
		got <- job
	}()
	<-time.After(short / 4) // so that Take waits in most runs
	q.put(t, 1)
	if job := <-got; job != nil {
		sameMessage(t, message(1), job.Message())
	}
}

func takeEnds(t *testing.T, q queueTest) {
	ctx, cancel := context.WithTimeout(context.Background(), short/4)
	defer cancel()
	began := time.Now()
	if _, err := q.Store.Take(ctx); err == nil {
		t.Error("an empty queue returned a message")
	}
	if took := time.Since(began); took > patience/2 {
		t.Errorf("the call took %v", took)
	}
	cancel()
	q.put(t, 1)
	if _, err := q.Store.Take(ctx); err == nil {
		t.Error("Take returned a message although its context had ended")
	}
	q.done(t, q.take(t, q.Store))
}

func leasedIsHeld(t *testing.T, q queueTest) {
	q.put(t, 1)
	job := q.take(t, q.Store)
	q.nothing(t, q.Other)
	q.nothing(t, q.Store)
	q.done(t, job)
}

func doneIsGone(t *testing.T, q queueTest) {
	q.put(t, 1, 2)
	q.done(t, q.take(t, q.Store))
	q.done(t, q.take(t, q.Other))
	q.nothing(t, q.Store)
	q.nothing(t, q.Other)
}

func retriedLater(t *testing.T, q queueTest) {
	q.put(t, 1)
	job := q.take(t, q.Store)
	noError(t, job.Retry(context.Background(), time.Hour))
	q.put(t, 2)
	job = q.take(t, q.Other)
	sameMessage(t, message(2), job.Message()) // a message that waits does not delay others
	id := job.ID()
	began := time.Now()
	noError(t, job.Retry(context.Background(), short))
	job = q.take(t, q.Other)
	if waited := time.Since(began); waited < short*9/10 {
		t.Errorf("the message was delivered again after %v", waited)
	}
	sameMessage(t, message(2), job.Message())
	equal(t, 2, job.Attempt(), "attempt")
	equal(t, id, job.ID(), "id")
	noError(t, job.Retry(context.Background(), 0))
	job = q.take(t, q.Store)
	equal(t, 3, job.Attempt(), "attempt")
	q.done(t, job)
}

func returnedLater(t *testing.T, q queueTest) {
	q.put(t, 1)
	steps := []func(webhook.Job) error{
		func(j webhook.Job) error { return j.Return(context.Background(), short) },
		func(j webhook.Job) error { return j.Retry(context.Background(), 0) },
		func(j webhook.Job) error { return j.Return(context.Background(), 0) },
		func(j webhook.Job) error { return j.Retry(context.Background(), short/4) },
	}
	attempt, returned := 1, 0
	for i, step := range steps {
		queue := []webhook.Queue{q.Store, q.Other}[i%2]
		job := q.take(t, queue)
		equal(t, attempt, job.Attempt(), "attempt")
		equal(t, returned, job.Returned(), "returned")
		equal(t, 0, job.Lapsed(), "lapsed")
		began := time.Now()
		noError(t, step(job))
		if i == 0 {
			job := q.take(t, q.Other)
			if waited := time.Since(began); waited < short*9/10 {
				t.Errorf("the message was delivered again after %v", waited)
			}
			noError(t, job.Return(context.Background(), 0))
			returned++
		}
		if i%2 == 0 {
			returned++
		} else {
			attempt++
		}
	}
	job := q.take(t, q.Store)
	equal(t, 3, job.Attempt(), "attempt")
	equal(t, 3, job.Returned(), "returned")
	noError(t, job.DeadLetter(context.Background(), ""))
	equal(t, 3, q.dead(t, q.Other)[0].Attempts, "attempts")
}

func endedLease(t *testing.T, q queueTest) {
	q.put(t, 1)
	old := q.take(t, q.Store)
	noError(t, old.Retry(context.Background(), 0))
	ctx := context.Background()
	// The queue may return an error here or not.
	_ = old.Done(ctx)
	_ = old.DeadLetter(ctx, "late")
	_ = old.Retry(ctx, time.Hour)
	_ = old.Extend(ctx)
	job := q.take(t, q.Other)
	equal(t, 2, job.Attempt(), "attempt")
	q.nothing(t, q.Store)
	q.done(t, job)
	_ = job.Retry(ctx, 0)
	_ = job.DeadLetter(ctx, "late")
	q.nothing(t, q.Store)
	equal(t, 0, len(q.dead(t, q.Store)), "dead letters")
}

func idsDiffer(t *testing.T, q queueTest) {
	q.put(t, 1, 1, 1)
	seen := map[string]bool{}
	for range 3 {
		job := q.take(t, q.Store)
		if id := job.ID(); id == "" || seen[id] {
			t.Errorf("the id %q is empty or occurs twice", id)
		}
		seen[job.ID()] = true
		q.done(t, job)
	}
}

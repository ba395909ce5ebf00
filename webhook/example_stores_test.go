package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/requestid"
	"github.com/practicesdk/practice-go/webhook"
)

// The steps of a worker with a message. A Receiver takes all of them; a queue
// adapter must behave like the memory queue here.
func ExampleQueue() {
	ctx := context.Background()
	memory, err := webhook.NewMemoryQueue(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	var queue webhook.Queue = memory
	fmt.Println(queue.Put(ctx, webhook.Message{Identity: "first", Body: []byte(`{"type":"fee.created"}`)}))
	fmt.Println(errors.Is(queue.Put(ctx, webhook.Message{Identity: "second"}), webhook.ErrQueueFull), memory.Len())

	var job webhook.Job
	job, err = queue.Take(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(job.Message().Identity, job.Attempt(), len(job.ID()) > 0, job.Lease() >= 0, job.Extend(ctx))
	fmt.Println(job.Retry(ctx, 0))
	job, err = queue.Take(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	reason := "too late"
	fmt.Println(job.Attempt(), job.DeadLetter(ctx, reason[:min(len(reason), webhook.MaxReason)]))
	for letter, err := range queue.DeadLetters(ctx) {
		fmt.Println(letter.Attempts, letter.Reason, err)
		fmt.Println(queue.Replay(ctx, letter.ID), errors.Is(queue.Discard(ctx, letter.ID), webhook.ErrNoDeadLetter))
	}
	job, err = queue.Take(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(job.Done(ctx), memory.Len(), memory.Forgotten())

	var drainer webhook.Drainer = memory
	drainer.Drain()
	_, err = queue.Take(ctx)
	fmt.Println(errors.Is(err, webhook.ErrQueueClosed))
	// Output:
	// <nil>
	// true 1
	// first 1 true true <nil>
	// <nil>
	// 2 <nil>
	// 2 too late <nil>
	// <nil> true
	// <nil> 0 0
	// true
}

// An event is claimed, and then committed or released.
func ExampleDeduplicator() {
	ctx := context.Background()
	memory, err := webhook.NewMemoryStore(webhook.WithCapacity(webhook.DefaultCapacity), webhook.WithRetention(webhook.DefaultRetention))
	if err != nil {
		fmt.Println(err)
		return
	}
	var handled webhook.Deduplicator = memory
	key := strings.Repeat("0a", 32)
	show := func(owner string) {
		var claim webhook.Claim
		claim, err := handled.Claim(ctx, key, owner, time.Minute)
		fmt.Println(claim == webhook.ClaimNew, claim == webhook.ClaimInProgress, claim == webhook.ClaimDone, err)
	}
	show("one")
	show("two")
	fmt.Println(handled.Release(ctx, key, "one"))
	show("two")
	fmt.Println(handled.Commit(ctx, key))
	show("one")
	// Output:
	// true false false <nil>
	// false true false <nil>
	// <nil>
	// true false false <nil>
	// <nil>
	// false false true <nil>
}

// The order of events of one record.
func ExampleSequencer() {
	ctx := context.Background()
	memory, err := webhook.NewMemoryStore()
	if err != nil {
		fmt.Println(err)
		return
	}
	var sequencer webhook.Sequencer = memory
	at := webhook.Position{Resource: strings.Repeat("0a", 32), Timestamp: 638912345678901234, Identity: strings.Repeat("1b", 32)}
	fmt.Println(sequencer.Advance(ctx, at))
	show := func(p webhook.Position) {
		var order webhook.Order
		order, err := sequencer.Check(ctx, p)
		fmt.Println(order, err)
	}
	show(at)
	at.Timestamp--
	show(at)
	at.Timestamp += 2
	show(at)
	fmt.Println(webhook.SequencerTies > 1)
	// Output:
	// <nil>
	// duplicate <nil>
	// stale <nil>
	// fresh <nil>
	// true
}

// Without a receiver, a program feeds a Tracker itself.
func ExampleTracker_Feed() {
	ctx := context.Background()
	memory, err := webhook.NewMemoryStore()
	if err != nil {
		fmt.Println(err)
		return
	}
	tracker, err := webhook.NewTracker(memory, webhook.WithPollInterval(2*webhook.DefaultPollInterval))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = tracker.Outcome(ctx, "request-1", time.Minute)
	fmt.Println(errors.Is(err, webhook.ErrNotTracked), errors.Is(tracker.Register(ctx, ""), webhook.ErrEmptyRequestID))

	fmt.Println(tracker.Register(ctx, "request-1"))
	fmt.Println(tracker.Feed(ctx, "request-1", webhook.TrackedEvent{Type: "fee.updated", At: time.Now()}))
	outcome, err := tracker.Wait(ctx, "request-1", time.Minute)
	fmt.Println(outcome.State, err)

	record := webhook.TrackRecord{Registered: time.Now()} // the content of a TrackerStore
	record.Add(webhook.TrackedEvent{Type: "error", Failure: &webhook.Failure{Message: "The fee is finalized"}})
	fmt.Println(record.Failed.Failure.Message)
	// Output:
	// true true
	// <nil>
	// <nil>
	// observed <nil>
	// The fee is finalized
}

// The settings of a receiver with a queue, and of one that drops its own
// echoes.
func ExampleRetryPolicy() {
	queue, err := webhook.NewMemoryQueue(1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	signer, err := requestid.NewSigner([]byte("a random key of exactly 32 bytes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	policy := webhook.DefaultRetryPolicy()
	policy.Attempts = 3
	_, err = webhook.NewReceiver("client0001", webhook.Keys("the key"), webhook.WithClock(time.Now),
		webhook.WithQueue(queue), webhook.WithWorkers(2*webhook.DefaultWorkers),
		webhook.WithHandlerTimeout(webhook.DefaultHandlerTimeout/2), webhook.WithRetryPolicy(policy),
		webhook.IgnoreOwn(signer), webhook.WithOwnAge(webhook.DefaultOwnAge/2))
	fmt.Println(err)
	// Output:
	// <nil>
}

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

	fmt.Println(queue.Drain())
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

// Without a receiver, a program feeds a Tracker itself.
func ExampleTracker_Feed() {
	ctx := context.Background()
	memory, err := webhook.NewMemoryStore()
	if err != nil {
		fmt.Println(err)
		return
	}
	tracker, err := webhook.NewTracker(memory)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(errors.Is(tracker.Failure(ctx, "request-1"), webhook.ErrNotTracked), errors.Is(tracker.Register(ctx, ""), webhook.ErrEmptyRequestID))

	fmt.Println(tracker.Register(ctx, "request-1"), tracker.Failure(ctx, "request-1"))
	fmt.Println(tracker.Feed(ctx, webhook.WriteError{RequestID: "request-1", Message: "The fee is finalized", At: time.Now()}))
	fmt.Println(tracker.Failure(ctx, "request-1"))
	// Output:
	// true true
	// <nil> <nil>
	// <nil>
	// webhook: the write request-1 failed after it was accepted: The fee is finalized
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

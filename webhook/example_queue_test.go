package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

// A receiver that acknowledges deliveries at once, handles them later, and
// handles none twice.
func ExampleWithQueue() {
	queue, err := webhook.NewMemoryQueue(10_000) // adapters have queues that survive the process
	if err != nil {
		fmt.Println(err)
		return
	}
	handled, err := webhook.NewMemoryStore()
	if err != nil {
		fmt.Println(err)
		return
	}
	receiver, err := webhook.NewReceiver("client0001", webhook.NoKey(), webhook.WithQueue(queue), webhook.WithDeduplicator(handled))
	if err != nil {
		fmt.Println(err)
		return
	}
	webhook.OnAny(receiver, func(_ context.Context, e *webhook.Event[json.RawMessage]) error {
		fmt.Println("handled", e.Type, e.ResourceID())
		return nil
	})
	for range 2 {
		w := httptest.NewRecorder()
		body := `{"type":"fee.created","timestamp":638912345678901234,"payload":{"id":"f-1"}}`
		receiver.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body)))
		fmt.Println("answered", w.Code)
	}

	// Programs start it in a goroutine: go receiver.Run(ctx).
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := receiver.Shutdown(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Println("dropped", receiver.Stats().Duplicates)
	// Output:
	// answered 200
	// answered 200
	// handled fee.created f-1
	// dropped 1
}

// A write is registered before it is sent, and the receiver records its
// outcome.
func ExampleTracker() {
	store, err := webhook.NewMemoryStore()
	if err != nil {
		fmt.Println(err)
		return
	}
	tracker, err := webhook.NewTracker(store)
	if err != nil {
		fmt.Println(err)
		return
	}
	receiver, err := webhook.NewReceiver("client0001", webhook.NoKey(), webhook.WithTracker(tracker))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	const id = "6e546416-8149-5540-a814-155abb8460f5"
	if err := tracker.Register(ctx, id); err != nil { // then send the write with practice.WithRequestID(id)
		fmt.Println(err)
		return
	}
	fmt.Println(tracker.Failure(ctx, id))
	delivery := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(`{"type":"error","payload":{"message":"The fee is finalized"}}`))
	delivery.Header.Set("RequestId", id)
	receiver.ServeHTTP(httptest.NewRecorder(), delivery)
	if failed, ok := errors.AsType[*webhook.WriteError](tracker.Failure(ctx, id)); ok {
		fmt.Println(failed.Message)
	}
	// Output:
	// <nil>
	// The fee is finalized
}

// user carries the user of a delivery, determined by HTTP middleware, to the
// handlers behind the queue.
type user struct{}

func (user) Inject(ctx context.Context) map[string]string {
	if name, ok := ctx.Value(user{}).(string); ok {
		return map[string]string{"user": name}
	}
	return nil
}

func (user) Extract(ctx context.Context, carried map[string]string) context.Context {
	return context.WithValue(ctx, user{}, carried["user"])
}

func ExampleWithPropagator() {
	queue, err := webhook.NewMemoryQueue(100)
	if err != nil {
		fmt.Println(err)
		return
	}
	var _ webhook.Propagator = user{}
	receiver, err := webhook.NewReceiver("client0001", webhook.NoKey(), webhook.WithQueue(queue), webhook.WithPropagator(user{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	webhook.OnAny(receiver, func(ctx context.Context, e *webhook.Event[json.RawMessage]) error {
		fmt.Println(e.Type, ctx.Value(user{}))
		return nil
	})
	req := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(`{"type":"fee.created"}`))
	receiver.ServeHTTP(httptest.NewRecorder(), req.WithContext(context.WithValue(req.Context(), user{}, "somebody")))
	if err := receiver.Shutdown(context.Background()); err != nil { // handles the remaining messages
		fmt.Println(err)
	}
	// Output:
	// fee.created somebody
}

// A backlog that grows or gets older indicates that the workers cannot keep up.
func ExampleReceiver_Backlog() {
	queue, err := webhook.NewMemoryQueue(100)
	if err != nil {
		fmt.Println(err)
		return
	}
	receiver, err := webhook.NewReceiver("client0001", webhook.NoKey(), webhook.WithQueue(queue))
	if err != nil {
		fmt.Println(err)
		return
	}
	receiver.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(`{"type":"fee.created"}`)))
	var backlog webhook.Backlog
	if backlog, err = receiver.Backlog(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(backlog.Messages, time.Since(backlog.Oldest) < time.Minute)
	// Output:
	// 1 true
}

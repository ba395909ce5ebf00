package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// handle registers a handler that collects its events.
func handle[P any](r *webhook.Receiver, eventType models.EventOf[P]) *[]*webhook.Event[P] {
	var mu sync.Mutex // workers call handlers at the same time
	var events []*webhook.Event[P]
	webhook.On(r, eventType, func(_ context.Context, e *webhook.Event[P]) error {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, e)
		return nil
	})
	return &events
}

func handleRest(r *webhook.Receiver) *[]*webhook.Event[json.RawMessage] {
	var mu sync.Mutex // workers call handlers at the same time
	var events []*webhook.Event[json.RawMessage]
	webhook.OnAny(r, func(_ context.Context, e *webhook.Event[json.RawMessage]) error {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, e)
		return nil
	})
	return &events
}

func TestEventsReachTheHandlersOfTheirType(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	matters, failures := handle(receiver, models.EventTypeMatterUpdated), handle(receiver, models.EventTypeError)
	rest := handleRest(receiver)
	for _, name := range []string{"matter-updated", "error", "unknown-type"} {
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, name))).Code)
	}

	require.Len(t, *matters, 1)
	matter := (*matters)[0]
	assert.Equal(t, models.EventType("matter.updated"), matter.Type)
	assert.Equal(t, "13277179-1410-5c32-a80e-a2b9c71c5d83", matter.AccountID)
	assert.Equal(t, "f7d24f0d-b129-559d-9e55-ab2c40559ef8", matter.UserID)
	assert.Equal(t, "be8f4b3e-ce49-5aa3-bbe1-d77df416ee57", matter.SubscriptionID)
	assert.Equal(t, models.NotificationSourceAPI, matter.Source)
	assert.Equal(t, models.Ticks(637981232724209300), matter.Timestamp)
	assert.Equal(t, requestID, matter.RequestID)
	assert.Equal(t, requestID, matter.Verified.RequestID)
	assert.Equal(t, sample(t, "matter-updated"), []byte(matter.Raw))
	assert.Equal(t, models.MatterPayload{
		ID: "5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4", Number: "10001", Title: "Example | Sale", Description: "Sale",
		Status:     models.MatterStatusOpen,
		MatterType: models.Link{ID: "bf146390-27ac-5f58-a884-050302295767_IL", Relation: "MatterTypes"},
		Clients:    []models.Link{{ID: "13eecfca-5699-5001-9310-bf202aba8df9", Relation: "Contacts"}},
	}, matter.Payload)

	require.Len(t, *failures, 1)
	assert.Equal(t, "contact", (*failures)[0].Payload.ResourceName)
	assert.Equal(t, "13eecfca-5699-5001-9310-bf202aba8df9", (*failures)[0].Payload.ResourceID)

	require.Len(t, *rest, 1)
	unknown := (*rest)[0]
	assert.Equal(t, models.EventType("matter.closed"), unknown.Type)
	assert.JSONEq(t, `{"id":"5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4","anything":[1,{"a":null}]}`, string(unknown.Payload))
}

func TestEventTicksAreExactBeyondFloats(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`638912345678901235`, `"638912345678901235"`} {
		receiver := newReceiver(t)
		raw := handleRest(receiver)
		free := handle(receiver, models.EventOf[any]("free"))
		for _, name := range []string{"raw", "free"} {
			body := fmt.Appendf(nil, `{"type":%q,"timestamp":%s,"payload":{"lastUpdated":638912345678901235}}`, name, text)
			require.Equal(t, 200, serve(receiver, signed(t, body)).Code)
		}
		require.Len(t, *raw, 1)
		assert.Equal(t, models.Ticks(638912345678901235), (*raw)[0].Timestamp)
		require.Len(t, *free, 1)
		assert.Equal(t, map[string]any{"lastUpdated": json.Number("638912345678901235")}, (*free)[0].Payload)
	}
}

func TestEventPayloadsOfAnyKindAreTaken(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``: ``, `,"payload":null`: ``, `,"payload":{}`: `{}`, `,"payload":[1, 2]`: `[1,2]`, `,"payload":"a b"`: `"a b"`,
		`,"payload":1.10`: `1.10`, `,"payload":false`: `false`,
	} {
		receiver := newReceiver(t)
		events := handleRest(receiver)
		require.Equal(t, 200, serve(receiver, signed(t, []byte(`{"type":"x"`+text+`}`))).Code)
		require.Len(t, *events, 1)
		assert.Equal(t, want, string((*events)[0].Payload), text)
		assert.Equal(t, want == "", (*events)[0].Payload == nil, text)
	}
}

func TestEventPayloadsOfOwnTypes(t *testing.T) {
	t.Parallel()
	type invoice struct{ Number int }
	receiver := newReceiver(t)
	invoices := handle(receiver, models.EventOf[invoice]("invoice.created"))
	pointers := handle(receiver, models.EventOf[*invoice]("invoice.created"))
	objects := handle(receiver, models.EventOf[models.Object]("invoice.created"))
	body := `{"type":"invoice.created","payload":{"number":7}}`
	require.Equal(t, 200, serve(receiver, signed(t, []byte(body))).Code)
	assert.Equal(t, invoice{7}, (*invoices)[0].Payload)
	assert.Equal(t, &invoice{7}, (*pointers)[0].Payload)
	assert.Equal(t, `{"number":7}`, (*objects)[0].Payload.String())
	assert.Equal(t, 400, serve(receiver, signed(t, []byte(`{"type":"invoice.created","payload":{"number":"7"}}`))).Code)
	assert.Len(t, *invoices, 1, "no handler runs unless all can read the payload")
}

func TestHandlersOfOneTypeRunInOrderUntilOneFails(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	var order []int
	for i := range 3 {
		webhook.OnAny(receiver, func(context.Context, *webhook.Event[json.RawMessage]) error {
			if order = append(order, i); i == 1 {
				return errOwn
			}
			return nil
		})
	}
	assert.Equal(t, 500, serve(receiver, signed(t, []byte(`{"type":"x"}`))).Code)
	assert.Equal(t, []int{0, 1}, order)
}

func TestEventsNobodyHandlesAreAcknowledged(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	handle(receiver, models.EventTypeError)
	assert.Equal(t, 200, serve(receiver, signed(t, []byte(`{"type":"mattertype.updated"}`))).Code)
}

func TestOnRefusesANilHandler(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	assert.Panics(t, func() { webhook.On(receiver, models.EventTypeError, nil) })
	assert.Panics(t, func() { webhook.OnAny(receiver, nil) })
}

func TestHandlersMayBeAddedWhileDeliveriesComeIn(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	var mu sync.Mutex
	calls := 0
	count := func(context.Context, *webhook.Event[models.MatterPayload]) error {
		mu.Lock()
		defer mu.Unlock()
		calls++
		return nil
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { webhook.On(receiver, models.EventTypeMatterUpdated, count) })
		all.Go(func() {
			assert.Equal(t, 200, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
		})
	}
	all.Wait()
	calls = 0
	serve(receiver, signed(t, sample(t, "matter-updated")))
	assert.Equal(t, 8, calls)
}

// fragile is a payload whose decoding panics with an error of this package.
type fragile struct{}

func (*fragile) UnmarshalJSON([]byte) error { panic(fmt.Errorf("own: %w", webhook.ErrTooOld)) }

func TestAPanicInTheDecodingOfAPayloadIsOneOfItsHandler(t *testing.T) {
	t.Parallel()
	for name, queued := range map[string]bool{"within the request": false, "from a queue": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var reported []*webhook.DeliveryError
				options, want := []webhook.Option{failures(&reported)}, 500
				queue, err := webhook.NewMemoryQueue(10)
				require.NoError(t, err)
				if queued {
					options, want = append(options, webhook.WithQueue(queue), webhook.WithRetryPolicy(quickPolicy())), 200
				}
				receiver := newReceiver(t, options...)
				webhook.On(receiver, models.EventOf[fragile]("fee.updated"), func(context.Context, *webhook.Event[fragile]) error { return nil })
				assert.Equal(t, want, serve(receiver, signed(t, notificationOf("fee.updated", "a", "s", 20, `{"id":"1"}`))).Code)
				if queued {
					runWhile(t, receiver, time.Minute)
					assert.Len(t, deadLettersOf(t, queue), 1)
				}
				require.NotEmpty(t, reported)
				for _, failure := range reported {
					require.ErrorIs(t, failure, webhook.ErrHandler)
					var panicked *webhook.PanicError
					require.ErrorAs(t, failure, &panicked)
				}
			})
		})
	}
}

package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"sync"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// deliverAs passes an event that is signed with a key to a receiver, and prints
// the status of the response.
func deliverAs(receiver *webhook.Receiver, key string) {
	signer, err := webhook.NewSigner("client0001", key)
	if err != nil {
		fmt.Println(err)
		return
	}
	req, err := signer.NewRequest(context.Background(), "/hooks", models.EventTypeFeeUpdated.Type(), models.Fee{ID: "f-1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	receiver.ServeHTTP(w, req)
	fmt.Println(w.Code)
}

// A middleware wraps all handlers of an event, within the request and from a
// queue.
func ExampleWithMiddleware() {
	logged := func(next webhook.Handler) webhook.Handler {
		return func(ctx context.Context, e *webhook.Event[json.RawMessage]) error {
			err := next(ctx, e)
			fmt.Println(e.Type, e.ResourceID(), err)
			return err
		}
	}
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("the key"), webhook.WithMiddleware(logged))
	if err != nil {
		fmt.Println(err)
		return
	}
	webhook.On(receiver, models.EventTypeFeeUpdated, func(context.Context, *webhook.Event[models.Fee]) error { return nil })
	deliverAs(receiver, "the key")
	// Output:
	// fee.updated f-1 <nil>
	// 200
}

// keys holds the keys of many firms, which change.
type keys struct {
	mu  sync.Mutex
	all []webhook.Key
}

func (k *keys) set(all ...webhook.Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all = all
}

func (k *keys) current(context.Context) ([]webhook.Key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all, nil
}

// Each firm has its own key, which is valid only for its account. Keys can
// change while the receiver runs.
func ExampleKeysFrom() {
	var inForce keys
	receiver, err := webhook.NewReceiver("client0001", webhook.KeysFrom(inForce.current))
	if err != nil {
		fmt.Println(err)
		return
	}
	inForce.set(webhook.Key{Secret: models.NewSecret("of one firm"), Accounts: []string{"account-1"}})
	deliverAs(receiver, "of another firm")
	inForce.set(
		webhook.Key{Secret: models.NewSecret("of one firm"), Accounts: []string{"account-1"}},
		webhook.Key{Secret: models.NewSecret("of another firm"), Accounts: []string{"account-2"}})
	deliverAs(receiver, "of another firm")
	fmt.Println(receiver.Refusals()[webhook.ErrBadSignature], receiver.Refusals()[webhook.ErrWrongAccount])
	// Output:
	// 401
	// 200
	// 1 0
}

// Behind a gateway that reads the body itself, the program checks the account
// of the event.
func ExampleVerified_VouchesFor() {
	source := webhook.KeySource(func(context.Context) ([]webhook.Key, error) {
		return []webhook.Key{{Secret: models.NewSecret("the key"), Accounts: []string{"account-1"}}}, nil
	})
	verifier, err := webhook.NewVerifier("client0001", webhook.KeysFrom(source))
	if err != nil {
		fmt.Println(err)
		return
	}
	signer, err := webhook.NewSigner("client0001", "the key")
	if err != nil {
		fmt.Println(err)
		return
	}
	req, err := signer.NewRequest(context.Background(), "/hooks", models.EventTypeFeeUpdated.Type(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	verified, err := verifier.Verify(req.Header)
	fmt.Println(err, verified.VouchesFor("account-1"), verified.VouchesFor("account-2"))
	// Output:
	// <nil> true false
}

// A receiver that handles events within their requests can limit their number,
// and accept only one body for each signature.
func ExampleWithMaxDeliveries() {
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("the key"),
		webhook.WithMaxDeliveries(64), webhook.WithAlarmHook(func(context.Context, webhook.Alarm) (refuse bool) { return true }))
	if err != nil {
		fmt.Println(err)
		return
	}
	deliverAs(receiver, "the key")
	fmt.Println(receiver.Refusals()[webhook.ErrBusy], receiver.Refusals()[webhook.ErrSecondBody])
	// Output:
	// 200
	// 0 0
}

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

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// A receiver behind a router, and a test delivery to it.
func Example() {
	const current, previous = "the key since today", "the key until yesterday"

	receiver, err := webhook.NewReceiver("client0001", webhook.Keys(current, previous),
		webhook.WithTolerance(5*time.Minute),
		webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) {
			fmt.Println("not taken:", err.Status, errors.Is(err, webhook.ErrTooOld))
		}))
	if err != nil {
		fmt.Println(err)
		return
	}
	webhook.On(receiver, models.EventTypeMatterUpdated,
		func(_ context.Context, e *webhook.Event[models.MatterPayload]) error {
			// The signature does not cover the payload: read the matter from
			// the service before acting on it.
			fmt.Println(e.Type, e.Payload.Number, "signed with key", e.Verified.KeyIndex)
			return nil
		})
	webhook.OnAny(receiver, func(_ context.Context, e *webhook.Event[json.RawMessage]) error {
		fmt.Println(e.Type, string(e.Payload))
		return nil
	})
	mux := http.NewServeMux()
	mux.Handle("POST /hooks", receiver)
	server := httptest.NewServer(mux)
	defer server.Close()

	signer, err := webhook.NewSigner("client0001", previous)
	if err != nil {
		fmt.Println(err)
		return
	}
	deliver := func(sent time.Time, body string) {
		req, err := http.NewRequest(http.MethodPost, server.URL+"/hooks", strings.NewReader(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := signer.Sign(req.Header, sent, "6e546416-8149-5540-a814-155abb8460f5"); err != nil {
			fmt.Println(err)
			return
		}
		res, err := server.Client().Do(req)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer func() { _ = res.Body.Close() }()
		fmt.Println(res.StatusCode)
	}
	deliver(time.Now(), `{"type":"matter.updated","timestamp":637981232724209300,"payload":{"number":"10001"}}`)
	deliver(time.Now(), `{"type":"matter.closed","payload":{"number":"10001"}}`)
	deliver(time.Now().Add(-time.Hour), `{"type":"matter.updated"}`)
	// Output:
	// matter.updated 10001 signed with key 1
	// 200
	// matter.closed {"number":"10001"}
	// 200
	// not taken: 401 true
	// 401
}

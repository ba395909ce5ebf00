package practice_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// A receiver for the notifications of a subscription.
func Example_webhook() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	clientID, currentKey, previousKey := server.Credentials().ClientID, "the key since today", "the key until yesterday"

	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(currentKey, previousKey))
	if err != nil {
		log.Fatal(err)
	}
	webhook.On(receiver, models.EventTypeMatterUpdated, func(ctx context.Context, e *webhook.Event[models.MatterPayload]) error {
		matter, err := client.Matters.Get(ctx, e.Payload.ID) // the signature does not cover the payload
		if err != nil {
			return err // it is not acknowledged; a queue tries it again
		}
		fmt.Println(matter.Number, matter.Status)
		return nil
	})
	webhook.On(receiver, models.EventTypeError, func(_ context.Context, e *webhook.Event[models.ErrorPayload]) error {
		fmt.Println("a write failed after it was accepted:", e.RequestID, e.Payload.Message)
		return nil
	})
	mux := http.NewServeMux()
	mux.Handle("POST /hooks", receiver)

	origin, err := server.Mount(mux)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Webhooks.Create(ctx, models.WebhookWrite{
		Name: "Ledger", EventNotificationURL: origin + "/hooks", Key: models.Some(models.NewSecret(currentKey)),
		EventTypes: []models.EventType{models.EventTypeMatterUpdated.Type(), models.EventTypeError.Type()},
	})
	if err != nil {
		log.Fatal(err)
	}
	server.Emit(practicetest.Event{Type: "matter.updated", Payload: json.RawMessage(`{"id":"` + server.Firm().MatterID + `"}`)})
	if err := server.Flush(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 10001 Open
}

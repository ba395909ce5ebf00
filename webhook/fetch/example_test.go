package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http/httptest"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/fetch"
)

func Example() {
	server, client := service()
	defer server.Close()
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("k-0123456789"))
	if err != nil {
		log.Fatal(err)
	}
	fetch.On(receiver, fetch.From(client), models.EventTypeMatterUpdated,
		func(_ context.Context, e *fetch.Event[models.Matter]) error {
			fmt.Println(e.Record.Number, e.Record.Status)
			return nil
		})
	fetch.On(receiver, fetch.From(client), models.EventTypeContactDeleted,
		func(_ context.Context, e *fetch.Event[models.Contact]) error {
			fmt.Println(e.ID, "is gone:", e.Gone())
			return nil
		})

	// The payload contains another number, but it is not signed.
	send(receiver, models.EventTypeMatterUpdated.Type(), models.MatterPayload{ID: server.Firm().MatterID, Number: "1", Status: models.MatterStatusClosed})
	send(receiver, models.EventTypeContactDeleted.Type(), models.Contact{ID: "9fb0f1a4-0000-4000-8000-000000000000"})
	// Output:
	// 10001 Open
	// 9fb0f1a4-0000-4000-8000-000000000000 is gone: true
}

// service starts the embedded service with a client.
func service() (*practicetest.Server, *practice.Client) {
	server, err := practicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	c := server.Credentials()
	client, err := practice.NewClient(server.BaseURL(), practice.WithHTTPClient(server.HTTPClient()), practice.WithAPIKey(c.APIKey),
		practice.WithTokens(auth.ClientCredentials{
			TokenURL: server.TokenURL(), ClientID: c.ClientID, ClientSecret: models.NewSecret(c.ClientSecret),
		}))
	if err != nil {
		log.Fatal(err)
	}
	return server, client
}

// send delivers an event like the service.
func send(receiver *webhook.Receiver, eventType models.EventType, payload any) {
	signer, err := webhook.NewSigner("client0001", "k-0123456789")
	if err != nil {
		log.Fatal(err)
	}
	req, err := signer.NewRequest(context.Background(), "/hooks", eventType, payload)
	if err != nil {
		log.Fatal(err)
	}
	receiver.ServeHTTP(httptest.NewRecorder(), req)
}

// An integration of many firms uses a client for each account.
func ExampleByAccount() {
	clients := map[string]*practice.Client{} // by account
	of := fetch.ByAccount(func(_ context.Context, accountID string) (*practice.Client, error) {
		if client, ok := clients[accountID]; ok {
			return client, nil
		}
		return nil, webhook.Permanent(fmt.Errorf("account %q is none of ours", accountID))
	})
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("k-0123456789"),
		webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { fmt.Println(err.Err) }))
	if err != nil {
		log.Fatal(err)
	}
	fetch.On(receiver, of, models.EventTypeMatterUpdated, func(_ context.Context, e *fetch.Event[models.Matter]) error {
		fmt.Println(e.Record.Number)
		return nil
	})
	send(receiver, models.EventTypeMatterUpdated.Type(), models.MatterPayload{ID: "1"})
	// Output:
	// webhook: a handler failed: fetch: cannot read the record of a matter.updated event: account "" is none of ours
}

// An event whose payload does not contain the id of the record is reported and
// not retried.
func ExampleOn() {
	server, client := service()
	defer server.Close()
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("k-0123456789"),
		webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) {
			fmt.Println(errors.Is(err, fetch.ErrNoRecordID))
		}))
	if err != nil {
		log.Fatal(err)
	}
	fetch.On(receiver, fetch.From(client), models.EventTypeMatterUpdated, func(_ context.Context, e *fetch.Event[models.Matter]) error {
		fmt.Println(e.Record.Number)
		return nil
	})
	send(receiver, models.EventTypeMatterUpdated.Type(), models.MatterPayload{ID: server.Firm().MatterID})
	send(receiver, models.EventTypeMatterUpdated.Type(), models.MatterPayload{Number: "10002"})
	// Output:
	// 10001
	// true
}

func ExampleReadable() {
	fmt.Println(fetch.Readable(models.EventTypeContactUpdated.Type()))
	fmt.Println(fetch.Readable(models.EventTypeFilesUpdated.Type())) // it concerns several files
	// Output:
	// true
	// false
}

package subscribe_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// service returns the embedded service with a client.
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

// Ensure reports its action, and the parts that could not be attained.
func ExampleEnsure() {
	server, client := service()
	defer server.Close()
	want := subscribe.Spec{
		Name: "Ledger", EventNotificationURL: "https://app.example.test/hooks",
		EventTypes: []models.EventType{models.EventTypeError.Type()},
	}
	for range 3 {
		report, err := subscribe.Ensure(context.Background(), client, want)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(report.Action, report.Changes)
		want.EventTypes = []models.EventType{models.EventTypeError.Type(), models.EventTypeMatterUpdated.Type()}
	}
	// Output:
	// created []
	// updated [eventTypes]
	// kept []
}

// Keep repeats the check. With a stored Check, the next run of the program
// reports since when events may have been missed.
func ExampleKeep() {
	server, client := service()
	defer server.Close()
	want := subscribe.Spec{
		Name: "Ledger", EventNotificationURL: "https://app.example.test/hooks",
		EventTypes: []models.EventType{models.EventTypeError.Type()}, Interval: subscribe.DefaultInterval / 2,
	}
	var stored []byte
	for range 2 { // runs of the program
		for report, err := range subscribe.Keep(context.Background(), client, want) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(report.Action, "since", report.Missed != nil && !report.Missed.Since.IsZero())
			if stored, err = json.Marshal(report.Check); err != nil {
				log.Fatal(err)
			}
			break // the program ends
		}
		if err := json.Unmarshal(stored, &want.LastCheck); err != nil {
			log.Fatal(err)
		}
		if _, err := client.Webhooks.Delete(context.Background(), want.LastCheck.ID); err != nil { // the service drops it
			log.Fatal(err)
		}
	}
	// Output:
	// created since false
	// created since true
}

// A stored Check contains the form that the service makes of a subscription.
func ExampleCheck() {
	check := subscribe.Check{ID: "w1", Settled: &subscribe.Settled{
		Asked:  subscribe.Form{Name: "Ledger", EventNotificationURL: "https://app.example.test:443/hooks"},
		Shown:  subscribe.Form{Name: "Ledger", EventNotificationURL: "https://app.example.test/hooks"},
		Writes: 2,
	}}
	text, err := json.Marshal(check)
	if err != nil {
		log.Fatal(err)
	}
	var again subscribe.Check
	err = json.Unmarshal(text, &again)
	fmt.Println(again.Settled.Shown.EventNotificationURL, again.Settled.Writes, err)
	// Output:
	// https://app.example.test/hooks 2 <nil>
}

package practice_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// A write is accepted first and carried out later. Await reads until its effect
// can be seen.
func ExampleAwait() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	created, err := client.ActivityCodes.Create(ctx, models.ActivityCodeWrite{Code: "ADV"})
	if err != nil {
		log.Fatal(err)
	}
	code, err := practice.Await(ctx, practice.ReadLink[models.ActivityCode](client, created), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("created", code.Code)

	read := func(ctx context.Context) (*models.ActivityCode, error) { return client.ActivityCodes.Get(ctx, code.ID) }
	if _, err = client.ActivityCodes.Update(ctx, code.ID, models.ActivityCodeWrite{Code: "ADVICE"}); err != nil {
		log.Fatal(err)
	}
	code, err = practice.Await(ctx, read, practice.Changed(code), practice.WithAwaitTimeout(10*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("changed to", code.Code)

	if _, err = client.ActivityCodes.Delete(ctx, code.ID); err != nil {
		log.Fatal(err)
	}
	code, err = practice.Await(ctx, read, practice.Gone())
	fmt.Println("deleted", code.IsDeleted.Or(false), err)
	// Output:
	// created ADV
	// changed to ADVICE
	// deleted true <nil>
}

// A condition of one's own, and shorter waits.
func ExampleWhen() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	id := server.Firm().ActivityCodeID

	_, err := client.ActivityCodes.Update(ctx, id, models.ActivityCodeWrite{Code: "ADV", Rate: models.MustDecimal("385.50")})
	if err != nil {
		log.Fatal(err)
	}
	priced := practice.When(func(code *models.ActivityCode) bool { return code.Rate.String() == "385.50" })
	code, err := practice.Await(ctx, func(ctx context.Context) (*models.ActivityCode, error) {
		return client.ActivityCodes.Get(ctx, id)
	}, priced, practice.WithAwaitInterval(50*time.Millisecond, time.Second))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(code.Code)
	// Output: ADV
}

// A Tracker that a webhook receiver feeds ends the wait when the write has failed.
func ExampleWithFailures() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	store, err := webhook.NewMemoryTrackerStore()
	if err != nil {
		log.Fatal(err)
	}
	tracker, err := webhook.NewTracker(store) // for WithTracker of a receiver
	if err != nil {
		log.Fatal(err)
	}
	const requestID = "7c1f4f0e-6a53-4a35-9d5b-3a1a2c0b7d11"
	if err := tracker.Register(ctx, requestID); err != nil {
		log.Fatal(err)
	}
	server.FailWrite("createActivityCode", "The code is taken.")
	created, err := client.ActivityCodes.Create(ctx, models.ActivityCodeWrite{Code: "ADV"}, practice.WithRequestID(requestID))
	if err != nil {
		log.Fatal(err)
	}
	// This is what a receiver does with the event of type error.
	err = tracker.Feed(ctx, requestID, webhook.TrackedEvent{Type: models.EventTypeError.Type(), Failure: &webhook.Failure{Message: "The code is taken."}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = practice.Await(ctx, practice.ReadLink[models.ActivityCode](client, created), practice.Exists(), practice.WithFailures(tracker, requestID))
	if failed, ok := errors.AsType[*webhook.WriteError](err); ok {
		fmt.Println(failed.Event.Failure.Message)
	}
	if ended, ok := errors.AsType[*practice.AwaitError](err); ok {
		fmt.Println("not yet:", errors.Is(ended, practice.ErrNotYet))
	}
	fmt.Println("known without waiting:", tracker.Failure(ctx, requestID) != nil)
	// Output:
	// The code is taken.
	// not yet: false
	// known without waiting: true
}

// The parts of Await that a program of one's own may name.
func Example_awaitParts() {
	settings := []practice.AwaitOption{practice.WithAwaitTimeout(2 * practice.DefaultAwaitTimeout)}
	until := practice.Exists()
	var failures practice.WriteFailures = (*webhook.Tracker)(nil)
	fmt.Printf("%d %T %T\n", len(settings), until, failures)
	// Output: 1 practice.Condition *webhook.Tracker
}

package nats_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// The receiver acknowledges deliveries that the queue has stored on disk, and
// handles them later.
func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "deliveries")
	if err != nil {
		log.Panic(err)
	}
	defer os.RemoveAll(dir)

	engine, err := nats.Open(ctx, dir) // or "", nats.WithServers("nats://nats.example.test")
	if err != nil {
		log.Panic(err)
	}
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("k-0123456789"),
		webhook.WithQueue(engine.Queue()),
		webhook.WithDeduplicator(engine.Store()))
	if err != nil {
		log.Panic(err)
	}
	webhook.On(receiver, models.EventTypeMatterUpdated,
		func(context.Context, *webhook.Event[models.MatterPayload]) error { return nil })
	// http.Handle("POST /hooks", receiver), and receiver.Run(ctx) in a
	// goroutine

	if err := receiver.Shutdown(ctx); err != nil {
		log.Panic(err)
	}
	fmt.Println(engine.Close(ctx))
	// Output: <nil>
}

// A message that could not be handled is kept until a person has dealt with it.
func ExampleQueue_DeadLetters() {
	ctx := context.Background()
	engine, err := nats.Open(ctx, "", nats.WithServers("nats://nats.example.test"))
	if err != nil {
		log.Panic(err)
	}
	for letter, err := range engine.Queue().DeadLetters(ctx) {
		if err != nil {
			log.Panic(err)
		}
		fmt.Println(letter.At, letter.Attempts, letter.Reason)
		if err := engine.Queue().Replay(ctx, letter.ID); err != nil {
			log.Panic(err)
		}
	}
}

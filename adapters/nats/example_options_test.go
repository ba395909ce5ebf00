package nats_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/practicesdk/practice-go/adapters/nats"
)

// A server inside the process, with custom names and limits. Two processes
// cannot share its directory; for that use WithServers, with WithReplicas on a
// cluster.
func ExampleWithName() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "deliveries")
	if err != nil {
		log.Panic(err)
	}
	defer os.RemoveAll(dir)
	engine, err := nats.Open(ctx, dir,
		nats.WithName(nats.DefaultName+"-ledger"), nats.WithCapacity(nats.DefaultCapacity/2), nats.WithDeadLetters(1000),
		nats.WithLease(2*nats.DefaultLease), nats.WithRetention(24*time.Hour), nats.WithReplicas(1),
		nats.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		log.Panic(err)
	}
	_, err = nats.Open(ctx, dir)
	fmt.Println(errors.Is(err, nats.ErrStoreInUse))
	fmt.Println(engine.Close(ctx))
	// Output:
	// true
	// <nil>
}

// Webhook-receiver receives the notifications of the service, stores them
// before it acknowledges them, and lets each take effect exactly once.
//
//	go run ./examples/webhook-receiver [flags]
//
// Without any variable it starts the embedded service, subscribes to it, has
// people change contacts there, and keeps a copy of who is related to whom.
// Notifications come repeated and out of order. Kill it in the middle, with
// kill -9, and start it again: it goes on with what it had acknowledged.
//
// With PRACTICE_BASE_URL and the other variables of docs/getting-started.md it
// subscribes to that service and receives until Ctrl-C. It then needs -dir, and
// -callback with the address under which the service reaches it.
//
// One instance needs nothing but a directory. Two share the work with -nats,
// which holds the queue and what is known of events, or with -redis, which
// holds the latter and the rate limit; and with one database, see -db. The keys
// are in the database, or in PRACTICE_WEBHOOK_KEY and, as 64 hexadecimal
// digits, PRACTICE_REQUEST_ID_KEY.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/practicesdk/practice-go/examples/internal/program"
)

func main() {
	os.Exit(program.Run("webhook-receiver", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	options, err := parse(args)
	if err != nil {
		return err
	}
	a := &app{options: options, screen: newScreen(stdout, env)}
	defer func() { err = errors.Join(err, a.close(context.WithoutCancel(ctx))) }()
	if err := a.open(ctx, env); err != nil {
		return err
	}
	return a.run(ctx)
}

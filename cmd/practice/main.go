// Practice calls every operation of the service from the command line.
//
//	go run ./cmd/practice --sandbox matters list
//
// With --sandbox, it uses an embedded service and needs no account. Otherwise,
// it uses the profile that practice login created, or the profile in the
// environment. It writes results to stdout and everything else to stderr. For
// recipes and exit codes, see docs/cli.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/practicesdk/practice-go/cmd/practice/internal/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)                            // a second Ctrl-C ends the program at once
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a write to a closed pipe returns an error, so that no id is lost
	code := command.Run(ctx, os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Getenv)
	stop()
	os.Exit(code)
}

// Practice-sandbox runs the embedded practice management service as a program, for
// people who want to try it and for tests in other languages.
//
//	go run github.com/practicesdk/practice-go/cmd/practice-sandbox -listen 127.0.0.1:0
//
// Its first lines are shell assignments: the addresses, the credentials, and
// identifiers of the firm that was made up. Then it serves until it is interrupted.
// Everything lives in memory and is gone afterwards.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run serves until the context ends and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2 // package flag has said why
	}
	if err := serve(ctx, opts, stdout); err != nil {
		_, _ = fmt.Fprintf(stderr, "practice-sandbox: %v\n", err) // there is no other place to say it
		return 1
	}
	return 0
}

func serve(ctx context.Context, opts []practicetest.Option, stdout io.Writer) error {
	server, err := practicetest.Start(opts...)
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, greeting(server))
	if err == nil {
		<-ctx.Done()
	}
	return errors.Join(err, server.Close())
}

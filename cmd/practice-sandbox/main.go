// Practice-sandbox runs the embedded practice management service as a program,
// for trying it out and for tests in other languages.
//
//	go run github.com/practicesdk/practice-go/cmd/practice-sandbox -listen 127.0.0.1:0
//
// It first prints shell assignments: the URLs, the credentials, and ids of the
// generated firm. Then it serves until it is interrupted. It keeps everything
// in memory, unless -state names a file.
//
// It is strict: requests that the API does not allow are printed to
// stderr, and after any of them the exit code is 1. PRACTICE_SANDBOX_URL is the
// URL that controls the sandbox, see docs/sandbox.md. PRACTICE_SANDBOX_PAGE is
// a page that shows its state.
//
// Unless flags say otherwise, it listens on this machine, delivers webhooks
// only to this machine, and uses random secrets.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/practicesdk/practice-go/internal/sandbox"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := sandbox.Run(ctx, "practice-sandbox", os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Practice-sandbox runs the embedded practice management service as a program,
// for people who want to try it and for tests in other languages.
//
//	go run github.com/practicesdk/practice-go/cmd/practice-sandbox -listen 127.0.0.1:0
//
// It first prints shell assignments: the addresses, the credentials, and
// identifiers of the firm that it has made up. Then it serves until it is
// interrupted. It keeps everything in memory, so nothing is left afterwards,
// unless -state names a file.
//
// It is strict: each request that the interface does not allow is printed to
// stderr, and when there were any, it ends with 1. PRACTICE_SANDBOX_URL is
// where the sandbox is controlled: docs/sandbox.md shows how.
// PRACTICE_SANDBOX_PAGE is a page to look around.
//
// It listens on this machine and delivers webhooks to this machine only, and
// its secrets are random, unless the command line says otherwise.
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

// Practice-sandbox runs the embedded practice management service as a program,
// for trying it out and for tests in other languages.
//
//	go run github.com/practicesdk/practice-go/cmd/practice-sandbox -listen 127.0.0.1:0
//
// It first prints shell assignments with the URLs, the credentials, and ids of
// the generated firm. It then serves requests until it is interrupted. It keeps
// everything in memory unless -state names a file.
//
// It is strict: if a request is not allowed by the API, the sandbox prints the
// request to stderr and later ends with exit code 1. PRACTICE_SANDBOX_URL is
// the URL that controls the sandbox (see docs/sandbox.md).
// PRACTICE_SANDBOX_PAGE is the URL of a page that shows its state.
//
// By default, it listens only on this machine, delivers webhooks only to this
// machine, and uses random secrets.
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

// Package program is what the main functions of the examples have in common.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/practicesdk/practice-go/examples/internal/term"
)

// ErrUsage is a command line that cannot be understood.
var ErrUsage = errors.New("bad command line")

// Exit statuses.
const (
	Success     = 0
	Failure     = 1
	Usage       = 2
	Interrupted = 130 // as shells have it for Ctrl-C
)

// Run calls run with a context that ends with Ctrl-C, says what went wrong, and
// returns the exit status. A second Ctrl-C ends the program at once.
func Run(name string, stderr io.Writer, run func(context.Context) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	err := run(ctx)
	status := statusOf(ctx, err)
	switch status {
	case Success:
	case Interrupted:
		_, _ = fmt.Fprintf(stderr, "%s: interrupted\n", name) // there is no other place to say it
	default:
		_, _ = fmt.Fprintf(stderr, "%s: %s\n", name, term.Clean(err.Error()))
	}
	return status
}

func statusOf(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return Success
	case ctx.Err() != nil:
		return Interrupted
	case errors.Is(err, ErrUsage):
		return Usage
	}
	return Failure
}

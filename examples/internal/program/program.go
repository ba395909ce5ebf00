// Package program holds the parts that the main functions of the examples
// share.
package program

import (
	"context"
	"errors"
	"flag"
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

// Parse reads a command line of flags and of at most that many arguments. It
// fails with flag.ErrHelp or ErrUsage, and leaves it to Run to print them.
func Parse(flags *flag.FlagSet, args []string, most int) error {
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err == nil && flags.NArg() > most:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(most))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return nil
}

// Run calls run with a context that ends with Ctrl-C, prints its error, and
// returns the exit status. A second Ctrl-C ends the program at once. It prints
// the usage when run fails with flag.ErrHelp or ErrUsage.
func Run(name, usage string, stdout, stderr io.Writer, run func(context.Context) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	// A reader that went away is an error of the write then, and run can clean
	// up.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	err := run(ctx)
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(stdout, usage)
	}
	status := statusOf(ctx, err)
	switch status {
	case Success:
	case Interrupted:
		say(stderr, "%s: interrupted\n", name)
	case Usage:
		say(stderr, "%s: %s\n%s", name, term.Clean(err.Error()), usage)
	default:
		say(stderr, "%s: %s\n", name, term.Clean(err.Error()))
	}
	return status
}

// say ignores an error: it could not be reported elsewhere.
func say(stderr io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(stderr, format, args...) }

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

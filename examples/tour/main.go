// Tour calls every operation of the library at least once and prints one line
// for each: the operation, the status, the time and the request id. It exits with
// 1 if any call failed.
//
//	go run ./examples/tour [-write]
//
// Without any variable it starts the embedded service. With PRACTICE_BASE_URL,
// PRACTICE_API_KEY and either PRACTICE_TOKEN_URL, PRACTICE_CLIENT_ID and
// PRACTICE_CLIENT_SECRET or PRACTICE_ACCESS_TOKEN it calls that service, with the
// identifiers of the variables PRACTICE_MATTER_ID, PRACTICE_STAFF_ID and so on,
// which cmd/practice-sandbox prints. It writes only to this machine, or with
// -write; elsewhere it reads, and says what it left out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := exitCode(ctx, run(ctx, os.Args[1:], os.Stdout, os.Getenv), os.Stderr)
	stop()
	os.Exit(code)
}

// exitCode is 130 after an interruption, 2 for a bad command line and 1 for
// everything else that went wrong.
func exitCode(ctx context.Context, err error, stderr io.Writer) int {
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, _ = fmt.Fprintln(stderr, usage) // there is no other place to say it
		return 0
	case ctx.Err() != nil:
		_, _ = fmt.Fprintln(stderr, "tour: interrupted")
		return 130
	case err == nil:
		return 0
	}
	_, _ = fmt.Fprintln(stderr, "tour:", term.Clean(err.Error()))
	if errors.Is(err, errUsage) {
		_, _ = fmt.Fprintln(stderr, usage)
		return 2
	}
	return 1
}

const usage = `usage: tour [-write]
  -write  write to the service that the variables name, wherever it is`

var errUsage = errors.New("bad command line")

// run makes the tour. More settings of the client are for tests.
func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string, more ...practice.ClientOption) (err error) {
	write, err := parse(args)
	if err != nil {
		return err
	}
	w := newWire()
	defer w.close()
	service, err := setup.Open(env, setup.Options{
		Program: "practice-tour",
		Client:  append([]practice.ClientOption{practice.WithHTTPClient(&http.Client{Transport: w})}, more...),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()

	t := &tour{
		Printer: term.New(stdout, env), Service: service, wire: w, made: map[string]string{},
		here: setup.Loopback(service.BaseURL),
	}
	t.writes = t.here || write
	return t.run(ctx)
}

func parse(args []string) (write bool, err error) {
	flags := flag.NewFlagSet("tour", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // exitCode says it
	flags.BoolVar(&write, "write", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return false, err
	case err != nil:
		return false, fmt.Errorf("%w: %w", errUsage, err)
	case flags.NArg() > 0:
		return false, fmt.Errorf("%w: unexpected argument %q", errUsage, flags.Arg(0))
	}
	return write, nil
}

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
// -write; elsewhere it reads, and says what it left out. Elsewhere it also wants
// to be told whom to write to and who is to leave: PRACTICE_MESSAGE_CONTACT_ID and
// PRACTICE_DELETE_STAFF_ID.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
)

func main() {
	os.Exit(program.Run("tour", os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

const usage = `usage: tour [-write]
  -write  write to the service that the variables name, wherever it is
`

// run makes the tour. More settings of the client are for tests.
func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string, more ...practice.ClientOption) (err error) {
	write, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err = io.WriteString(stdout, usage)
		return err
	case err != nil:
		return fmt.Errorf("%w: %w; -h tells more", program.ErrUsage, err)
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
	flags.SetOutput(io.Discard) // the error says it
	flags.BoolVar(&write, "write", false, "")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if flags.NArg() > 0 {
		return false, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return write, nil
}

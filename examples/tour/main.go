// Tour calls every operation of the library at least once and prints one line
// for each: the operation, the status, the time and the request id. It exits
// with 1 if any call failed.
//
//	go run ./examples/tour [-write] [-only ids]
//
// Without any variable it starts the embedded service. With PRACTICE_BASE_URL,
// PRACTICE_API_KEY and either PRACTICE_TOKEN_URL, PRACTICE_CLIENT_ID and
// PRACTICE_CLIENT_SECRET or PRACTICE_ACCESS_TOKEN it calls that service, with
// the identifiers of the variables PRACTICE_MATTER_ID, PRACTICE_STAFF_ID and so
// on, which cmd/practice-sandbox prints. It writes only to this machine, or
// with -write; elsewhere it reads, and says what it left out. Elsewhere it also
// wants to be told whom to write to and what it is to delete, unless the tour
// has made it: PRACTICE_MESSAGE_CONTACT_ID, PRACTICE_DELETE_STAFF_ID and so on.
//
// With -only it calls the operations of those operationIds and nothing else,
// for example -only listEvents,getStaff.
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
	os.Exit(program.Run("tour", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

const usage = `usage: tour [-write] [-only ids]
  -write     write to the service that the variables name, wherever it is
  -only ids  call the operations of these operationIds only, separated by commas
`

// run makes the tour. opts are for tests.
func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string, more ...practice.ClientOption) (err error) {
	write, only, err := parse(args)
	if err != nil {
		return err
	}
	all, err := steps(ctx, only)
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
	return t.run(ctx, all)
}

func parse(args []string) (write bool, only []string, err error) {
	flags := flag.NewFlagSet("tour", flag.ContinueOnError)
	flags.BoolVar(&write, "write", false, "")
	ids := flags.String("only", "", "")
	if err := program.Parse(flags, args, 0); err != nil {
		return false, nil, err
	}
	only = idsOf(*ids)
	if id, unknown := unknownID(only); unknown {
		return false, nil, fmt.Errorf("%w: no operation has the id %q", program.ErrUsage, id)
	}
	return write, only, nil
}

// Statement prints the monthly statement of a matter: fees, expenses, and the
// money that the firm holds for it, exact to the cent. It also says what is
// wrong with it: a fee that was billed twice, a balance that does not add up.
//
//	go run ./examples/statement [-matter ID] [-month 2026-02] [-csv]
//
// Without any variable it starts the embedded service and makes two mistakes
// there, to find them. With PRACTICE_BASE_URL and the other variables of
// docs/getting-started.md it reads from that service, the matter of -matter or
// PRACTICE_MATTER_ID, and writes nothing to it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
)

func main() {
	os.Exit(program.Run("statement", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

const usage = `usage: statement [-matter ID] [-month YYYY-MM] [-csv]
  -matter ID      matter of the statement; else PRACTICE_MATTER_ID
  -month YYYY-MM  month of the statement; else this one
  -csv            comma-separated values, one line an entry
`

// ErrFindings reports that the statement is not in order.
var ErrFindings = errors.New("the statement is not in order")

type options struct {
	matterID string
	month    string
	csv      bool
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("statement", flag.ContinueOnError)
	flags.StringVar(&o.matterID, "matter", "", "")
	flags.StringVar(&o.month, "month", time.Now().UTC().Format("2006-01"), "")
	flags.BoolVar(&o.csv, "csv", false, "")
	if err := program.Parse(flags, args, 0); err != nil {
		return o, err
	}
	if _, err := time.Parse("2006-01", o.month); err != nil {
		return o, fmt.Errorf("%w: %w", program.ErrUsage, err)
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	o, err := parse(args)
	if err != nil {
		return err
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-statement"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	return o.state(ctx, service, stdout, env)
}

// state writes the statement.
func (o options) state(ctx context.Context, service *setup.Service, stdout io.Writer, env func(string) string) error {
	matterID := o.matterID
	if matterID == "" {
		matterID = service.ID("MATTER_ID")
	}
	if matterID == "" {
		return fmt.Errorf("%w: which matter? Name it with -matter or %s", program.ErrUsage, setup.Variable("MATTER_ID"))
	}
	if service.Embedded {
		if err := makeMistakes(ctx, service, matterID); err != nil {
			return err
		}
	}
	s, err := read(ctx, service.Client, matterID, o.month)
	if err != nil {
		return err
	}
	if o.csv {
		return errors.Join(s.writeCSV(stdout), s.inOrder(service.Embedded))
	}
	p := term.New(stdout, env)
	s.print(p)
	return errors.Join(p.Err(), s.inOrder(service.Embedded))
}

// inOrder returns an error for a script when something was found; the mistakes
// that the program made itself are none.
func (s *statement) inOrder(embedded bool) error {
	if len(s.findings) == 0 || embedded {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrFindings, term.Count(len(s.findings), "finding"))
}

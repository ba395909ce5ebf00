// Correct-fees gives many fees another rate, from a list, and writes down what
// each one was and what became of it.
//
//	go run ./examples/correct-fees [-write] [-wait 1m] [list.csv] >>changes.csv
//
// A line of the list is: id of the matter, id of the fee, rate in dollars.
// Without -write nothing is changed, and the output says what would be.
//
// Without any variable it starts the embedded service, and without a list it
// makes up some fees there. With PRACTICE_BASE_URL and the other variables of
// docs/getting-started.md it works on that service.
//
// The same command can be repeated at any time, also after a kill: a fee that
// has its rate is left alone. The output has the old rate of a fee before it is
// changed. The service accepts a change before it executes it and tells
// nobody of a success, so each fee is read again until it has its rate.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
)

const usage = `usage: correct-fees [-write] [-wait TIME] [list.csv]
  -write      change the fees; else only say what would be changed
  -wait TIME  how long to wait for a change to take effect; else 1m
`

// ErrIncomplete reports that some fees do not have their rate.
var ErrIncomplete = errors.New("not every fee has its rate")

var errLeftAlone = errors.New("left alone: deleted or final")

func main() {
	os.Exit(program.Run("correct-fees", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	flags := flag.NewFlagSet("correct-fees", flag.ContinueOnError)
	write := flags.Bool("write", false, "")
	wait := flags.Duration("wait", time.Minute, "")
	switch err := program.Parse(flags, args, 1); {
	case err != nil:
		return err
	case *wait <= 0:
		return fmt.Errorf("%w: -wait must be above 0", program.ErrUsage)
	case flags.NArg() == 0 && env(setup.Variable("BASE_URL")) != "":
		return fmt.Errorf("%w: which list of fees?", program.ErrUsage)
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-correct-fees"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	var fees []fee
	if flags.NArg() == 0 {
		fees = makeUp(service.Server())
	} else if fees, err = load(flags.Arg(0)); err != nil {
		return err
	}
	c := &correction{fees: service.Client.Fees, write: *write, wait: *wait, out: csv.NewWriter(stdout)}
	ctx, c.stop = context.WithCancelCause(ctx)
	defer c.stop(nil)
	report, err := once.Run(ctx, keyed(fees), c.correct, once.RunOptions{Concurrency: 16}) // their waits overlap
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(report.Failed) > 0:
		return fmt.Errorf("%w: %s left", ErrIncomplete, term.Count(len(report.Failed), "fee"))
	}
	return err
}

// correction is a run over the list. Each line of its output is written before
// the next step.
type correction struct {
	fees  *practice.FeesService
	write bool
	wait  time.Duration
	stop  context.CancelCauseFunc // of the run, when the output breaks

	mu  sync.Mutex
	out *csv.Writer
}

// note writes what became of a fee.
func (c *correction) note(f fee, before models.Decimal, result string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.out.Write([]string{f.matterID, f.id, before.String(), f.rate.String(), term.Clean(strings.ReplaceAll(result, "\n", " "))})
	c.out.Flush()
	if err = errors.Join(err, c.out.Error()); err != nil {
		c.stop(err)
	}
	return err
}

// correct sets the rate of a fee, and records the former rate and the result.
func (c *correction) correct(ctx context.Context, _ string, f fee) error {
	before, err := c.fees.Get(ctx, f.matterID, f.id)
	var rate models.Decimal
	result := "right already"
	if err == nil {
		rate = before.Rate
		switch {
		case before.IsDeleted.Or(false) || before.Finalized.Or(false):
			err = errLeftAlone
		case rate.Equal(f.rate):
		case !c.write:
			result = "would be changed"
		default:
			result, err = "changed", c.change(ctx, f, rate)
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		result = err.Error()
	}
	return errors.Join(err, c.note(f, rate, result))
}

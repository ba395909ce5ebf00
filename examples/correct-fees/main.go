// Correct-fees gives many fees another rate, from a list, and writes down what
// each one was and what became of it.
//
//	go run ./examples/correct-fees [-write] [-wait 1m] [list.csv] >>journal.csv
//
// A line of the list is: id of the matter, id of the fee, rate in dollars.
// Without -write nothing is changed, and the journal says what would be.
//
// Without any variable it starts the embedded service, and without a list it
// makes up some fees there. With PRACTICE_BASE_URL and the other variables of
// docs/getting-started.md it works on that service.
//
// The same command can be repeated at any time, also after a kill: a fee that
// has its rate is left alone. The journal has the old rate of a fee before it
// is changed. The service accepts a change before it executes it and tells
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
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
)

const usage = `usage: correct-fees [-write] [-wait TIME] [list.csv]
  -write      change the fees; else only say what would be changed
  -wait TIME  how long to wait for the changes to take effect; else 1m
`

// ErrIncomplete reports that some fees do not have their rate.
var ErrIncomplete = errors.New("not every fee has its rate")

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
	j := &journal{out: csv.NewWriter(stdout)}
	if err := j.correct(ctx, service.Client.Fees, fees, *write, *wait); err != nil {
		return err
	}
	if j.open > 0 {
		return fmt.Errorf("%w: %s left", ErrIncomplete, term.Count(j.open, "fee"))
	}
	return nil
}

// journal is what became of the fees. Each line is written before the next
// step.
type journal struct {
	out  *csv.Writer
	open int // fees that do not have their rate
}

func (j *journal) note(f fee, before models.Decimal, result string) error {
	if err := j.out.Write([]string{f.matterID, f.id, before.String(), f.rate.String(), term.Clean(result)}); err != nil {
		return err
	}
	j.out.Flush()
	return j.out.Error()
}

// correct changes the fees one by one, and then waits for all of them: the
// waits overlap.
func (j *journal) correct(ctx context.Context, fees *practice.FeesService, list []fee, write bool, wait time.Duration) error {
	var sent []sending
	for _, f := range list {
		before, err := fees.Get(ctx, f.matterID, f.id)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			err = j.failed(f, models.Decimal{}, err.Error())
		case before.IsDeleted.Or(false) || before.Finalized.Or(false):
			err = j.failed(f, before.Rate, "left alone: deleted or final")
		case before.Rate.Equal(f.rate):
			err = j.note(f, before.Rate, "right already")
		case !write:
			err = j.note(f, before.Rate, "would be changed")
		default:
			if err = j.note(f, before.Rate, "changing"); err == nil {
				sent, err = j.send(ctx, fees, sending{f, before.Rate}, sent)
			}
		}
		if err != nil {
			return err
		}
	}
	until := time.Now().Add(wait)
	for _, s := range sent {
		if err := j.confirm(ctx, fees, s, max(time.Until(until), time.Millisecond)); err != nil {
			return err
		}
	}
	return nil
}

func (j *journal) failed(f fee, before models.Decimal, why string) error {
	j.open++
	return j.note(f, before, strings.ReplaceAll(why, "\n", " "))
}

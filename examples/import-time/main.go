// Import-time adds the time entries of another system as fees. It adds each
// entry once, however often it is interrupted and restarted.
//
//	go run ./examples/import-time [-journal FILE] [-again] [entries.csv]
//
// Each line of the list holds: id of the entry, id of the matter, day, minutes,
// rate in dollars an hour, text. The id is unique and becomes part of the text
// of the fee, so that the program can find the fee again when an answer was
// lost.
//
// Without environment variables it starts the embedded service, which loses
// some answers; without a list it generates some entries there. With
// PRACTICE_BASE_URL and the other variables of docs/getting-started.md it uses
// that service.
//
// A journal beside the list records each request and its result. To continue an
// interrupted run, run the same command again. The program lists the entries
// whose fee it could not find and leaves them to a person; with -again it adds
// them a second time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/once"
)

const usage = `usage: import-time [-journal FILE] [-settle TIME] [-again] [entries.csv]
  -journal FILE  what was done so far; else the list with .journal behind it
  -settle TIME   how long to look for a fee whose answer was lost; else 1m
  -again         then add it again
`

// ErrIncomplete reports that some entries are no fees, or nobody knows.
var ErrIncomplete = errors.New("not every entry is a fee")

func main() {
	os.Exit(program.Run("import-time", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

// options are those of the command line.
type options struct {
	list, journal string
	settle        time.Duration
	again         bool
}

func parse(args []string, env func(string) string) (o options, err error) {
	flags := flag.NewFlagSet("import-time", flag.ContinueOnError)
	flags.StringVar(&o.journal, "journal", "", "")
	flags.DurationVar(&o.settle, "settle", once.DefaultSettle, "")
	flags.BoolVar(&o.again, "again", false, "")
	if err := program.Parse(flags, args, 1); err != nil {
		return o, err
	}
	o.list = flags.Arg(0)
	switch {
	case o.settle <= 0:
		return o, fmt.Errorf("%w: -settle must be above 0", program.ErrUsage)
	case o.list == "" && env(setup.Variable("BASE_URL")) != "":
		return o, fmt.Errorf("%w: which list of entries?", program.ErrUsage)
	case o.journal == "":
		o.journal = o.list + ".journal"
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	o, err := parse(args, env)
	if err != nil {
		return err
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-import-time"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	var entries []entry
	if o.list != "" {
		entries, err = load(o.list)
	} else {
		dir, fails := os.MkdirTemp("", "practice-import-")
		if fails != nil {
			return fails
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		o.journal, entries = filepath.Join(dir, "made-up.journal"), makeUp(service.Server())
	}
	if err != nil {
		return err
	}
	journal, err := once.Open(o.journal)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	i := &imports{Printer: term.New(stdout, env), fees: service.Client.Fees, journal: journal, options: o}
	return i.all(ctx, entries)
}

// all adds the entries, some at a time, and says what became of them.
func (i *imports) all(ctx context.Context, entries []entry) error {
	i.Title("Import of %s of time", term.Count(len(entries), "record"))
	report, err := once.Run(ctx, keyed(entries), i.add, once.RunOptions{Progress: func(r once.Report) {
		if n := r.Done + len(r.Failed); n%100 == 0 {
			i.Line("%d of %d", n, len(entries))
		}
	}})
	for _, failed := range report.Failed {
		unknown, isUnknown := errors.AsType[*once.UnknownError](failed)
		switch {
		case isUnknown && len(unknown.IDs) > 0:
			i.Bad("%s: any of the fees %q may be it", failed.Key, unknown.IDs)
		case isUnknown:
			i.Bad("%s: sent at %s, and not found", failed.Key, unknown.Intent.At.Format(time.DateTime))
		default:
			i.Bad("%s: not added: %s", failed.Key, failed.Err)
		}
	}
	if ctx.Err() != nil {
		i.Note("%d of %d are fees. The same command goes on.", report.Done, len(entries))
		return context.Cause(ctx)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%w: %d of %d are", ErrIncomplete, report.Done, len(entries)), i.Err())
	}
	i.Good("Each is a fee, once, %s in all.", i.minutes.text())
	return i.Err()
}

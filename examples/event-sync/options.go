package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
)

const usage = `usage: event-sync [-full] [-prune] [file]
  -full   read the whole calendar and look for what vanished; else once a day
  -prune  take events that vanished as deleted even if they are more than half of the copy
  -page N read and store N events at a time, 1 to 500; else 500
  file    the SQLite database
`

// options is the command line.
type options struct {
	full, prune bool
	page        int
	file        string // empty for an example that the program makes
}

// parse reads the command line; flag.ErrHelp asks for the usage.
func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("event-sync", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the error says it
	flags.BoolVar(&o.full, "full", false, "")
	flags.BoolVar(&o.prune, "prune", false, "")
	flags.IntVar(&o.page, "page", practice.MaxPageSize, "")
	err = flags.Parse(args)
	switch {
	case err != nil:
	case flags.NArg() > 1:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(1))
	case o.page < 1 || o.page > practice.MaxPageSize:
		err = fmt.Errorf("-page must be 1 to %d", practice.MaxPageSize)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		err = fmt.Errorf("%w: %w; -h tells more", program.ErrUsage, err)
	}
	o.file = flags.Arg(0)
	return o, err
}

func (o *options) complete(embedded bool) error {
	if o.file == "" && !embedded {
		return fmt.Errorf("%w: which file?", program.ErrUsage)
	}
	return nil
}

package main

import (
	"flag"
	"fmt"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
)

const usage = `usage: event-sync [-full] [-prune] [-page N] [file]
  -full    read the whole calendar and look for what vanished; else once a day
  -prune   take events that vanished as deleted even if they are more than half
           of the copy
  -page N  read and store N events at a time, 1 to 500; else 500
  file     the SQLite database; without a service of your own it may be left out
`

// options is the command line.
type options struct {
	full, prune bool
	page        int
	file        string // empty for an example that the program makes
}

// parse reads the command line.
func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("event-sync", flag.ContinueOnError)
	flags.BoolVar(&o.full, "full", false, "")
	flags.BoolVar(&o.prune, "prune", false, "")
	flags.IntVar(&o.page, "page", practice.MaxPageSize, "")
	err = program.Parse(flags, args, 1)
	if err == nil && (o.page < 1 || o.page > practice.MaxPageSize) {
		err = fmt.Errorf("%w: -page must be 1 to %d", program.ErrUsage, practice.MaxPageSize)
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

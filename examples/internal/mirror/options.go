package mirror

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
)

// Options are what the command line says.
type Options struct {
	MatterID string
	FolderID string
	Dir      string // empty for an example that the program makes
}

// Parse reads the command line of a program; flag.ErrHelp asks for its usage.
func Parse(name string, args []string) (o Options, err error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the error says it
	flags.StringVar(&o.MatterID, "matter", "", "")
	flags.StringVar(&o.FolderID, "folder", "", "")
	err = flags.Parse(args)
	if err == nil && flags.NArg() > 1 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(1))
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		err = fmt.Errorf("%w: %w; -h tells more", program.ErrUsage, err)
	}
	o.Dir = flags.Arg(0)
	return o, err
}

// Complete takes what the command line leaves open from the service.
func (o *Options) Complete(service *setup.Service) error {
	if o.MatterID == "" {
		o.MatterID = service.ID("MATTER_ID")
	}
	switch {
	case o.MatterID == "":
		return fmt.Errorf("%w: which matter? Name it with -matter or %s", program.ErrUsage, setup.Variable("MATTER_ID"))
	case o.Dir == "" && !service.Embedded:
		return fmt.Errorf("%w: which directory?", program.ErrUsage)
	}
	return nil
}

// Command is the command line that does the same.
func (o *Options) Command(name string) string {
	command := "go run ./examples/" + name + " -matter " + Quote(o.MatterID)
	if o.FolderID != "" {
		command += " -folder " + Quote(o.FolderID)
	}
	if o.Dir != "" {
		command += " " + Quote(o.Dir)
	}
	return command
}

package dirs

import (
	"flag"
	"fmt"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
)

// Options are what the command line says.
type Options struct {
	MatterID string
	FolderID string
	Dir      string // empty for an example that the program makes
	Slow     bool
}

// Settings are those of the client that the options ask for.
func (o Options) Settings() []practice.ClientOption {
	if o.Slow {
		return []practice.ClientOption{practice.WithBandwidth(slowly)}
	}
	return nil
}

// slowly is what -slow leaves, in bytes a second.
const slowly = 512 << 10

// Parse reads the command line of a program.
func Parse(name string, args []string) (o Options, err error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.StringVar(&o.MatterID, "matter", "", "")
	flags.StringVar(&o.FolderID, "folder", "", "")
	flags.BoolVar(&o.Slow, "slow", false, "")
	err = program.Parse(flags, args, 1)
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

// Command is the command line that does the same, and not slowly.
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

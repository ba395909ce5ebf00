package command

import (
	"cmp"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build describes the build of the program.
type build struct {
	Version string `json:"version"` // "(devel)" if built from a checkout
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

func thisBuild() build {
	b := build{Version: "(devel)", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = cmp.Or(info.Main.Version, b.Version)
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			b.Commit = setting.Value
		}
	}
	return b
}

func (b build) String() string {
	text := "practice " + b.Version + ", " + b.Go + ", " + b.System
	if b.Commit != "" {
		text += ", commit " + b.Commit
	}
	return text
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version of the program", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if a.format == "" {
				c.Println(thisBuild())
				return nil
			}
			printer, err := a.printer()
			if err != nil {
				return err
			}
			return printer.single(encode(thisBuild()))
		},
	}
}

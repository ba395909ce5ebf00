package command

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// build describes the build of the program, for programs.
type build map[string]string

func thisBuild() build {
	b := build{"version": "(devel)", "go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b["version"] = cmp.Or(info.Main.Version, b["version"])
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				b["commit"] = setting.Value
			}
		}
	}
	return b
}

func (b build) String() string {
	return strings.TrimSuffix("practice "+b["version"]+", "+b["go"]+", "+b["system"]+", commit "+b["commit"], ", commit ")
}

// helpOrVersion runs the program without a command. A version template of the
// command line library would link text/template, and with it every method of
// every type: 4.5 MB of 28.
func (a *app) helpOrVersion(c *cobra.Command, args []string) error {
	if version, err := c.Flags().GetBool("version"); err != nil || !version {
		return showHelp(c, args)
	}
	c.Println(thisBuild())
	return nil
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version of the program", Args: takes,
		RunE: func(*cobra.Command, []string) error {
			if a.format == "" {
				_, err := fmt.Fprintln(a.Out, thisBuild())
				return err
			}
			printer, err := a.printer()
			if err != nil {
				return err
			}
			return printer.single(encode(thisBuild()))
		},
	}
}

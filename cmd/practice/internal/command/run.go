// Package command implements the program practice: its commands, flags and
// output.
package command

import (
	"context"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

//go:generate go test -count=1 -vet=off -run ^(TestTheExamplesAreWritten|TestTheTableOfEndsIsInTheManual)$ . -update

// Streams holds the standard streams of the process or of a test.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run executes a command line and returns the exit code.
func Run(ctx context.Context, args []string, std Streams, env func(string) string) (code int) {
	a := &app{Streams: std, env: env, open: openBrowser}
	defer a.close()
	defer func() {
		if broken := recover(); broken != nil {
			code = a.report(phaseSend.of(defect{broken, debug.Stack()}))
		}
	}()
	return a.execute(ctx, args)
}

func (a *app) execute(ctx context.Context, args []string) (code int) {
	root := a.command(args...)
	a.lookForFormat(args)
	root.SetArgs(args)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	reached, err := root.ExecuteContextC(ctx)
	a.reached = reached.CommandPath()
	return a.report(err)
}

// Tree returns the commands without an environment, for manual pages.
func Tree() *cobra.Command {
	return (&app{Streams: Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, env: func(string) string { return "" }}).command()
}

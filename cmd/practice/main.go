// Practice calls every operation of the service from the prompt.
//
//	go run ./cmd/practice --sandbox matters list
//
// With --sandbox it works on an embedded service and needs no account. Else it
// reads PRACTICE_BASE_URL, PRACTICE_API_KEY and PRACTICE_ACCESS_TOKEN. Results
// go to stdout, everything else to stderr; docs/cli.md has recipes and the exit
// codes.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}, os.Getenv)
	stop()
	os.Exit(code)
}

// streams are those of the process, or of a test.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run executes a command line and returns the exit code.
func run(ctx context.Context, args []string, std streams, env func(string) string) int {
	a := &app{streams: std, env: env}
	defer a.close()
	root := a.command()
	root.SetArgs(args)
	root.SetOut(std.out)
	root.SetErr(std.err)
	return a.report(root.ExecuteContext(ctx))
}

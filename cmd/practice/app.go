package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// app is one execution of the program.
type app struct {
	streams
	env    func(string) string
	server *practicetest.Server // of --sandbox; nil without

	sandbox, baseURL string
	format           string
	columns          []string
	jq, sum          string
	quiet            bool
	yes, dryRun      bool
}

// inMemory is the value of --sandbox without a file.
const inMemory = "memory"

// command returns the program's command with all others below it.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "practice",
		Short:         "Call every operation of the practice management service",
		Args:          noSuchCommand,
		RunE:          showHelp,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.sandbox, "sandbox", "", "work on an embedded service; with =FILE the firm is kept there")
	flags.Lookup("sandbox").NoOptDefVal = inMemory
	flags.StringVar(&a.baseURL, "base-url", "", "address of the service, else PRACTICE_BASE_URL")
	flags.StringVarP(&a.format, "output", "o", "", "table, json, jsonl or csv; a table on a terminal, else json")
	flags.StringSliceVar(&a.columns, "columns", nil, "members to show in a table or CSV, such as title,staff.id")
	flags.StringVar(&a.jq, "jq", "", "pass each record through a jq filter; its arithmetic is that of floating point")
	flags.StringVar(&a.sum, "sum", "", "add up a member of the records, exactly")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print no notes to stderr")
	flags.BoolVarP(&a.yes, "yes", "y", false, "delete and move money without asking")
	flags.BoolVar(&a.dryRun, "dry-run", false, "print the request and send nothing")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return misuse{err} })
	root.SetHelpFunc(printHelp)
	root.AddCommand(a.operationCommands()...)
	root.AddCommand(a.apiCommand())
	return root
}

// misuse is an error of the command line.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// note prints a line for people to stderr.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		_, _ = fmt.Fprintf(a.err, format+"\n", args...) // there is no other place to say it
	}
}

// client returns the client of the service, or of the sandbox.
func (a *app) client() (*practice.Client, error) {
	address := firstOf(a.baseURL, a.env("PRACTICE_BASE_URL"))
	opts := []practice.ClientOption{practice.WithUserAgent("practice-cli")}
	if a.dryRun {
		opts = append(opts, practice.WithRetries(0))
	}
	if a.sandbox != "" {
		if err := a.startSandbox(); err != nil {
			return nil, err
		}
		own := a.server.Credentials()
		address = a.server.BaseURL()
		opts = append(opts, practice.WithAPIKey(own.APIKey), practice.WithAccessToken(own.AccessToken), practice.WithHTTPClient(a.httpClient()))
		return practice.NewClient(address, opts...)
	}
	for name, value := range map[string]string{
		"PRACTICE_BASE_URL": address, "PRACTICE_API_KEY": a.env("PRACTICE_API_KEY"), "PRACTICE_ACCESS_TOKEN": a.env("PRACTICE_ACCESS_TOKEN"),
	} {
		if value == "" {
			return nil, misuse{fmt.Errorf("%s is not set; --sandbox needs no account", name)}
		}
	}
	opts = append(opts, practice.WithAPIKey(a.env("PRACTICE_API_KEY")), practice.WithAccessToken(a.env("PRACTICE_ACCESS_TOKEN")), practice.WithHTTPClient(a.httpClient()))
	return practice.NewClient(address, opts...)
}

// httpClient returns the client for requests: for --dry-run one that prints
// them.
func (a *app) httpClient() *http.Client {
	if a.dryRun {
		return &http.Client{Transport: printed{a.out}}
	}
	if a.server != nil {
		return a.server.HTTPClient()
	}
	return &http.Client{}
}

func (a *app) startSandbox() (err error) {
	if a.server != nil {
		return nil
	}
	var opts []practicetest.Option
	if a.sandbox != inMemory {
		opts = append(opts, practicetest.WithStateFile(a.sandbox))
	}
	if a.server, err = practicetest.Start(opts...); err != nil {
		return fmt.Errorf("the sandbox: %w", err)
	}
	return nil
}

func (a *app) close() {
	if a.server != nil {
		_ = a.server.Close() // nothing is left to be done
	}
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// Exit codes.
const (
	exitDone       = 0
	exitFailed     = 1
	exitMisused    = 2
	exitNotFound   = 3
	exitNotAllowed = 4
	exitUnknown    = 5 // nobody can say whether a write was executed
	exitIncomplete = 6 // records of a list may be missing
)

func exitCode(err error) int {
	is := func(targets ...error) bool {
		for _, target := range targets {
			if errors.Is(err, target) {
				return true
			}
		}
		return false
	}
	switch {
	case err == nil, errors.Is(err, errDryRun):
		return exitDone
	case has[*practice.AmbiguousWriteError](err):
		return exitUnknown
	case has[misuse](err), has[*practice.ArgumentError](err), has[*practice.ConfigError](err):
		return exitMisused
	case has[*practice.PagingError](err):
		return exitIncomplete
	case is(practice.ErrNotFound):
		return exitNotFound
	case is(practice.ErrUnauthorized, practice.ErrForbidden):
		return exitNotAllowed
	}
	return exitFailed
}

func has[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// report prints an error and returns the exit code. With -o json it is an
// object, for programs.
func (a *app) report(err error) int {
	code := exitCode(err)
	if code == exitDone {
		return code
	}
	text := "practice: " + err.Error()
	if next := a.nextStep(code); next != "" {
		text += "\n" + next
	}
	if a.format == formatJSON || a.format == formatLines {
		problem := map[string]any{"error": err.Error(), "exitCode": code}
		if failed, ok := errors.AsType[*practice.Error](err); ok {
			problem["status"], problem["requestId"], problem["operation"] = failed.StatusCode, failed.RequestID, failed.Operation
		}
		text = string(encode(problem))
	}
	_, _ = fmt.Fprintln(a.err, visible(text, true)) // there is no other place to say it
	return code
}

// nextStep says what to do after a failure.
func (a *app) nextStep(code int) string {
	switch code {
	case exitMisused:
		return "See practice --help."
	case exitUnknown:
		return "The service may have executed it. List the records and look before you repeat the command."
	case exitNotAllowed:
		return "Look at the token, its scopes, and the account."
	case exitIncomplete:
		return "The list changed while it was read. Read it again."
	}
	return ""
}

// end ends a write on a dry run.
func (a *app) end(ctx context.Context, err error) error {
	if a.dryRun && errors.Is(err, errDryRun) {
		return errDryRun
	}
	if ctx.Err() != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	return err
}

package command

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/readers"
	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/spelling"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// app holds the state of one execution of the program.
type app struct {
	Streams
	env    func(string) string
	open   func(address string) error // opens a URL in a browser
	wire   *http.Client               // of every target; nil but in tests
	lines  *bufio.Reader              // reads In; nil before the first question
	server *practicetest.Server       // embedded service of --sandbox; nil without the flag
	hidden []models.Secret            // secrets that are masked in all output
	wrote  written                    // the write of the command

	operations []practice.Operation
	readers    readers.Readers
	words      vocabulary
	reached    string                     // the command that the command line names
	waiting    atomic.Pointer[time.Timer] // says that the command waits; nil: it does not
	errs       sync.Mutex                 // of Err
	shown      int                        // length of the progress on the last line of the terminal
	sent       atomic.Int64               // requests of the command

	sandbox, profile string
	format           string
	columns          []string
	jq, sum, csv     string
	debug, quiet     bool
	wide             bool
	yes, dryRun      bool
}

// inMemory is the value of --sandbox without a file.
const inMemory = "memory"

// command returns the root command for a command line, or with all subcommands
// if there is none.
func (a *app) command(line ...string) *cobra.Command {
	a.operations = practice.Operations()
	a.readers, a.words = readers.Of(a.operations), vocabularyOf(a.operations)
	root := &cobra.Command{
		Use:           "practice",
		Short:         "Call any operation of the practice management service",
		Args:          noSuchCommand,
		RunE:          a.helpOrVersion,
		SilenceUsage:  true,
		SilenceErrors: true,

		PersistentPreRunE: notEmpty,
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.sandbox, "sandbox", "", "use an embedded service; --sandbox=FILE stores its records in FILE")
	flags.Lookup("sandbox").NoOptDefVal = inMemory
	flags.StringVar(&a.profile, "profile", "", "profile to use; default: PRACTICE_PROFILE")
	flags.StringVarP(&a.format, "output", "o", "", "output format: table, json, jsonl or csv; default: table on a terminal, otherwise json")
	flags.StringVar(&a.csv, "csv", csvPlain, "CSV style: plain, or excel, which adds a byte order mark")
	flags.StringSliceVar(&a.columns, "columns", nil, "members to show in a table or CSV, such as title,staff.id")
	flags.BoolVar(&a.wide, "wide", false, "do not shorten table cells to the width of the terminal")
	flags.StringVar(&a.jq, "jq", "", "pass each record through a jq filter, which uses floating-point arithmetic")
	flags.StringVar(&a.sum, "sum", "", "print the exact sum of a member over all records")
	flags.BoolVar(&a.debug, "debug", false, "print the requests to stderr, without secrets or bodies")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "do not print notes to stderr")
	flags.BoolVarP(&a.yes, "yes", "y", false, "delete records and move money without asking")
	flags.BoolVar(&a.dryRun, "dry-run", false, "print the request without sending it")
	root.Flags().BoolP("version", "v", false, "show the version of the program")
	root.SetFlagErrorFunc(noSuchFlag)
	root.SetHelpFunc(printHelp)
	root.AddCommand(a.operationCommands(line)...)
	root.AddCommand(
		a.apiCommand(), a.copyCommand(), a.filesCommand(), a.runCommand(), a.loginCommand(), a.logoutCommand(), a.whoamiCommand(), a.configCommand(),
		a.mcpCommand(), a.sandboxCommand(), a.versionCommand(),
	)
	a.completeFlags(root)
	return root
}

// lookForFormat reads --output first, because errors of the command line are
// printed in that format, too.
func (a *app) lookForFormat(args []string) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.SetOutput(io.Discard)
	flags.StringVarP(&a.format, "output", "o", "", "")
	_ = flags.Parse(args) // errors are reported when the whole command line is parsed
}

// noSuchFlag returns the error for an unknown flag, with the most similar flag.
func noSuchFlag(c *cobra.Command, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return misuse{err}
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := spelling.Nearest(name, names); near != "" {
		return misuse{fmt.Errorf("%w; did you mean --%s?", err, near)}
	}
	return misuse{err}
}

// notEmpty returns an error for a text flag with an empty value, as of a variable
// that is not set: without the flag, a command may use another firm or more records.
func notEmpty(c *cobra.Command, _ []string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{"string ", "stringSlice []"}, f.Value.Type()+" "+f.Value.String()) {
			err = misuse{fmt.Errorf("--%s must not be empty", f.Name)}
		}
	})
	return err
}

// takes returns an error unless a command has the arguments that its usage
// names. Those in brackets may be missing, but not empty.
func takes(c *cobra.Command, args []string) error {
	names := strings.Fields(c.Use)[1:]
	needed := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return strings.HasPrefix(name, "[") })
	switch {
	case len(args) > len(names):
		return misuse{fmt.Errorf("unexpected argument %q", args[len(names)])}
	case len(args) < len(needed):
		return misuse{fmt.Errorf("the command requires %s", strings.Join(needed[len(args):], " and "))}
	}
	if i := slices.Index(args, ""); i >= 0 {
		return misuse{fmt.Errorf("%s must not be empty", strings.Trim(names[i], "[]"))}
	}
	return nil
}

// note prints a line for people to stderr.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		a.say(format, args...)
	}
}

// say prints an indispensable line to stderr.
func (a *app) say(format string, args ...any) {
	a.toErr(visible(a.masked(fmt.Sprintf(format, args...)), false))
}

// toErr prints a line to stderr, one at a time.
func (a *app) toErr(line string) {
	a.errs.Lock()
	defer a.errs.Unlock()
	a.replaceLine("")
	_, _ = fmt.Fprintln(a.Err, line) // an error cannot be printed anywhere else
}

// hide masks secrets in all output.
func (a *app) hide(secrets ...models.Secret) { a.hidden = append(a.hidden, secrets...) }

// masked returns a text without the hidden secrets.
func (a *app) masked(text string) string {
	var plain []string
	for _, secret := range a.hidden {
		plain = append(plain, secret.Reveal())
	}
	return redact.NewMask(plain...).Text(text)
}

func (a *app) close() {
	a.wait(nil)
	if a.server != nil {
		_ = a.server.Close() // the program ends anyway
	}
}

// variable returns an environment variable without surrounding spaces.
func (a *app) variable(name string) string { return strings.TrimSpace(a.env(name)) }

// profileName returns the profile named by the command line or the environment,
// or "".
func (a *app) profileName() string { return cmp.Or(a.profile, a.variable("PRACTICE_PROFILE")) }

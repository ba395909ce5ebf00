package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/finders"
	"github.com/practicesdk/practice-go/cmd/practice/internal/readers"
	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
	"github.com/practicesdk/practice-go/once"
)

// Values of --equal-rows.
const (
	equalStop  = "stop"
	equalCount = "count"
)

// many is an operation that is called for each row of a list.
type many struct {
	call
	path          string // of the list; empty for stdin
	list          *rowList
	finder        *finders.Finder
	mapped        []string // column=member
	ignored       []string
	key, equal    string
	journalPath   string
	separator     string
	acceptUnknown bool
	again         bool
	settle        time.Duration
	expect        int

	client  *practice.Client
	journal *rows.Journal
	groups  *rows.Groups
	found   survey
	tally   tally
}

// runCommand returns the command that calls an operation for each row.
func (a *app) runCommand() *cobra.Command {
	m := &many{call: call{app: a, zone: zone{time.UTC}}}
	c := &cobra.Command{
		Use: "run OPERATION [FILE]", Short: "Call an operation once for each row of a list",
		Long: "Calls a write operation, such as createFee, for each row of FILE or stdin, in CSV or JSON Lines. Each column has the name of a parameter or of a member " +
			"of the body, or is mapped to one with --map. All rows are read and checked before the first one is sent.\n\n" +
			"A journal next to FILE, or OPERATION.journal for rows from stdin, records what was sent. If the command is interrupted or responses are lost, run the same command again to continue. " +
			"The --help of each command names its operation.",
		Example: "practice --sandbox run createFee --skeleton",
		Args:    takes,
		RunE:    func(c *cobra.Command, args []string) error { return m.run(c, args) },
	}
	flags := c.Flags()
	flags.Var(&texts{of: "column=member", all: &m.mapped}, "map", "map a column to a parameter or member, such as 'Rate (AUD)=rate' or Lawyer=staffId")
	flags.Var(&texts{of: "column", all: &m.ignored}, "ignore", "do not send a column")
	flags.StringVar(&m.key, "key", "", "the `column` that identifies a row; default: the row's content")
	flags.StringVar(&m.equal, "equal-rows", equalStop, "what to do with identical rows: stop, or count to number them and send them all")
	flags.StringVar(&m.journalPath, "journal", "", "journal `file`; default: the name of the list followed by .journal")
	flags.StringVar(&m.separator, "separator", "", "CSV separator, if it is ambiguous: , or ; or tab")
	flags.BoolVar(&m.acceptUnknown, "accept-unknown", false, "send creates whose records cannot be searched for, and report the rows whose outcome is unknown")
	flags.BoolVar(&m.again, "again", false, "after a lost response, create a record again if it is not found within --settle")
	flags.DurationVar(&m.settle, "settle", once.DefaultSearchLimit, "how long to search for a record after a lost response")
	flags.IntVar(&m.expect, "expect-rows", 0, "number of rows that the list must have; with --yes, it replaces the confirmation")
	flags.BoolVar(&m.wait, "wait", false, "wait until the effect of each row is visible")
	flags.BoolVar(&m.skeleton, "skeleton", false, "print a CSV header with all columns, without sending anything")
	flags.Var(&m.zone, "zone", "time `zone` for times that have none, such as Australia/Sydney")
	c.ValidArgsFunction = m.completeOperation
	for flag, values := range map[string][]string{
		"equal-rows": {equalStop, equalCount}, "separator": {",", ";", "tab"}, "zone": {"UTC"}, "map": nil, "ignore": nil, "key": nil, "settle": nil, "expect-rows": nil,
	} {
		completeWith(c, flag, words(values...))
	}
	return c
}

// completeOperation completes the id of an operation that writes, and then the
// name of a file.
func (m *many) completeOperation(_ *cobra.Command, args []string, _ string) (ids []string, then cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	for _, o := range m.operations {
		if o.Class != practice.OperationRead {
			ids = append(ids, o.ID)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// run runs the command, from the list to the report.
func (m *many) run(c *cobra.Command, args []string) error {
	ctx := c.Context()
	if err := m.choose(args[0]); err != nil {
		return err
	}
	if m.skeleton {
		return m.printColumns()
	}
	printer, err := m.printer()
	if err != nil {
		return err
	}
	dry := m.dryRun
	m.dryRun = false // a dry run reads what is there
	if len(args) > 1 {
		m.path = args[1]
	}
	closeList, err := m.open()
	defer closeList()
	if err != nil {
		return misuse{err}
	}
	t, err := m.target(ctx)
	if err == nil && t.ReadOnly && !dry {
		err = readOnlyError{t}
	}
	if err == nil {
		err = m.survey(ctx, t)
	}
	if err != nil {
		return phaseCheck.of(err)
	}
	firm, err := m.firm(ctx, t)
	if err != nil {
		return phaseCheck.of(err)
	}
	if !dry {
		if err := m.permitRows(ctx, t, firm.name, c.Flags().Changed("expect-rows")); err != nil {
			return phaseAsk.of(err)
		}
	}
	return m.perform(ctx, t, printer, firm.id, dry)
}

// choose finds the operation, and refuses one that rows cannot call.
func (m *many) choose(id string) (err error) {
	if m.operation, err = readers.Named(m.operations, id, "; the --help of each command names its operation"); err != nil {
		return misuse{err}
	}
	m.finder = finders.Of(m.operation)
	m.groups = rows.NewGroups(m.finder)
	switch {
	case m.operation.Class == practice.OperationRead:
		return misuse{fmt.Errorf("%s only reads data: use %s instead", id, m.words[m.operation.GoMethod])}
	case m.equal != equalStop && m.equal != equalCount:
		return misuse{fmt.Errorf("--equal-rows: %q is not one of %s, %s", m.equal, equalStop, equalCount)}
	case m.creates() && m.finder == nil && !m.acceptUnknown && !m.skeleton:
		return misuse{fmt.Errorf("records created by %s cannot be searched for after a lost response; use --accept-unknown to send the rows and report those whose outcome is unknown", id)}
	case m.wait && !m.canRead():
		return misuse{fmt.Errorf("--wait is not supported for %s: there is no way to check whether it has taken effect", id)}
	}
	return nil
}

func (m *many) creates() bool { return m.operation.Class == practice.OperationCreate }

// canRead reports whether the record of a row can be read.
func (m *many) canRead() bool {
	_, readable := m.reader()
	if m.creates() {
		_, readable = m.created()
	}
	return readable
}

// firm is the firm of a run.
type firm struct{ id, name string }

// firm makes the client, and reads the firm: a journal belongs to one. If the
// token may not read it, the profile stands for the firm.
func (m *many) firm(ctx context.Context, t *target) (firm, error) {
	var err error
	if m.client, err = m.app.client(t); err != nil {
		return firm{}, err
	}
	read, err := m.client.Firm.Get(ctx)
	switch {
	case errors.Is(err, practice.ErrForbidden):
		return firm{t.String(), t.String()}, nil
	case err != nil:
		return firm{}, phaseSend.of(err)
	}
	return firm{read.ID, read.Name}, nil
}

// permitRows asks before rows that delete or move money. --yes with the number
// of rows replaces the question.
func (m *many) permitRows(ctx context.Context, t *target, firm string, expected bool) error {
	n := m.found.rows
	switch {
	case expected && m.expect != n:
		return misuse{fmt.Errorf("the list has %d rows, but --expect-rows is %d", n, m.expect)}
	case !m.operation.Money && m.found.deletes == 0:
		return nil
	case m.yes && expected:
		return nil
	case m.yes:
		return misuse{fmt.Errorf("--yes requires --expect-rows for rows that delete records or move money; the list has %d rows", n)}
	case m.path == "":
		return misuse{fmt.Errorf("cannot ask for confirmation, because the list is read from stdin; use --yes --expect-rows %d to send it", n)}
	}
	what := fmt.Sprintf("%s for %d rows", m.operation.ID, n)
	if m.found.deletes > 0 {
		what += fmt.Sprintf(", of which %d delete records", m.found.deletes)
	}
	what = strings.Join(slices.Concat([]string{what}, m.found.sums(), []string{"in " + firm}), ", ")
	return m.confirm(ctx, what, t)
}

// journalFile returns the place of the journal.
func (m *many) journalFile() string {
	if m.path == "" {
		return cmp.Or(m.journalPath, m.operation.ID+".journal")
	}
	return cmp.Or(m.journalPath, m.path+".journal")
}

// description identifies the run in the journal.
func (m *many) description(firm string) string {
	parts := []string{m.operation.ID, "firm " + firm, "key " + cmp.Or(m.key, "of the content"), "equal rows " + m.equal}
	if m.zone.String() != "UTC" { // in another one, the same rows have other times
		parts = append(parts, "zone "+m.zone.String())
	}
	columns := slices.Clone(m.list.columns())
	slices.Sort(columns)
	return strings.Join(append(parts, columns...), ", ")
}

// open opens the list, and returns a function that closes it. A list that
// cannot be read twice is copied to a file that no longer has a name.
func (m *many) open() (closeList func(), err error) {
	m.list = &rowList{many: m}
	if m.path != "" {
		file, err := os.Open(m.path)
		if err != nil {
			return func() {}, err
		}
		closeCopy, err := m.list.spool(file)
		return func() {
			closeCopy()
			_ = file.Close() // it was only read
		}, err
	}
	if isTerminal(m.In) {
		return func() {}, errors.New("no input: specify a file or pipe the rows to stdin")
	}
	return m.list.spool(m.In)
}

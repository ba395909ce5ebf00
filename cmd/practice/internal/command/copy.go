package command

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/spf13/cobra"
	_ "modernc.org/sqlite" // driver of the copy

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/spelling"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/replica"
)

// databaseVariable is the environment variable with the address of a PostgreSQL
// database. A command line, which others can see, must not contain its password.
const databaseVariable = "PRACTICE_COPY_DATABASE"

// copying holds the flags of practice copy.
type copying struct {
	*app
	file                string // empty: the database of the environment
	kinds               []string
	watch, verify, plan bool
	impersonal          bool
	rate                float64
	rated               bool              // the rate is given
	told                backoff.Stopwatch // since the last line about the progress
	silent              bool              // the first round of --watch is over
	last                replica.Progress
}

func (a *app) copyCommand() *cobra.Command {
	k := &copying{app: a}
	command := &cobra.Command{
		Use: "copy [FILE]", Short: "Keep a copy of the firm's records in a database, for reports", PreRunE: a.really,
		Long: "Copies the firm's records into an SQLite file, which only the file's owner can read, and prints the state of each kind. " +
			"Without a file, it copies them into the PostgreSQL database whose address is in " + databaseVariable + ", such as " + addressSample + ". " +
			"Later runs read only what has changed. The copy has a view for each kind, with names next to ids and with exact amounts.\n\n" +
			"The kinds are " + strings.Join(replica.Kinds(), ", ") + ".",
		Example: "practice --sandbox copy firm.db --kinds fees,memos",
		Args:    takes,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				k.file = args[0]
			}
			k.rated = c.Flags().Changed("rate")
			return k.run(c.Context())
		},
	}
	flags := command.Flags()
	flags.StringSliceVar(&k.kinds, "kinds", nil, "kinds to copy or to compare, such as fees,memos; default: all kinds except those that require a request for each contact, event or task, or with --verify those in the copy")
	flags.BoolVar(&k.impersonal, "without-personal-data", false, "do not store personal data or free text, and permanently remove both from the copy")
	flags.BoolVar(&k.watch, "watch", false, "keep the copy up to date until you press Ctrl-C: changes every 5 minutes, lists within a matter every hour")
	flags.BoolVar(&k.verify, "verify", false, "compare the whole copy with the service and print the differences, without changing anything")
	flags.BoolVar(&k.plan, "plan", false, "estimate the cost of the first copy and of a day of --watch, without copying anything")
	flags.Float64Var(&k.rate, "rate", 5, "requests per second to assume for --plan")
	_ = command.RegisterFlagCompletionFunc("kinds", cobra.FixedCompletions(replica.Kinds(), cobra.ShellCompDirectiveNoFileComp)) // the flag exists
	return command
}

func (k *copying) run(ctx context.Context) error {
	printer, err := k.check()
	if err != nil {
		return err
	}
	t, err := k.target(ctx)
	var client *practice.Client
	if err == nil {
		client, err = k.client(t)
	}
	var db *sql.DB
	if err == nil {
		db, err = k.database()
	}
	if err != nil {
		return phaseCheck.of(err)
	}
	k.told = backoff.Start()
	if k.verify {
		err = phaseCheck.of(k.chooseKinds(ctx, db))
	}
	var copied *replica.Copy
	if err == nil {
		copied, err = replica.Open(ctx, db, client, replica.Options{Kinds: k.kinds, WithoutPersonalData: k.impersonal, Progress: k.tell})
	}
	if err == nil {
		err = k.work(ctx, copied, printer)
	}
	return errors.Join(err, phaseShow.of(db.Close()))
}

// check returns the printer of the command, or an error for wrong flags.
func (k *copying) check() (*printer, error) {
	if k.watch && k.verify || k.watch && k.plan || k.verify && k.plan {
		return nil, misuse{errors.New("--watch, --verify and --plan cannot be combined")}
	}
	if k.verify && k.impersonal {
		return nil, misuse{errors.New("--verify changes nothing, so it cannot be combined with --without-personal-data, which removes data")}
	}
	if !(k.rate > 0) {
		return nil, misuse{errors.New("--rate must be greater than 0")}
	}
	if k.rated && !k.plan {
		return nil, misuse{errors.New("--rate applies only to --plan")}
	}
	for _, kind := range k.kinds {
		if !slices.Contains(replica.Kinds(), kind) {
			return nil, misuse{fmt.Errorf("--kinds: %q is not one of %s%s", kind, strings.Join(replica.Kinds(), ", "), spelling.DidYouMean(kind, replica.Kinds()))}
		}
	}
	switch {
	case k.plan:
		return k.printer()
	case k.verify:
		return k.printerOf(reflect.TypeFor[difference](), allColumns)
	}
	return k.printerOf(reflect.TypeFor[copiedKind](), allColumns)
}

func (k *copying) work(ctx context.Context, copied *replica.Copy, printer *printer) error {
	switch {
	case k.plan:
		plan, err := copied.Plan(ctx, k.rate)
		if err != nil {
			return phaseSend.of(err)
		}
		return phaseShow.of(printer.single(encode(map[string]any{
			"lists": plan.Lists, "requestsOfTheFirstCopy": plan.First, "timeOfTheFirstCopy": plan.FirstTime.Round(time.Second).String(),
			"requestsOfADay": plan.Day, "shortestTimeBetweenReadsOfAList": plan.Within.Round(time.Second).String(),
		})))
	case k.verify:
		return k.compare(ctx, copied, printer)
	}
	failed := phaseSend.of(copied.Sync(ctx))
	k.done()
	if k.watch && ctx.Err() == nil {
		k.silent = true
		k.note("Keeping %s up to date. Press Ctrl-C to stop.", k.file)
		failed = phaseSend.of(copied.Run(ctx, func(err error) { k.say("practice: %s", k.errors(err)) }))
	}
	status, err := copied.Status(context.WithoutCancel(ctx)) // the file is complete up to here
	if err != nil {
		return errors.Join(failed, phaseShow.of(err))
	}
	for _, of := range status {
		row := copiedKind{of.Kind, of.Records, of.Deleted, of.Lists, of.ListsRead, of.Complete, of.Refused}
		if err := printer.record(encode(row)); err != nil {
			return phaseShow.of(err)
		}
	}
	return errors.Join(failed, phaseShow.of(printer.end(nil)))
}

// chooseKinds chooses the kinds that the copy has for --verify without --kinds.
// It returns an error for a database without a copy, because replica.Open would
// create one.
func (k *copying) chooseKinds(ctx context.Context, db *sql.DB) error {
	var kinds string
	if err := db.QueryRowContext(ctx, `SELECT coalesce(string_agg(kind, ','), '') FROM copy_kinds`).Scan(&kinds); err != nil {
		return misuse{fmt.Errorf("--verify: cannot read the copy in %s: %w", k.file, err)}
	}
	if k.kinds == nil && kinds != "" {
		k.kinds = strings.Split(kinds, ",")
	}
	return nil
}

// copiedKind is the line that practice copy prints for a kind.
type copiedKind struct {
	Kind      string `json:"kind"`
	Records   int    `json:"records"`
	Deleted   int    `json:"deleted"`
	Lists     int    `json:"lists"`
	ListsRead int    `json:"listsRead"`
	Complete  bool   `json:"complete"`
	Refused   string `json:"refused"` // why the kind cannot be read
}

// difference is the line that practice copy --verify prints for a record.
type difference struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	What string `json:"what"` // missing, different or left
}

// compare prints the differences between the copy and the service.
func (k *copying) compare(ctx context.Context, copied *replica.Copy, printer *printer) error {
	var broken error
	found := 0
	err := copied.Verify(ctx, func(d replica.Difference) {
		found++
		broken = cmp.Or(broken, printer.record(encode(difference{d.Kind, d.ID, string(d.What)})))
	})
	if err = errors.Join(phaseSend.of(err), phaseShow.of(printer.end(broken))); err != nil || found == 0 {
		return err
	}
	return phaseRead.of(fmt.Errorf("%d records in the copy differ from the service: either they have changed since the last run, or the copy is incorrect", found))
}

// tell prints the progress of the copy: after each kind, and every ten seconds.
func (k *copying) tell(p replica.Progress) {
	const often = 10 * time.Second
	if k.silent {
		return
	}
	if k.last.Kind != p.Kind {
		k.done()
	}
	k.last = p
	if k.told.Passed() >= often {
		k.told = backoff.Start()
		k.note("%s: %d records, %d of %d lists, %d requests, %s left", p.Kind, p.Records, p.Read, p.Lists, k.sent.Load(), p.Left.Round(time.Second))
	}
}

// done prints that a kind is complete.
func (k *copying) done() {
	if k.last.Kind != "" {
		k.note("%s: %d records (%d requests so far)", k.last.Kind, k.last.Records, k.sent.Load())
	}
}

// database opens the database of the copy. --plan needs none.
func (k *copying) database() (*sql.DB, error) {
	switch {
	case k.plan:
		return sql.Open("sqlite", "file:plan?mode=memory&cache=shared")
	case k.file == "":
		return k.server()
	}
	return k.sqlite()
}

const addressSample = "postgres://USER:PASSWORD@HOST/DATABASE?search_path=SCHEMA"

// server returns the PostgreSQL database of the environment. No output shows its
// password.
func (k *copying) server() (*sql.DB, error) {
	address := k.variable(databaseVariable)
	if address == "" {
		return nil, misuse{errors.New("name a file for the copy, or set " + databaseVariable + " to the address of a PostgreSQL database, such as " + addressSample)}
	}
	config, err := pgx.ParseConfig(address)
	if err != nil { // its text may contain the password
		return nil, misuse{errors.New(databaseVariable + " is not the address of a PostgreSQL database, such as " + addressSample)}
	}
	k.hide(models.NewSecret(address), models.NewSecret(config.Password))
	k.file = "the database " + config.Database
	return stdlib.OpenDB(*config), nil
}

// sqlite opens the file of the copy. A new or empty one can be read by its owner
// only, and SQLite gives its log the same mode.
func (k *copying) sqlite() (*sql.DB, error) {
	flags := os.O_RDWR
	if !k.verify {
		flags |= os.O_CREATE
	}
	file, err := os.OpenFile(k.file, flags, 0o600)
	if err != nil {
		return nil, misuse{err}
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.Size() == 0 && !k.verify:
		err = file.Chmod(0o600)
	case info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows":
		k.say("Other users of this machine can open %s. To prevent that, run chmod 600 %[1]s", quoted(k.file))
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(20000)"}}
	if !k.verify {
		settings.Add("_pragma", "journal_mode(wal)")
	}
	return sql.Open("sqlite", "file:"+url.PathEscape(k.file)+"?"+settings.Encode())
}

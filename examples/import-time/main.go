// Import-time adds the time entries of another system as fees. It adds each
// entry once, even if it is interrupted and started again.
//
//	go run ./examples/import-time [-again] [entries.csv]
//
// The list is a CSV file, as a spreadsheet saves it. Its first line names the
// columns id, matterId, date (YYYY-MM-DD), minutes, rate (dollars per hour,
// with a decimal point) and text. Without that line, the columns must be in
// this order. The id must be unique. It becomes part of the fee's text, so that
// the program can find the fee if a response was lost.
//
// A journal beside the list records each request and its result, so that the
// same command continues after an interruption. If the fee of an entry cannot
// be found after a lost response, a person must check the entry; with -again,
// it is added again. Without a list, the program uses sample entries, and the
// embedded service loses responses.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/csvfile"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	log.SetFlags(0)
	again := flag.Bool("again", false, "add an entry again whose fee is not found")
	settle := flag.Duration("settle", once.DefaultSearchLimit, "how long to look for a fee whose answer was lost")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0), *settle, *again); err != nil {
		log.Fatal(err)
	}
}

// importer adds time entries as fees.
type importer struct {
	fees    *practice.FeesService
	journal once.Journal
	settle  time.Duration
	again   bool
}

// add ensures that an entry has a fee. It creates the fee at most once; after a
// lost response it looks for the fee.
func (i *importer) add(ctx context.Context, id string, e entry) error {
	opts := []once.Option{once.SearchLimit(i.settle)}
	if i.again {
		opts = append(opts, once.CreateAgain())
	}
	_, err := once.Do(ctx, i.journal, id, func(ctx context.Context, _ once.Intent) (string, error) {
		link, err := i.fees.Create(ctx, e.matterID, e.fee)
		if err != nil {
			return "", err
		}
		return link.TargetID(), nil
	}, func(ctx context.Context, intent once.Intent) ([]string, error) {
		found, err := i.fees.FindCreated(ctx, e.matterID, e.fee, intent.At.Add(-5*time.Minute)) // tolerance for clocks that differ
		return once.IDs(found, func(f *models.Fee) string { return f.ID }), err
	}, opts...)
	return err
}

// all adds the entries, several at a time, and prints the results.
func (i *importer) all(ctx context.Context, entries []entry) error {
	report, err := once.Run(ctx, keyed(entries), i.add, once.RunOptions{})
	for _, failed := range report.Failed {
		unknown, isUnknown := errors.AsType[*once.UnknownError](failed)
		switch {
		case isUnknown && len(unknown.IDs) > 0:
			fmt.Printf("%s: any of the fees %q may be it\n", failed.Key, unknown.IDs)
		case isUnknown:
			fmt.Printf("%s: sent at %s, and not found\n", failed.Key, unknown.Intent.At.Format(time.DateTime))
		default:
			fmt.Printf("%s: not added: %q\n", failed.Key, failed.Err)
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%d of %d entries are fees; the same command goes on: %w", report.Done, len(entries), context.Cause(ctx))
	}
	if err != nil {
		return fmt.Errorf("%d of %d entries are fees; see above for the others", report.Done, len(entries))
	}
	fmt.Printf("Each of %d entries is a fee, once.\n", report.Done)
	return nil
}

// keyed yields the entries by id. It fails for a duplicate id.
func keyed(entries []entry) iter.Seq2[string, entry] {
	return func(yield func(string, entry) bool) {
		for _, e := range entries {
			if !yield(e.id, e) {
				return
			}
		}
	}
}

// run adds the entries of a list, or sample entries without one.
func run(ctx context.Context, list string, settle time.Duration, again bool) (err error) {
	client, demo, err := connect()
	if err != nil {
		return err
	}
	var entries []entry
	name := list + ".journal"
	switch {
	case list != "":
		entries, err = load(list)
	case demo == nil:
		err = errors.New("name the list of entries")
	default:
		entries = makeUp(demo)
		if list, err = os.MkdirTemp("", "practice-import-"); err == nil {
			name = filepath.Join(list, "journal")
			defer func() { err = errors.Join(err, os.RemoveAll(list)) }()
		}
	}
	if err != nil {
		return err
	}
	journal, err := once.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	err = (&importer{client.Fees, journal, settle, again}).all(ctx, entries)
	if err == nil && demo != nil {
		fmt.Println("Some answers were lost on the way, and no fee is there twice.\n\nNext: name a list, and set PRACTICE_BASE_URL and the other variables.")
	}
	return err
}

// entry is a line of the list.
type entry struct {
	id, matterID string
	fee          models.FeeWrite
}

func newEntry(id, matterID, text string, day models.Date, minutes int, rate models.Decimal) entry {
	return entry{id, matterID, models.FeeWrite{
		Subject: text, Description: "Time entry " + id, FeeDate: day, FeeType: models.Some(models.FeeTypeTime),
		Duration: models.Some(minutes), Rate: rate, IsBillable: models.Some(true),
	}}
}

// load reads the whole list before anything is added.
func load(name string) (entries []entry, err error) {
	file, err := os.Open(name) //nolint:gosec // it is named on the command line
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	rows, err := csvfile.Read(file, []string{"id", "matterId", "date", "minutes", "rate", "text"}, csvfile.ReadOptions{OptionalHeader: true})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, row := range rows {
		id, noID := csvfile.Parse(row, "id", csvfile.Text)
		matterID, noMatter := csvfile.Parse(row, "matterId", csvfile.Text)
		day, noDay := csvfile.Parse(row, "date", models.ParseDate)
		minutes, noMinutes := csvfile.Parse(row, "minutes", strconv.Atoi)
		rate, noRate := csvfile.Parse(row, "rate", parseRate)
		text, noText := csvfile.Parse(row, "text", csvfile.Text)
		if err := errors.Join(noID, noMatter, noDay, noMinutes, noRate, noText); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		entries = append(entries, newEntry(id, matterID, text, day, minutes, rate))
	}
	return entries, nil
}

// parseRate parses an amount in dollars. It refuses fractions of a cent,
// because 1.234 may be more than a thousand elsewhere.
func parseRate(text string) (models.Decimal, error) {
	rate, err := models.ParseDecimal(text)
	if err == nil && !rate.Equal(rate.Round(2)) {
		err = errors.New("an amount has at most two decimals")
	}
	return rate, err
}

// makeUp returns entries for the embedded service, which loses the responses to
// some of their creates.
func makeUp(server *practicetest.Server) (entries []entry) {
	matters := server.Firm().MatterIDs
	for i := range 20 {
		entries = append(entries, newEntry(fmt.Sprintf("T-%03d", i+1), matters[i%len(matters)], "Call with the client",
			models.DateOf(time.Now().UTC()), 6, models.MustDecimal("385.50")))
	}
	for _, skip := range []int{2, 7, 11} {
		server.Inject(practicetest.Fault{Operation: "createFee", Kind: practicetest.FaultResetAfter, Skip: skip})
	}
	return entries
}

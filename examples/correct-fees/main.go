// Correct-fees sets the rates of many fees from a list, and records each fee's
// former rate and the result.
//
//	go run ./examples/correct-fees [-write] [list.csv] >>changes.csv
//
// The list is a CSV file, as a spreadsheet saves it. Its first line names the
// columns matterId, feeId and rate (in dollars, with a decimal point). Without
// that line, the columns must be in this order. Without -write, nothing is
// changed, and the output shows the planned changes. Without a list, the
// program creates fees in the embedded service.
//
// You can repeat the same command at any time, even after a crash: a fee that
// already has its new rate is not changed. The program writes the old rate of a
// fee before it changes the fee. The service accepts a change before it
// executes it and does not report success, so the program reads each fee until
// the fee has its new rate.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"log"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/csvfile"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	log.SetFlags(0)
	write := flag.Bool("write", false, "change the fees; else only print what would be changed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0), *write); err != nil {
		log.Fatal(err)
	}
	log.Print("Next: -write changes them. With a list and PRACTICE_BASE_URL it is your firm.")
}

// correction is a run over the list. It writes each line of its output before
// the next step.
type correction struct {
	fees  *practice.FeesService
	write bool
	stop  context.CancelCauseFunc // ends the run when the output cannot be written

	mu  sync.Mutex
	out *csvfile.Writer
}

// all corrects the fees. It waits for several fees at a time.
func (c *correction) all(ctx context.Context, fees []fee) error {
	ctx, c.stop = context.WithCancelCause(ctx)
	defer c.stop(nil)
	report, err := once.Run(ctx, keyed(fees), c.correct, once.RunOptions{Concurrency: 16})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(report.Failed) > 0:
		return fmt.Errorf("%d of %d fees do not have their rate", len(report.Failed), len(fees))
	}
	return err
}

// correct sets the rate of a fee, and records the former rate and the result.
func (c *correction) correct(ctx context.Context, _ string, f fee) error {
	before, err := c.fees.Get(ctx, f.matterID, f.id)
	var rate models.Decimal
	result := "right already"
	if err == nil {
		rate = before.Rate
		switch {
		case before.IsDeleted.Or(false) || before.Finalized.Or(false):
			err = errors.New("left alone: deleted or final")
		case rate.Equal(f.rate):
		case !c.write:
			result = "would be changed"
		default:
			result, err = "changed", c.change(ctx, f, rate)
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		result = err.Error()
	}
	return errors.Join(err, c.note(f, rate, result))
}

// change changes only the rate of a fee, and reads the fee until it has the new
// rate.
func (c *correction) change(ctx context.Context, f fee, before models.Decimal) error {
	if err := c.note(f, before, "changing"); err != nil {
		return err
	}
	if _, err := c.fees.Patch(ctx, f.matterID, f.id, models.FeePatch{Rate: models.Some(f.rate)}); err != nil {
		return err
	}
	read := func(ctx context.Context) (*models.Fee, error) { return c.fees.Get(ctx, f.matterID, f.id) }
	_, err := practice.Await(ctx, read, practice.When(func(now *models.Fee) bool { return now.Rate.Equal(f.rate) }))
	return err
}

// note records the result for a fee.
func (c *correction) note(f fee, before models.Decimal, result string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.out.Write([]string{f.matterID, f.id, before.String(), f.rate.String(), plain(result)})
	if err != nil {
		c.stop(err)
	}
	return err
}

func run(ctx context.Context, list string, write bool) error {
	client, demo, err := connect()
	if err != nil {
		return err
	}
	var fees []fee
	switch {
	case list != "":
		fees, err = load(list)
	case demo == nil:
		err = errors.New("which list of fees?")
	default:
		fees = makeUp(demo)
	}
	if err != nil {
		return err
	}
	return newCorrection(client, write, os.Stdout).all(ctx, fees)
}

func newCorrection(client *practice.Client, write bool, out io.Writer) *correction {
	return &correction{fees: client.Fees, write: write, out: csvfile.NewWriter(out, csvfile.Plain)}
}

// fee is a line of the list.
type fee struct {
	matterID, id string
	rate         models.Decimal
}

// load reads the whole list before anything is changed.
func load(name string) (fees []fee, err error) {
	file, err := os.Open(name) //nolint:gosec // it is named on the command line
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	rows, err := csvfile.Read(file, []string{"matterId", "feeId", "rate"}, csvfile.ReadOptions{OptionalHeader: true})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, row := range rows {
		matterID, noMatter := csvfile.Parse(row, "matterId", csvfile.Text)
		id, noID := csvfile.Parse(row, "feeId", csvfile.Text)
		rate, noRate := csvfile.Parse(row, "rate", parseRate)
		if err := errors.Join(noMatter, noID, noRate); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fees = append(fees, fee{matterID, id, rate})
	}
	return fees, nil
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

// keyed yields the fees of a list by key, for which the case of an id means
// nothing. It fails for a duplicate fee.
func keyed(fees []fee) iter.Seq2[string, fee] {
	return func(yield func(string, fee) bool) {
		for _, f := range fees {
			if !yield(strings.ToLower(f.matterID+"/"+f.id), f) {
				return
			}
		}
	}
}

// makeUp adds fees with a rate that is too low to the embedded service.
func makeUp(server *practicetest.Server) (fees []fee) {
	matterID := server.Firm().MatterID
	for range 20 {
		id := server.AddFee(matterID, models.FeeWrite{
			Subject: "Advice", FeeDate: models.DateOf(time.Now().UTC()), Rate: models.MustDecimal("350.00"), IsBillable: models.Some(true),
		})
		fees = append(fees, fee{matterID, id, models.MustDecimal("385.50")})
	}
	return fees
}

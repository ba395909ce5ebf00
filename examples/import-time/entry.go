package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"iter"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

// entry is a line of the list.
type entry struct {
	id, matterID string
	fee          models.FeeWrite
}

// load reads the whole list before anything is added.
func load(name string) (entries []entry, err error) {
	file, err := os.Open(name) //nolint:gosec // it is named on the command line
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	lines := csv.NewReader(file)
	lines.FieldsPerRecord = 6
	all, err := lines.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, line := range all {
		day, noDay := models.ParseDate(line[2])
		minutes, noMinutes := strconv.Atoi(line[3])
		rate, noRate := models.ParseDecimal(line[4])
		if err := errors.Join(noDay, noMinutes, noRate); err != nil {
			return nil, fmt.Errorf("%s: record %d: %w", name, i+1, err)
		}
		entries = append(entries, newEntry(line[0], line[1], line[5], day, minutes, rate))
	}
	return entries, nil
}

func newEntry(id, matterID, text string, day models.Date, minutes int, rate models.Decimal) entry {
	return entry{id, matterID, models.FeeWrite{
		Subject: text, Description: "Time entry " + id, FeeDate: day, FeeType: models.Some(models.FeeTypeTime),
		Duration: models.Some(minutes), Rate: rate, IsBillable: models.Some(true),
	}}
}

// makeUp returns entries for the embedded service, which loses the answer of
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

// keyed yields the entries by their ids. An id that occurs twice fails.
func keyed(entries []entry) iter.Seq2[string, entry] {
	return func(yield func(string, entry) bool) {
		for _, e := range entries {
			if !yield(e.id, e) {
				return
			}
		}
	}
}

// imports is a run over the list.
type imports struct {
	*term.Printer
	options
	fees    *practice.FeesService
	journal once.Journal
	minutes minutes // of the entries that are fees
}

// minutes is a sum that several goroutines add to.
type minutes struct{ atomic.Int64 }

func (m *minutes) text() string { return (time.Duration(m.Load()) * time.Minute).String() }

// add makes sure that an entry is a fee.
func (i *imports) add(ctx context.Context, id string, e entry) error {
	opts := []once.Option{once.Settle(i.settle)}
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
		found, err := i.fees.FindCreated(ctx, e.matterID, e.fee, intent.At.Add(-5*time.Minute)) // clocks differ
		return once.IDs(found, func(f *models.Fee) string { return f.ID }), err
	}, opts...)
	if err == nil {
		i.minutes.Add(int64(e.fee.Duration.Or(0)))
	}
	return err
}

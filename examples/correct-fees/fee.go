package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"iter"
	"os"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

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
	lines := csv.NewReader(file)
	lines.FieldsPerRecord = 3
	all, err := lines.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, line := range all {
		rate, err := models.ParseDecimal(line[2])
		if err != nil {
			return nil, fmt.Errorf("%s: record %d: %w", name, i+1, err)
		}
		fees = append(fees, fee{line[0], line[1], rate})
	}
	return fees, nil
}

// makeUp adds fees to the embedded service, all at a rate that was too low.
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

// keyed yields the fees of a list. A fee that is in it twice fails.
func keyed(fees []fee) iter.Seq2[string, fee] {
	return func(yield func(string, fee) bool) {
		for _, f := range fees {
			if !yield(f.matterID+"/"+f.id, f) {
				return
			}
		}
	}
}

// change changes the rate and nothing else, and reads the fee until it has it.
func (c *correction) change(ctx context.Context, f fee, before models.Decimal) error {
	if err := c.note(f, before, "changing"); err != nil {
		return err
	}
	if _, err := c.fees.Patch(ctx, f.matterID, f.id, models.FeePatch{Rate: models.Some(f.rate)}); err != nil {
		return err
	}
	read := func(ctx context.Context) (*models.Fee, error) { return c.fees.Get(ctx, f.matterID, f.id) }
	right := practice.When(func(now *models.Fee) bool { return now.Rate.Equal(f.rate) })
	_, err := practice.Await(ctx, read, right, practice.WithAwaitTimeout(c.wait))
	return err
}

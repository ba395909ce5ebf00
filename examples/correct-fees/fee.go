package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
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

// sending is a change that was sent, with the rate before it.
type sending struct {
	fee
	before models.Decimal
}

// send changes the rate and nothing else. A refusal is noted, and the next fee
// is tried.
func (j *journal) send(ctx context.Context, fees *practice.FeesService, s sending, sent []sending) ([]sending, error) {
	_, err := fees.Patch(ctx, s.matterID, s.id, models.FeePatch{Rate: models.Some(s.rate)})
	switch {
	case ctx.Err() != nil:
		return sent, context.Cause(ctx)
	case err != nil:
		return sent, j.failed(s.fee, s.before, err.Error())
	}
	return append(sent, s), nil
}

// confirm reads the fee until it has its rate.
func (j *journal) confirm(ctx context.Context, fees *practice.FeesService, s sending, wait time.Duration) error {
	read := func(ctx context.Context) (*models.Fee, error) { return fees.Get(ctx, s.matterID, s.id) }
	right := practice.When(func(f *models.Fee) bool { return f.Rate.Equal(s.rate) })
	_, err := practice.Await(ctx, read, right, practice.WithAwaitTimeout(wait))
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return j.failed(s.fee, s.before, err.Error())
	}
	return j.note(s.fee, s.before, "changed")
}

package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// walkPages compares walks over many pages of a service with latency.
func walkPages(r run) (report.Table, error) {
	pages, latency := choose(r, 40, 8), choose(r, 60*time.Millisecond, 20*time.Millisecond)
	size := pages * feed.PageSize
	calendar, err := r.answers.Calendar(size)
	if err != nil {
		return report.Table{}, err
	}
	all, err := pacedWalkers(&feed.Memory{Calendar: calendar, Latency: latency})
	if err != nil {
		return report.Table{}, err
	}
	results, rows, err := compareWalks(r, all, size)
	if err != nil {
		return report.Table{}, err
	}
	slow, err := slowConsumer(r, all[2], size)
	if err != nil {
		return report.Table{}, err
	}
	one, five, eight := results[1], results[2], results[3]
	return report.Table{
		Title:  fmt.Sprintf("%d events over %d pages of %v", size, pages, latency),
		Intro:  "Ordered, in memory, with a service that answers after that time. In flight are the requests on their way at the same time.",
		Header: []string{"", "median", "quartiles", "times ours, five in flight"},
		Rows:   rows,
		Figures: []report.Figure{
			report.AtLeast("five in flight, ahead of a plain page loop", 4.5, five.Faster(results[0]).Median, " times"),
			report.AtLeast("five in flight, ahead of one", 4.3, five.Faster(one).Median, " times"),
			report.AtLeast("eight in flight, ahead of one", 6.3, eight.Faster(one).Median, " times"),
			report.AtMost("five in flight, a slow consumer, of its own time", 103, slow, " %"),
		},
	}, nil
}

// pacedWalkers returns a plain page loop, and this library with one, five and
// eight requests in flight.
func pacedWalkers(memory *feed.Memory) ([]walker, error) {
	all := []walker{netHTTPWalker(memory)}
	for _, inFlight := range []int{1, 5, 8} {
		w, err := practiceWalker(ours+", "+strconv.Itoa(inFlight)+" in flight", memory, inFlight)
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

func compareWalks(r run, all []walker, size int) ([]measure.Result, [][]string, error) {
	contestants := make([]measure.Contestant, len(all))
	for i, w := range all {
		contestants[i] = measure.Contestant{Name: w.name, Run: func() error { return counted(w, size, feed.PageSize, nothing) }}
	}
	return compare(r.plan(5, 0), 2, contestants, func(measure.Result) []string { return nil })
}

// slowConsumer pauses after each page. It returns the time of the walk as a
// percentage of the pauses.
func slowConsumer(r run, w walker, size int) (float64, error) {
	shares := make([]float64, choose(r, 3, 1))
	for i := range shares {
		var own time.Duration
		started := time.Now()
		err := counted(w, size, feed.PageSize, func(seen int) {
			if seen%feed.PageSize == 0 {
				own += rest(context.Background(), choose(r, 100*time.Millisecond, 20*time.Millisecond))
			}
		})
		if err != nil {
			return 0, err
		}
		shares[i] = 100 * float64(time.Since(started)) / float64(own)
	}
	return measure.SpreadOf(shares).Median, nil
}

// rest sleeps for d and returns the time that it really took, since timers are
// late.
func rest(ctx context.Context, d time.Duration) time.Duration {
	started := time.Now()
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return time.Since(started)
}

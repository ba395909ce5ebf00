package main

import (
	"fmt"
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// loopOverPages measures the cost of a walk over pages without latency.
func loopOverPages(r run) (report.Table, error) {
	const pages = 4
	size := pages * feed.PageSize
	calendar, err := r.answers.Calendar(size)
	if err != nil {
		return report.Table{}, err
	}
	memory := &feed.Memory{Calendar: calendar}
	mine, err := practiceWalker(ours, memory, 2)
	if err != nil {
		return report.Table{}, err
	}
	generated, err := ogenWalker(memory)
	if err != nil {
		return report.Table{}, err
	}
	all := []walker{mine, netHTTPWalker(memory), generated}
	contestants := make([]measure.Contestant, len(all))
	for i, w := range all {
		contestants[i] = measure.Contestant{Name: w.name, Run: func() error { return counted(w, size, feed.PageSize, nothing) }}
	}
	results, err := measure.Compare(r.plan(15, 100*time.Millisecond), contestants...)
	if err != nil {
		return report.Table{}, err
	}
	rows := make([][]string, len(results))
	for i, result := range results {
		time := result.Time()
		rows[i] = []string{
			result.Name, report.Duration(time.Median), report.DurationSpread(time), report.Ratio(results[0].Faster(result)),
			report.Duration(time.Median / float64(size)), report.Number(result.Allocs() / float64(size)),
		}
	}
	return report.Table{
		Title:  "A plain user's page loop",
		Intro:  fmt.Sprintf("%d events over %d pages in memory, without waiting: what the client itself costs. Ours as it comes, with one page ahead.", size, pages),
		Header: []string{"", "median", "quartiles", "times ours", "a record", "allocs a record"},
		Rows:   rows,
	}, nil
}

package main

import (
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// run holds the arguments common to all tables.
type run struct {
	quick   bool // a functional test, not a measurement
	answers *feed.Answers
}

// table is one comparison.
type table struct {
	name    string
	measure func(run) (report.Table, error)
}

// tables lists the comparisons in the order in which they are measured and
// printed.
var tables = []table{
	{"events", decodeEvents},
	{"accounts", decodeAccounts},
	{"matters", decodeMatters},
	{"records", decodeRecords},
	{"call", callInMemory},
	{"loopback", callOverLoopback},
	{"walk", walkPages},
	{"limit", walkUnderLimit},
	{"patch", marshalPatch},
	{"growth", walkGrowing},
	{"concurrent", callConcurrently},
	{"uploadlarge", uploadLarge},
	{"download", downloadLarge},
	{"webhook", receiveWebhooks},
}

// plan returns enough rounds for quartiles, or a single one for a quick run.
func (r run) plan(rounds int, slice time.Duration) measure.Plan {
	if r.quick {
		return measure.Plan{Rounds: 1, Slice: min(slice, 10*time.Millisecond)}
	}
	return measure.Plan{Rounds: rounds, Slice: slice}
}

// choose returns the size of a full run or that of a quick run.
func choose[T any](r run, full, quick T) T {
	if r.quick {
		return quick
	}
	return full
}

// compare measures contestants that take turns. It returns the results with the
// rows of the table: name, time, its ratio to that of the contestant first, and
// more cells.
func compare(plan measure.Plan, first int, all []measure.Contestant, more func(measure.Result) []string) ([]measure.Result, [][]string, error) {
	results, err := measure.Compare(plan, all...)
	if err != nil {
		return nil, nil, err
	}
	rows := make([][]string, len(results))
	for i, result := range results {
		rows[i] = append([]string{
			result.Name, report.Duration(result.Time().Median), report.DurationSpread(result.Time()),
			report.Ratio(results[first].Faster(result)),
		}, more(result)...)
	}
	return results, rows, nil
}

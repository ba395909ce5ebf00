package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// walkGrowing walks over more and more records and looks at the heap on the
// way.
func walkGrowing(r run) (report.Table, error) {
	table := report.Table{
		Title:  "Growth",
		Intro:  "One walk over all records, in memory, no waiting. The heap is what is in use after a collection, looked at during the walk.",
		Header: []string{"records", "time", "a record", "quartiles", "heap halfway", "heap near the end"},
	}
	sizes := []int{10_000, 100_000, 1_000_000}
	if r.quick {
		sizes = []int{2_000, 10_000, 20_000}
	}
	grown := make([]growth, len(sizes))
	for i := range grown {
		grown[i].size = sizes[i]
	}
	for range choose(r, 3, 1) {
		for i := range grown {
			if err := grown[i].measure(r, sizes[len(sizes)-1]/sizes[i]); err != nil {
				return table, err
			}
		}
	}
	for _, g := range grown {
		each := measure.SpreadOf(g.each)
		table.Rows = append(table.Rows, []string{
			report.Number(float64(g.size)), report.Duration(each.Median * float64(g.size)), report.Duration(each.Median),
			report.DurationSpread(each), report.Mebibytes(float64(g.halfway)), report.Mebibytes(float64(g.end)),
		})
	}
	first, last := grown[0], grown[len(grown)-1]
	table.Figures = []report.Figure{
		report.AtMost(fmt.Sprintf("time of a record, %d records to %d", last.size, first.size), 1.1,
			measure.SpreadOf(measure.Ratios(last.each, first.each)).Median, " times"),
		report.AtMost(fmt.Sprintf("heap near the end, %d records to %d", last.size, first.size), 1.1,
			float64(last.end)/float64(first.end), " times"),
	}
	return table, nil
}

// growth is what walks over so many records took.
type growth struct {
	size         int
	each         []float64 // nanoseconds a record
	halfway, end uint64    // largest heaps seen
}

// measure walks often enough that small walks take as long as the largest.
func (g *growth) measure(r run, times int) error {
	calendar, err := r.answers.Calendar(g.size)
	if err != nil {
		return err
	}
	w, err := practiceWalker(ours, &feed.Memory{Calendar: calendar}, 2)
	if err != nil {
		return err
	}
	runtime.GC()
	var looking time.Duration
	started := time.Now()
	for i := range times {
		first := i == 0 // one look is enough, and costs time of its own
		err := w.walk(context.Background(), feed.PageSize, g.watch(first, &looking))
		if err != nil {
			return err
		}
	}
	g.each = append(g.each, float64(time.Since(started)-looking)/float64(times*g.size))
	return nil
}

// watch counts records, and looks at the heap in the middle and near the end.
func (g *growth) watch(look bool, looking *time.Duration) func(string) {
	seen := 0
	return func(string) {
		seen++
		if !look || seen != g.size/2 && seen != g.size-feed.PageSize {
			return
		}
		started := time.Now()
		heap := measure.LiveHeap()
		*looking += time.Since(started)
		if seen == g.size/2 {
			g.halfway = max(g.halfway, heap)
		} else {
			g.end = max(g.end, heap)
		}
	}
}

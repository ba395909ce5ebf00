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

// walkGrowing walks over growing numbers of records and measures the heap
// during the walk.
func walkGrowing(r run) (report.Table, error) {
	table := report.Table{
		Title:  "Growth",
		Intro:  "One walk over all records, in memory, no waiting. The heap is what is in use after a collection, looked at ten times on the way.",
		Header: []string{"records", "time", "a record", "quartiles", "heap", "quartiles"},
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
		each, heap := measure.SpreadOf(g.each), measure.SpreadOf(g.heaps)
		table.Rows = append(table.Rows, []string{
			report.Number(float64(g.size)), report.Duration(each.Median * float64(g.size)), report.Duration(each.Median),
			report.DurationSpread(each), report.Mebibytes(heap.Median), report.Mebibytes(heap.Low) + " – " + report.Mebibytes(heap.High),
		})
	}
	first, last := grown[0], grown[len(grown)-1]
	table.Figures = []report.Figure{
		report.AtMost(fmt.Sprintf("time of a record, %d records to %d", last.size, first.size), 1.1,
			measure.SpreadOf(measure.Ratios(last.each, first.each)).Median, " times"),
		report.AtMost(fmt.Sprintf("heap, %d records to %d", last.size, first.size), 1.1,
			measure.SpreadOf(last.heaps).Median/measure.SpreadOf(first.heaps).Median, " times"),
	}
	return table, nil
}

// growth holds the measurements of walks over one number of records.
type growth struct {
	size  int
	each  []float64 // nanoseconds per record
	heaps []float64 // bytes in use during the walk
}

// measure repeats small walks until they take as long as the largest one.
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
		visit := func(string) {}
		if i == 0 { // measuring the heap takes time, so only one walk does it
			visit = g.watch(&looking)
		}
		err := w.walk(context.Background(), feed.PageSize, visit)
		if err != nil {
			return err
		}
	}
	g.each = append(g.each, float64(time.Since(started)-looking)/float64(times*g.size))
	return nil
}

// watch counts records and measures the heap ten times. It adds the time for
// that to looking.
func (g *growth) watch(looking *time.Duration) func(string) {
	seen := 0
	return func(string) {
		if seen++; seen%(g.size/10) != g.size/20 {
			return
		}
		started := time.Now()
		g.heaps = append(g.heaps, float64(measure.LiveHeap()))
		*looking += time.Since(started)
	}
}

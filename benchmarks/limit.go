package main

import (
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// Rate limit of the service. The pages are so small that only the waiting
// matters.
const (
	perSecond    = 5
	burst        = 5
	limitedPage  = 10
	limitedPages = 100
)

// walkUnderLimit walks over the pages of a service that limits requests per
// second. The walks run concurrently, each with its own service, because they
// mostly wait.
func walkUnderLimit(r run) (report.Table, error) {
	pages := choose(r, limitedPages, 12)
	table := report.Table{
		Title:  fmt.Sprintf("%d pages of a service that allows %d requests a second", pages, perSecond),
		Intro:  fmt.Sprintf("Bursts of %d. The floor is the soonest that a client can be done that keeps to the limit.", burst),
		Header: []string{"", "latency", "time", "share of the floor", "answers 429"},
	}
	calendar, err := r.answers.Calendar(limitedPage * pages)
	if err != nil {
		return table, err
	}
	walks := make([]*limitedWalk, 2)
	for i, latency := range []time.Duration{60 * time.Millisecond, 400 * time.Millisecond} {
		memory := &feed.Memory{Calendar: calendar, Latency: latency, Limit: rate.NewLimiter(perSecond, burst)}
		w, err := practiceWalker(ours+", 5 in flight", memory, 5, practice.WithRateLimit(perSecond, burst))
		if err != nil {
			return table, err
		}
		walks[i] = &limitedWalk{walker: w, memory: memory}
	}
	var waiting errgroup.Group
	for _, w := range walks {
		waiting.Go(w.run)
	}
	if err := waiting.Wait(); err != nil {
		return table, err
	}
	for _, w := range walks {
		latency, refused := w.memory.Latency, float64(w.memory.Refused.Load())
		table.Rows = append(table.Rows, []string{
			w.name, latency.String(), report.Duration(float64(w.took)), report.Number(w.share()) + " %", report.Number(refused),
		})
		table.Figures = append(table.Figures,
			report.AtLeast(fmt.Sprintf("share of the floor at %v", latency), 97, w.share(), " %"),
			report.AtMost(fmt.Sprintf("answers 429 at %v", latency), 0, refused, ""))
	}
	return table, nil
}

// limitedWalk holds a walker with its service and the time that it took.
type limitedWalk struct {
	walker
	memory *feed.Memory
	took   time.Duration
}

func (w *limitedWalk) run() error {
	started := time.Now()
	err := counted(w.walker, w.memory.Calendar.Size, limitedPage, nothing)
	w.took = time.Since(started)
	return err
}

// share returns the shortest possible time as a percentage of the time taken.
// In the shortest time, the burst is sent immediately and the rest at the
// allowed rate, and the last response takes its latency.
func (w *limitedWalk) share() float64 {
	requests := w.memory.Calendar.Size / limitedPage
	floor := time.Duration(requests-burst)*time.Second/perSecond + w.memory.Latency
	return 100 * float64(floor) / float64(w.took)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

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
// second. All walkers run concurrently, each with its own service, because they
// mostly wait.
func walkUnderLimit(r run) (report.Table, error) {
	table := report.Table{
		Title:  fmt.Sprintf("%d pages of a service that allows %d requests a second", choose(r, limitedPages, 12), perSecond),
		Intro:  fmt.Sprintf("Bursts of %d. The floor is the soonest that a client can be done that keeps to the limit.", burst),
		Header: []string{"", "latency", "time", "share of the floor", "answers 429", "all pages"},
	}
	var walks []limitedWalk
	for _, latency := range []time.Duration{60 * time.Millisecond, 400 * time.Millisecond} {
		more, err := limitedWalks(r, latency)
		if err != nil {
			return table, err
		}
		walks = append(walks, more...)
	}
	var waiting sync.WaitGroup
	for i := range walks {
		waiting.Go(walks[i].run)
	}
	waiting.Wait()
	for i, w := range walks {
		if w.err != nil && i%len(limitedWalkers) == 0 {
			return table, w.err
		}
		latency, refused := w.memory.Latency, float64(w.memory.Refused.Load())
		table.Rows = append(table.Rows, []string{
			w.name, latency.String(), report.Duration(float64(w.took)), report.Number(w.share()) + " %", report.Number(refused), w.outcome(),
		})
		if i%len(limitedWalkers) == 0 {
			table.Figures = append(table.Figures,
				report.AtLeast(fmt.Sprintf("share of the floor at %v", latency), 97, w.share(), " %"),
				report.AtMost(fmt.Sprintf("answers 429 at %v", latency), 0, refused, ""))
		}
	}
	return table, nil
}

// limitedWalk holds one walker with its service and its result.
type limitedWalk struct {
	walker
	memory *feed.Memory
	took   time.Duration
	err    error
}

func limitedWalks(r run, latency time.Duration) ([]limitedWalk, error) {
	size := limitedPage * choose(r, limitedPages, 12)
	calendar, err := r.answers.Calendar(size)
	if err != nil {
		return nil, err
	}
	var walks []limitedWalk
	for _, build := range limitedWalkers {
		memory := &feed.Memory{Calendar: calendar, Latency: latency, Limit: rate.NewLimiter(perSecond, burst)}
		w, err := build(memory)
		if err != nil {
			return nil, err
		}
		walks = append(walks, limitedWalk{walker: w, memory: memory})
	}
	return walks, nil
}

func (w *limitedWalk) run() {
	started := time.Now()
	w.err = counted(w.walker, w.memory.Calendar.Size, limitedPage, nothing)
	w.took = time.Since(started)
}

// outcome describes the result of a walk, and whether it yielded every event.
func (w *limitedWalk) outcome() string {
	if w.err != nil {
		return w.err.Error()
	}
	return "yes"
}

// share returns the shortest possible time as a percentage of the time taken.
// In the shortest time, the burst is sent immediately and the rest at the
// allowed rate, and the last response takes its latency.
func (w *limitedWalk) share() float64 {
	requests := w.memory.Calendar.Size / limitedPage
	floor := time.Duration(requests-burst)*time.Second/perSecond + w.memory.Latency
	return 100 * float64(floor) / float64(w.took)
}

var limitedWalkers = []func(*feed.Memory) (walker, error){
	func(memory *feed.Memory) (walker, error) {
		return practiceWalker(ours+", 5 in flight", memory, 5, practice.WithRateLimit(perSecond, burst))
	},
	func(memory *feed.Memory) (walker, error) {
		c := &http.Client{Transport: memory, Timeout: timeLimit}
		return plainWalker("net/http, again after 1 s", func(ctx context.Context, address string, out any) error {
			return patientGet(ctx, c, address, out)
		}), nil
	},
}

// patientGet retries a request a second after each 429.
func patientGet(ctx context.Context, c *http.Client, address string, out any) error {
	for {
		err := plainGet(ctx, c, address, out)
		if !errors.Is(err, statusError(http.StatusTooManyRequests)) {
			return err
		}
		rest(ctx, time.Second)
	}
}

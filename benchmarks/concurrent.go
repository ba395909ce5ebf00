package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// connections limits the connections that 10,000 calls open at the same time,
// since some machines allow few file descriptors.
const connections = 256

// callConcurrently starts all calls at the same time through one client. This
// library and net/http take turns in each round.
func callConcurrently(r run) (report.Table, error) {
	calls, rounds := choose(r, 10_000, 1_000), choose(r, 15, 1)
	table := report.Table{
		Title: fmt.Sprintf("%d concurrent calls", calls),
		Intro: fmt.Sprintf("Through one client over loopback, with the same transport, at most %d connections and an access token at hand. ", connections) +
			"The counts of what is left are those of the worst round, after the idle connections were closed.",
		Header: []string{"", "median", "quartiles", "a call", "connections opened", "goroutines left", "connections left"},
	}
	var crowds [2]crowded // this library and net/http
	for range rounds {
		for i := range crowds {
			if err := crowds[i].round(r, i, calls); err != nil {
				return table, err
			}
		}
	}
	for _, c := range crowds {
		took := measure.SpreadOf(c.took)
		table.Rows = append(table.Rows, []string{
			c.name, report.Duration(took.Median), report.DurationSpread(took), report.Duration(took.Median / float64(calls)),
			report.Number(float64(c.opened)), report.Number(float64(c.goroutines)), report.Number(float64(c.connections)),
		})
	}
	table.Figures = []report.Figure{
		report.AtMost("of the time of net/http", 1.05, measure.SpreadOf(measure.Ratios(crowds[0].took, crowds[1].took)).Median, " times"),
		report.AtMost("goroutines left", 0, float64(crowds[0].goroutines), ""),
		report.AtMost("connections left", 0, float64(crowds[0].connections), ""),
	}
	return table, nil
}

// crowded is the result of many concurrent calls, over all rounds.
type crowded struct {
	name        string
	took        []float64
	opened      int64
	goroutines  int
	connections int
}

// round adds a round with a new client. Its first call, which gets the access
// token, is not measured.
func (c *crowded) round(r run, place, calls int) error {
	before := runtime.NumGoroutine()
	server, err := feed.Listen(r.answers)
	if err != nil {
		return err
	}
	serving := runtime.NumGoroutine() - before
	wire := &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections}
	e := overLoopback(r, server)
	e.transport = func() http.RoundTripper { return wire }
	all, err := clients(e)
	if err != nil {
		return err
	}
	c.name = all[place].name
	call := func() error { return reads(all[place], r.answers.StaffID) }
	if err := call(); err != nil {
		return err
	}
	runtime.GC() // not that of the contestant before
	took, err := together(calls, call)
	if err != nil {
		return err
	}
	c.took = append(c.took, float64(took))
	wire.CloseIdleConnections()
	c.opened = max(c.opened, server.Opened())
	goroutines, open := 0, 0
	settle(func() bool {
		goroutines, open = max(0, runtime.NumGoroutine()-before-serving), server.Open()
		return goroutines == 0 && open == 0
	})
	c.goroutines, c.connections = max(c.goroutines, goroutines), max(c.connections, open)
	return server.Close()
}

// together runs work several times concurrently.
func together(times int, work func() error) (time.Duration, error) {
	var running sync.WaitGroup
	begin := make(chan struct{})
	failures := make([]error, times)
	for i := range times {
		running.Go(func() {
			<-begin
			failures[i] = work()
		})
	}
	started := time.Now()
	close(begin)
	running.Wait()
	return time.Since(started), errors.Join(failures...)
}

// settle waits up to two seconds until closed connections are gone.
func settle(settled func() bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	for !settled() && ctx.Err() == nil {
		rest(ctx, 5*time.Millisecond)
	}
}

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
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// connections limits the connections that 10,000 calls open at the same time,
// since some machines allow few file descriptors.
const connections = 256

// callConcurrently starts all calls at the same time through one client.
func callConcurrently(r run) (report.Table, error) {
	calls := choose(r, 10_000, 1_000)
	table := report.Table{
		Title:  fmt.Sprintf("%d concurrent calls", calls),
		Intro:  fmt.Sprintf("Through one client over loopback, with at most %d connections. What is left is counted after the idle connections were closed.", connections),
		Header: []string{"", "time", "a call", "connections opened", "goroutines left", "connections left"},
	}
	for i := range 2 { // this library and net/http
		c, err := crowd(r, i, calls)
		if err != nil {
			return table, err
		}
		table.Rows = append(table.Rows, []string{
			c.name, report.Duration(float64(c.took)), report.Duration(float64(c.took) / float64(calls)),
			report.Number(float64(c.opened)), report.Number(float64(c.goroutines)), report.Number(float64(c.connections)),
		})
		if i == 0 {
			table.Figures = []report.Figure{
				report.AtMost("goroutines left", 0, float64(c.goroutines), ""),
				report.AtMost("connections left", 0, float64(c.connections), ""),
			}
		}
	}
	return table, nil
}

// crowded is the result of many concurrent calls.
type crowded struct {
	name        string
	took        time.Duration
	opened      int64
	goroutines  int
	connections int
}

func crowd(r run, place, calls int) (crowded, error) {
	before := runtime.NumGoroutine()
	server, err := feed.Listen(r.answers)
	if err != nil {
		return crowded{}, err
	}
	serving := runtime.NumGoroutine() - before
	wire := &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections}
	e := overLoopback(r, server)
	e.transport = func() http.RoundTripper { return wire }
	all, err := clients(e)
	if err != nil {
		return crowded{}, err
	}
	c := crowded{name: all[place].name}
	if c.took, err = together(calls, func() error { return reads(all[place], r.answers.StaffID) }); err != nil {
		return c, err
	}
	wire.CloseIdleConnections()
	c.opened = server.Opened()
	settle(func() bool {
		c.goroutines, c.connections = max(0, runtime.NumGoroutine()-before-serving), server.Open()
		return c.goroutines == 0 && c.connections == 0
	})
	return c, server.Close()
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

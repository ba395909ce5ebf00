package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// callInMemory compares calls that read a record of 1 KB without a network.
func callInMemory(r run) (report.Table, error) {
	all, err := clients(inMemory(r, &feed.Memory{Answers: r.answers}))
	if err != nil {
		return report.Table{}, err
	}
	results, rows, err := compareCalls(r, all)
	if err != nil {
		return report.Table{}, err
	}
	return report.Table{
		Title: "One GET of 1 KB in memory",
		Intro: "Everything on but the limiter: retries, both time limits, RequestId, a logger and an observer, " +
			"a token of the client credentials grant. The peers have one time limit and a fixed token.",
		Header: callHeader,
		Rows:   rows,
		Figures: []report.Figure{
			report.AtLeast("ahead of "+netHTTP, 2.7, ratioTo(results, netHTTP), " times"),
			report.AtLeast("ahead of ogen", 1, ratioTo(results, "ogen"), " times"),
			report.AtMost("allocations", 24, results[0].Allocs(), ""),
		},
	}, nil
}

func inMemory(r run, memory http.RoundTripper) endpoint {
	return endpoint{
		base: feed.BaseURL, token: feed.TokenURL, staffID: r.answers.StaffID,
		transport: func() http.RoundTripper { return memory },
	}
}

var callHeader = []string{"", "median", "quartiles", "times ours", "allocs", "KiB"}

// compareCalls measures the same call with all clients. It returns the results
// and the rows of the table.
func compareCalls(r run, all []client) ([]measure.Result, [][]string, error) {
	contestants := make([]measure.Contestant, len(all))
	for i, c := range all {
		contestants[i] = measure.Contestant{Name: c.name, Run: func() error { return reads(c, r.answers.StaffID) }}
	}
	return compare(r.plan(25, 50*time.Millisecond), 0, contestants, func(result measure.Result) []string {
		return []string{report.Number(result.Allocs()), report.Number(result.Bytes() / 1024)}
	})
}

// reads makes one call and checks its result.
func reads(c client, want string) error {
	id, err := c.get(context.Background())
	if err == nil && id != want {
		return fmt.Errorf("read %q instead of %q", id, want)
	}
	return err
}

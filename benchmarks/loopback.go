package main

import (
	"net/http"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// callOverLoopback compares calls that read the same record over TCP.
func callOverLoopback(r run) (report.Table, error) {
	server, err := feed.Listen(r.answers)
	if err != nil {
		return report.Table{}, err
	}
	all, err := clients(overLoopback(r, server))
	if err != nil {
		return report.Table{}, err
	}
	results, rows, err := compareCalls(r, all)
	if err != nil {
		return report.Table{}, err
	}
	return report.Table{
		Title:   "One GET of 1 KB over loopback",
		Intro:   "The same clients over TCP, each with a transport of its own. The service writes a text that was made beforehand.",
		Header:  callHeader,
		Rows:    rows,
		Figures: []report.Figure{report.AtLeast("ahead of "+netHTTP, 1.25, ratioTo(results, netHTTP), " times")},
	}, server.Close()
}

func overLoopback(r run, server *feed.Loopback) endpoint {
	return endpoint{
		base: server.BaseURL(), token: server.TokenURL(), staffID: r.answers.StaffID,
		transport: func() http.RoundTripper { return http.DefaultTransport.(*http.Transport).Clone() },
	}
}

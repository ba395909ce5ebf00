package main

import (
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// run holds the arguments of every table.
type run struct {
	quick   bool // for function, not for figures
	answers *feed.Answers
}

// table measures one thing.
type table struct {
	name    string
	measure func(run) (report.Table, error)
}

// tables are measured and printed in this order.
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
	{"pageloop", loopOverPages},
	{"upload", uploadFile},
	{"uploadlarge", uploadLarge},
	{"download", downloadLarge},
	{"ranges", downloadRanges},
	{"manyfiles", moveManyFiles},
	{"memory", moveUnderLimit},
	{"webhook", receiveWebhooks},
}

// plan is enough rounds for quartiles, or one to see that all work.
func (r run) plan(rounds int, slice time.Duration) measure.Plan {
	if r.quick {
		return measure.Plan{Rounds: 1, Slice: min(slice, 10*time.Millisecond)}
	}
	return measure.Plan{Rounds: rounds, Slice: slice}
}

// choose gives the size of a full run or that of a quick one.
func choose[T any](r run, full, quick T) T {
	if r.quick {
		return quick
	}
	return full
}

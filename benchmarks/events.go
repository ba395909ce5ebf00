package main

import (
	"fmt"
	"time"

	"github.com/go-faster/jx"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/peers/ogen"
	"github.com/practicesdk/practice-go/benchmarks/internal/peers/plain"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
	"github.com/practicesdk/practice-go/models"
)

const decodeSlice = 100 * time.Millisecond

// decodeEvents compares decoding a full page of calendar events.
func decodeEvents(r run) (report.Table, error) {
	calendar, err := r.answers.Calendar(feed.PageSize)
	if err != nil {
		return report.Table{}, err
	}
	page := calendar.AppendPage(nil, 0, feed.PageSize)
	all := append(decoders[models.Collection[models.CalendarEvent], plain.EventPage](), whole("ogen", func(data []byte) error {
		return new(ogen.EventPage).Decode(jx.DecodeBytes(data))
	}))
	results, rows, err := compareDecoders(r, all, page)
	if err != nil {
		return report.Table{}, err
	}
	return report.Table{
		Title:  "500 calendar events from a reader to typed records",
		Intro:  fmt.Sprintf("One page of %s, as the embedded service writes it.", report.Mebibytes(float64(len(page)))),
		Header: decodeHeader, Rows: rows,
		Notes: append(sonicAsItIs(), "All peers keep every time as text, because a local time has no zone. Ours are typed times."),
		Figures: append(aheadOf(results, 4, "goccy/go-json", "bytedance/sonic", "ogen"),
			report.AtMost("allocations a record", 3, results[0].Allocs()/feed.PageSize, "")),
	}, nil
}

// aheadOf returns the required figures of a decoder: several times as fast as
// encoding/json with either of its interfaces, and faster than the others.
func aheadOf(results []measure.Result, times float64, others ...string) []report.Figure {
	figures := []report.Figure{
		report.AtLeast("ahead of encoding/json", times, ratioTo(results, encodingJSON), " times"),
		report.AtLeast("ahead of encoding/json, Decoder", times, ratioTo(results, "encoding/json, Decoder"), " times"),
	}
	for _, other := range others {
		figures = append(figures, report.AtLeast("ahead of "+other, 1, ratioTo(results, other), " times"))
	}
	return figures
}

// ratioTo returns the time of the named result divided by that of the first
// result.
func ratioTo(results []measure.Result, name string) float64 {
	for _, result := range results {
		if result.Name == name {
			return results[0].Faster(result).Median
		}
	}
	return 0
}

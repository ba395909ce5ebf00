package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/records"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// decodeRecords compares decoding every record that an operation returns, one
// at a time.
func decodeRecords(r run) (report.Table, error) {
	all, err := allRecords()
	if err != nil {
		return report.Table{}, err
	}
	var listed, single []float64
	var rows [][]string
	for _, record := range all {
		results, err := measure.Compare(r.plan(15, 4*time.Millisecond), decodersOf(record.Type, record.Plain, record.Sample)...)
		if err != nil {
			return report.Table{}, fmt.Errorf("%s: %w", record.Name, err)
		}
		ahead, kind := results[0].Faster(results[1]), ""
		if record.Listed {
			listed, kind = append(listed, ahead.Median), "listed"
		} else {
			single = append(single, ahead.Median)
		}
		rows = append(rows, []string{
			record.Name, kind, report.Number(float64(len(record.Sample))),
			report.Duration(results[0].Time().Median), report.Duration(results[1].Time().Median), report.Ratio(ahead),
			report.Number(results[0].Allocs()), report.Number(results[1].Allocs()),
		})
	}
	return report.Table{
		Title: "Every record that is read",
		Intro: "The recorded answer with every member, one record at a time, against encoding/json with a struct of the same members " +
			"and no methods. The records and the structs follow from the description. In the structs texts, numbers and booleans are values, " +
			"and records in records are pointers.",
		Header: []string{"", "", "bytes", "median", "encoding/json", "times ours", "allocs", "encoding/json"},
		Rows:   rows,
		Figures: []report.Figure{
			report.AtLeast("half of all records, ahead of encoding/json", 4.2, measure.SpreadOf(slices.Concat(listed, single)).Median, " times"),
			report.AtLeast("each record that is listed, ahead of encoding/json", 3, measure.SpreadOf(listed).Min, " times"),
			report.AtLeast("each other record, ahead of encoding/json", 1.5, measure.SpreadOf(single).Min, " times"),
		},
	}, nil
}

// decodersOf returns the decoder of this library and encoding/json, each with
// its type.
func decodersOf(typed, plain reflect.Type, text []byte) []measure.Contestant {
	return []measure.Contestant{
		{Name: ours, Run: func() error {
			faults, err := codec.Decode(text, reflect.New(typed).Interface(), models.Wire)
			if len(faults) > 0 {
				return faults[0].Err
			}
			return err
		}},
		{Name: encodingJSON, Run: func() error { return json.Unmarshal(text, reflect.New(plain).Interface()) }},
	}
}

// allRecords returns the records described in the repository, which is the
// nearest parent directory with a description.
func allRecords() ([]records.Record, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "api", "common.yaml")); err == nil {
			return records.Read(os.DirFS(dir))
		}
	}
	return nil, errors.New("no parent directory contains api/common.yaml")
}

// decodeMatters compares decoding a full page of matters.
func decodeMatters(r run) (report.Table, error) {
	all, err := allRecords()
	if err != nil {
		return report.Table{}, err
	}
	for _, record := range all {
		if record.Type != reflect.TypeFor[models.Matter]() {
			continue
		}
		page := feed.List("/matters", "Matters", []json.RawMessage{record.Sample})
		results, rows, err := compare(r.plan(15, decodeSlice), 0,
			decodersOf(reflect.TypeFor[models.Collection[models.Matter]](), records.PlainPage(record.Plain), page), memoryOfRecords)
		if err != nil {
			return report.Table{}, err
		}
		return report.Table{
			Title: "500 matters", Intro: fmt.Sprintf("One page of %s, of the recorded matter with every member.", report.Mebibytes(float64(len(page)))),
			Header: decodeHeader, Rows: rows,
			Figures: []report.Figure{report.AtLeast("ahead of encoding/json", 4.5, ratioTo(results, encodingJSON), " times")},
		}, nil
	}
	return report.Table{}, errors.New("no operation answers a matter")
}

package main

import (
	"encoding/json"
	"time"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"

	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/peers/plain"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// fullPatch sets every member of a fee.
const fullPatch = `{"feeDate":"2026-07-01","subject":"Review lease","updatedByUserId":"f7d24f0d-b129-559d-9e55-ab2c40559ef8",` +
	`"staffId":"6fe14976-551a-5747-a964-bab910074913","invoiceId":"0d2a9a4c-5d0a-5c65-9f43-3a2f7c2b6d11","activityCode":"REV",` +
	`"feeType":1,"description":"Second pass over the \"special\" conditions","duration":60,"durationWorked":75,"rate":350.5,"tax":35.05,` +
	`"taxInclusive":false,"taxExempt":false,"taxOutOfScope":true,"finalized":false,"isWrittenOff":false,"isBillable":true,` +
	`"isInvoicedExternally":false,"sourceItems":[{"description":"Call","duration":10,"isBillable":true},` +
	`{"description":"Reading","duration":50,"isBillable":false}],"createdFromActivityId":"4b5e1f0e-9b0e-5b57-8f0d-6f5f2f6f2a10"}`

// encoder decodes a patch into its type and returns a function that encodes it.
type encoder struct {
	name string
	load func(text string) (write func() ([]byte, error), err error)
}

// loaded returns an encoder for a library that encodes any type.
func loaded[T any](name string, marshal func(any) ([]byte, error)) encoder {
	return encoder{name, func(text string) (func() ([]byte, error), error) {
		patch := new(T)
		err := json.Unmarshal([]byte(text), patch)
		return func() ([]byte, error) { return marshal(patch) }, err
	}}
}

var encoders = []encoder{
	{ours, func(text string) (func() ([]byte, error), error) {
		patch := new(models.FeePatch)
		err := json.Unmarshal([]byte(text), patch)
		return func() ([]byte, error) { return codec.AppendRequest(nil, patch, models.Wire) }, err
	}},
	loaded[plain.FeePatch](encodingJSON, json.Marshal),
	loaded[plain.FeePatch]("goccy/go-json", goccy.Marshal),
	loaded[plain.FeePatch]("bytedance/sonic", sonic.Marshal),
}

// marshalPatch compares encoding the body that changes every member of a fee.
func marshalPatch(r run) (report.Table, error) {
	contestants := make([]measure.Contestant, len(encoders))
	for i, e := range encoders {
		write, err := e.load(fullPatch)
		if err != nil {
			return report.Table{}, err
		}
		contestants[i] = measure.Contestant{Name: e.name, Run: func() error {
			_, err := write()
			return err
		}}
	}
	results, rows, err := compare(r.plan(25, 30*time.Millisecond), 0, contestants, func(result measure.Result) []string {
		return []string{report.Number(result.Allocs()), report.Number(result.Bytes())}
	})
	if err != nil {
		return report.Table{}, err
	}
	return report.Table{
		Title:  "Marshalling a full fee patch",
		Intro:  "All 21 fields with two source items.",
		Header: []string{"", "median", "quartiles", "times ours", "allocs", "bytes"},
		Rows:   rows,
		Figures: []report.Figure{
			report.AtLeast("ahead of encoding/json", 2, ratioTo(results, encodingJSON), " times"),
			report.AtLeast("ahead of goccy/go-json", 1, ratioTo(results, "goccy/go-json"), " times"),
			report.AtLeast("ahead of bytedance/sonic", 1, ratioTo(results, "bytedance/sonic"), " times"),
		},
	}, nil
}

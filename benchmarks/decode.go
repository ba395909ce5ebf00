package main

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// decoder reads a page of records from a reader. size is the Content-Length.
type decoder struct {
	name   string
	decode func(r io.Reader, size int) error
}

const (
	ours         = "practice"
	encodingJSON = "encoding/json"
)

// whole returns a decoder that first reads the entire text, as libraries that
// decode from memory require.
func whole(name string, decode func([]byte) error) decoder {
	return decoder{name, func(r io.Reader, size int) error {
		data := make([]byte, size)
		if _, err := io.ReadFull(r, data); err != nil {
			return err
		}
		return decode(data)
	}}
}

// generic returns a decoder that decodes into values of any type with a
// library.
func generic[T any](name string, unmarshal func([]byte, any) error) decoder {
	return whole(name, func(data []byte) error { return unmarshal(data, new(T)) })
}

// decoders returns the decoder of this library and those of its peers for any
// type. V is the page type of this library, P the plain one.
func decoders[V, P any, PV interface {
	*V
	json.Unmarshaler
}]() []decoder {
	return []decoder{
		whole(ours, func(data []byte) error {
			_, err := codec.Decode(data, PV(new(V)), models.Wire)
			return err
		}),
		generic[P](encodingJSON, json.Unmarshal),
		{"encoding/json, Decoder", func(r io.Reader, _ int) error { return json.NewDecoder(r).Decode(new(P)) }},
		generic[P]("goccy/go-json", goccy.Unmarshal),
		generic[P]("bytedance/sonic", sonic.Unmarshal),
	}
}

// compareDecoders measures all decoders on one page.
func compareDecoders(r run, all []decoder, page []byte) ([]measure.Result, [][]string, error) {
	contestants := make([]measure.Contestant, len(all))
	for i, d := range all {
		contestants[i] = measure.Contestant{Name: d.name, Run: func() error {
			return d.decode(bytes.NewReader(page), len(page))
		}}
	}
	return compare(r.plan(15, decodeSlice), 0, contestants, memoryOfRecords)
}

// memoryOfRecords returns the cells on the memory that a page takes.
func memoryOfRecords(result measure.Result) []string {
	return []string{report.Number(result.Allocs() / feed.PageSize), report.Mebibytes(result.Bytes())}
}

// sonicAsItIs returns a note if sonic only calls encoding/json, as it does with
// an unknown toolchain or machine.
func sonicAsItIs() []string {
	if sonic.APIKind == sonic.UseSonicJSON {
		return nil
	}
	return []string{"bytedance/sonic does not support this toolchain or machine and falls back to encoding/json."}
}

var decodeHeader = []string{
	"", "median", "quartiles", "times ours", "allocs a record", "allocated",
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// verdictOn describes the result of decoding a page with one invalid record.
func verdictOn(d decoder, page []byte) string {
	_, skipped, err := d.decode(bytes.NewReader(page), len(page))
	switch {
	case err != nil:
		return "page refused"
	case skipped > 0:
		return fmt.Sprintf("%d read, %d reported", feed.PageSize-skipped, skipped)
	}
	return "passes unseen"
}

const newMember = `"newMember":"kept"`

// fateOfMember describes whether an unknown member survives decoding and
// encoding.
func fateOfMember(d decoder, page []byte) string {
	value, _, err := d.decode(bytes.NewReader(page), len(page))
	if err != nil {
		return "page refused"
	}
	text, err := json.Marshal(value)
	if err == nil && bytes.Contains(text, []byte(newMember)) {
		return "kept"
	}
	return "lost"
}

// heldByOneText returns how much memory stays in use if a program keeps a
// single string of one record.
func heldByOneText(d decoder, page []byte) string {
	before := heapWithoutPools()
	value, _, err := d.decode(bytes.NewReader(page), len(page))
	if err != nil {
		return "page refused"
	}
	text := longText(middleRecord(reflect.ValueOf(value)))
	after := heapWithoutPools()
	runtime.KeepAlive(text)
	if text == "" {
		return "nothing"
	}
	return report.Kibibytes(max(0, float64(after)-float64(before)))
}

// heapWithoutPools runs the collector twice, because the content of a sync.Pool
// survives one collection.
func heapWithoutPools() uint64 {
	measure.LiveHeap()
	return measure.LiveHeap()
}

// middleRecord returns the record in the middle of a page of any type, or the
// zero Value if v holds no page.
func middleRecord(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return middleRecord(v.Elem())
	case reflect.Slice:
		if v.Len() == feed.PageSize {
			return v.Index(v.Len() / 2)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if found := middleRecord(v.Field(i)); found.IsValid() {
				return found
			}
		}
	default:
	}
	return reflect.Value{}
}

// longText returns the first string of more than 30 bytes in a record, or "" if
// there is none.
func longText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return longText(v.Elem())
	case reflect.String:
		if v.Len() > 30 {
			return v.String()
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if found := longText(v.Field(i)); found != "" {
				return found
			}
		}
	default:
	}
	return ""
}

// Package fuzztest compares the generated codec, for whole records, with an
// independent strict JSON parser. It is a separate module, so that the parser
// is not a dependency of the library.
//
// The seeds are long, so the fuzzer spends most of its time minimizing its
// findings unless that is limited:
//
//	go test -run '^$' -fuzz '^FuzzGenerated$' -fuzztime 60s -fuzzminimizetime 5x
//
// This reads many more random texts, without coverage guidance:
//
//	go test -run RandomTexts -timeout 0 -random-texts 20000000 .
package fuzztest

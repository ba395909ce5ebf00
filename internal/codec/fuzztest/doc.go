// Package fuzztest compares the generated codec, for whole records, with a
// strict JSON parser that knows nothing of it. It is a module of its own, so
// that the parser is not among the dependencies of the library.
//
// The seeds are long, so the fuzzer spends most of its time on shortening what
// it finds unless it is told not to:
//
//	go test -run '^$' -fuzz '^FuzzGenerated$' -fuzztime 60s -fuzzminimizetime 5x
//
// Many more texts, without the fuzzer's view of the code, are read by
//
//	go test -run RandomTexts -timeout 0 -random-texts 20000000 .
package fuzztest

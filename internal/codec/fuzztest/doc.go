// Package fuzztest compares the generated codec, for whole records, with a strict JSON parser that knows nothing of it.
// It is a module of its own, so that the parser is not among the dependencies of the library.
package fuzztest

// Package lint holds the house rules that the usual linters do not know: one
// analyzer, one rule, one file. The program houserules runs them, and .ci/run
// runs the program on every module.
package lint

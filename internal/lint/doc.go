// Package lint holds the house rules that common linters do not cover, each as
// an analyzer in a file. The program houserules runs them, and .ci/run runs the
// program on every module.
package lint

// Package hang tests calls over a transport that hangs for ever. It is apart
// from package acceptance because net/http then leaks goroutines.
package hang

// Package hang tests calls over a transport that never responds. It is separate
// from package acceptance because net/http then leaks goroutines.
package hang

// Package transport is the chain that a request passes on its way to the
// service and that its answer passes on the way back:
//
//	total time limit → retry → rate limit → authorise → attempt record →
//	whole body → the caller's middleware → attempt time limit → the wire
//
// Each link is one file with its own table test. Chain puts them together; a
// Call travels through them and records the attempts.
package transport

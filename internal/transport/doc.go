// Package transport is the chain of handlers that a request passes on its way
// to the service, and its response on the way back:
//
//	total time limit → retry → rate limit → authorise → attempt record →
//	whole body → the caller's middleware → attempt time limit → the wire
//
// Each handler has its own file and table test. Chain connects them; a Call
// passes through them and records the attempts.
package transport

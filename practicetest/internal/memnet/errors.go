//go:build !plan9

package memnet

import "syscall"

// Connections fail with the errors of the operating system, if it has them.
const (
	errInUse   = syscall.EADDRINUSE
	errRefused = syscall.ECONNREFUSED
	errPipe    = syscall.EPIPE
	errReset   = syscall.ECONNRESET
)

//go:build !plan9

package memnet

import "syscall"

// The failures of connections are those of the system, where it has them.
const (
	errInUse   = syscall.EADDRINUSE
	errRefused = syscall.ECONNREFUSED
	errPipe    = syscall.EPIPE
	errReset   = syscall.ECONNRESET
)

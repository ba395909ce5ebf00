//go:build !windows && !plan9

package otel

import "syscall"

// refused and reset return the error numbers of the system.
func refused() []error { return []error{syscall.ECONNREFUSED} }

func reset() []error { return []error{syscall.ECONNRESET, syscall.EPIPE} }

//go:build !windows && !plan9

package otel

import "syscall"

// refused and reset are how the system says so.
func refused() []error { return []error{syscall.ECONNREFUSED} }

func reset() []error { return []error{syscall.ECONNRESET, syscall.EPIPE} }

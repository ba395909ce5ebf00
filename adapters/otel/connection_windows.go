package otel

import "syscall"

// refused and reset are how Windows says so, and how package syscall does.
func refused() []error { return []error{syscall.ECONNREFUSED, syscall.Errno(10061)} }

func reset() []error {
	return []error{syscall.ECONNRESET, syscall.EPIPE, syscall.WSAECONNRESET, syscall.WSAECONNABORTED}
}

package otel

import "syscall"

// refused and reset return the error numbers of Windows and those of package
// syscall.
func refused() []error { return []error{syscall.ECONNREFUSED, syscall.Errno(10061)} }

func reset() []error {
	return []error{syscall.ECONNRESET, syscall.EPIPE, syscall.WSAECONNRESET, syscall.WSAECONNABORTED}
}

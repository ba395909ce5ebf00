//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package partfile

import (
	"os"
	"syscall"
)

// lock takes the file for this process until it is closed, and reports whether
// it could.
func lock(f *os.File) bool {
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	locked := false
	err = conn.Control(func(fd uintptr) {
		locked = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	})
	return err == nil && locked
}

// names is how many names an open file has.
func names(f *os.File) uint64 {
	info, err := f.Stat()
	if err != nil {
		return 1
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink) //nolint:unconvert // it has another type elsewhere
	}
	return 1
}

//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Lock locks f until it is closed. It returns ErrHeld if f is locked already,
// and another error if the system or the file system has no locks.
func Lock(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var refused error
	err = conn.Control(func(fd uintptr) {
		refused = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB)
	})
	if errors.Is(refused, syscall.EWOULDBLOCK) {
		return ErrHeld
	}
	return errors.Join(err, refused)
}

// Unlock releases the lock of f before f is closed. Otherwise a process that
// this one starts at the same moment may keep it until it has begun.
func Unlock(f *os.File) {
	if conn, err := f.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { _ = syscall.Flock(int(fd), syscall.LOCK_UN) }) // Close releases it, too
	}
}

//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Lock takes the file until it is closed. The error is ErrHeld, or another one where
// the system or the file system has no locks.
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

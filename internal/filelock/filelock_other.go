//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"os"
)

// Lock returns errors.ErrUnsupported, because this system has no file locks.
func Lock(*os.File) error { return errors.ErrUnsupported }

// Unlock does nothing: Close releases the lock.
func Unlock(*os.File) {}

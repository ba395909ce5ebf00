//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"os"
)

// Lock returns errors.ErrUnsupported: this system has no locks.
func Lock(*os.File) error { return errors.ErrUnsupported }

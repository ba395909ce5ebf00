// Package filelock locks an open file against other processes, without waiting.
//
// Callers open their files through an [os.Root] and lock the open file, so a
// file that is renamed afterwards remains locked. github.com/gofrs/flock and
// github.com/rogpeppe/go-internal/lockedfile open a path themselves, and the
// latter waits for the lock without a limit.
package filelock

import "errors"

// ErrHeld reports that the file is already locked.
var ErrHeld = errors.New("the file is locked by another process")

// Package filelock locks an open file against all other processes, without
// waiting.
//
// The callers open their files through an [os.Root] and lock what they hold: a
// file that is renamed afterwards stays locked. github.com/gofrs/flock and
// github.com/rogpeppe/go-internal/lockedfile open a path by themselves, and the
// second one waits for the lock without a limit.
package filelock

import "errors"

// ErrHeld is returned by Lock if the file is locked already.
var ErrHeld = errors.New("the file is held by another process")

// Package filelock takes an open file for one holder at a time, across all processes.
package filelock

import "errors"

// ErrHeld reports that somebody else holds the file.
var ErrHeld = errors.New("the file is held by another process")

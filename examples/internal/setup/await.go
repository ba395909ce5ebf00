package setup

import (
	"context"
	"errors"
	"time"

	practice "github.com/practicesdk/practice-go"
)

const (
	firstWait = 25 * time.Millisecond
	longest   = 15 * time.Second
)

// Await reads a record that was just written. The service accepts most writes
// before it executes them, so the record may not be found yet: then read is
// called again, after longer and longer waits.
func Await(ctx context.Context, read func() error) error {
	end := time.Now().Add(longest)
	for wait := firstWait; ; wait = min(2*wait, time.Second) {
		err := read()
		if !errors.Is(err, practice.ErrNotFound) || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

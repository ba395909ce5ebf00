//go:build unix

package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheExitStatusTellsHowItEnded(t *testing.T) {
	tests := map[string]struct {
		run    func(context.Context) error
		status int
		says   string
	}{
		"success":            {func(context.Context) error { return nil }, Success, ""},
		"failure":            {func(context.Context) error { return errors.New("no\x1b[2J luck") }, Failure, "test: no[2J luck\n"},
		"a bad command line": {func(context.Context) error { return fmt.Errorf("%w: -x", ErrUsage) }, Usage, "test: bad command line: -x\n"},
		"ctrl-c":             {interrupted, Interrupted, "test: interrupted\n"},
		"ctrl-c, but the work was done": {func(ctx context.Context) error {
			_ = interrupted(ctx)
			return nil
		}, Success, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { // not parallel: signals reach the whole process
			var stderr bytes.Buffer
			assert.Equal(t, tt.status, Run("test", &stderr, tt.run))
			assert.Equal(t, tt.says, stderr.String())
		})
	}
}

func interrupted(ctx context.Context) error {
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
		return err
	}
	<-ctx.Done()
	return context.Cause(ctx)
}

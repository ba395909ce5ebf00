//go:build unix

package program

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheExitStatusTellsHowItEnded(t *testing.T) {
	tests := map[string]struct {
		run    func(context.Context) error
		status int
		says   string
	}{
		"success":            {func(context.Context) error { return nil }, Success, ""},
		"failure":            {func(context.Context) error { return errors.New("no\x1b[2J luck") }, Failure, "test: no[2J luck\n"},
		"a bad command line": {func(context.Context) error { return fmt.Errorf("%w: -x", ErrUsage) }, Usage, "test: bad command line: -x\nusage: test\n"},
		"ctrl-c":             {interrupted, Interrupted, "test: interrupted\n"},
		"ctrl-c, but the work was done": {func(ctx context.Context) error {
			_ = interrupted(ctx)
			return nil
		}, Success, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { // not parallel: signals reach the whole process
			var stdout, stderr bytes.Buffer
			assert.Equal(t, tt.status, Run("test", "usage: test\n", &stdout, &stderr, tt.run))
			assert.Equal(t, tt.says, stderr.String())
			assert.Empty(t, stdout.String())
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

func TestACommandLineHasItsFlagsAndNoMoreArguments(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args []string
		err  error
		says string
	}{
		"flags and an argument": {[]string{"-x", "1", "a"}, nil, ""},
		"nothing":               {nil, nil, ""},
		"help":                  {[]string{"--help"}, flag.ErrHelp, "help requested"},
		"an unknown flag":       {[]string{"-y"}, ErrUsage, "not defined: -y"},
		"a stray argument":      {[]string{"a", "b"}, ErrUsage, `unexpected argument "b"`},
		"a flag at the end":     {[]string{"a", "-x"}, ErrUsage, `unexpected argument "-x"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := flag.NewFlagSet("test", flag.ContinueOnError)
			flags.Int("x", 0, "")
			err := Parse(flags, tt.args, 1)
			require.ErrorIs(t, err, tt.err)
			if tt.err != nil {
				assert.ErrorContains(t, err, tt.says)
			}
		})
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestHelpIsPrintedAndItsOutputMayFail(t *testing.T) {
	help := func(context.Context) error { return flag.ErrHelp }
	var stdout, stderr bytes.Buffer
	assert.Equal(t, Success, Run("test", "usage: test\n", &stdout, &stderr, help))
	assert.Equal(t, "usage: test\n", stdout.String())
	assert.Empty(t, stderr.String())
	assert.Equal(t, Failure, Run("test", "usage: test\n", fullDisk{}, &stderr, help))
	assert.Equal(t, "test: no space left\n", stderr.String())
}

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func Example() {
	if err := run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Trust account 387395.55
}

func TestTheFirstProgramIsOneFileOfAtMostFortyLines(t *testing.T) {
	t.Parallel()
	sources, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Len(t, sources, 2, "the program and this test")
	text, err := os.ReadFile("main.go")
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 40)
}

func TestACallThatFailsIsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx), context.Canceled)
}

package main

import (
	"flag"
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/cmd/generated"
	"github.com/practicesdk/practice-go/internal/soak"
)

// compileLimit limits the CPU time for compiling package models. It is scaled to a machine that compiles net/http in
// httpTime. Every program that imports the library spends this time.
var compileLimit = flag.Duration("compile-limit", 4*time.Second, "CPU time to compile the models")

const httpTime = 3200 * time.Millisecond

func TestTheModelsCompileInTime(t *testing.T) {
	soak.Only(t, "beside other work, compiling takes up to twice the processor time")
	root, err := generated.Root()
	require.NoError(t, err)
	least := time.Hour
	for i := 0; i < 6 && least > *compileLimit; i++ {
		anew := fmt.Sprintf("%d-%d", i, time.Now().UnixNano())
		took := build(t, root, "-gcflags=./models=-D="+anew, "./models")
		ofHTTP := build(t, root, "-gcflags=net/http=-D="+anew, "net/http")
		t.Logf("compiling the models takes %s, net/http %s", took, ofHTTP)
		least = min(least, time.Duration(took.Seconds()/ofHTTP.Seconds()*float64(httpTime)))
	}
	require.LessOrEqual(t, least, *compileLimit)
}

// build compiles a package and returns the CPU time of all processes involved.
func build(t *testing.T, root string, args ...string) time.Duration {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", slices.Concat([]string{"build", "-buildvcs=false"}, args)...)
	command.Dir = root
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime()
}

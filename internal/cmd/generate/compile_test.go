package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/cmd/generated"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/soak"
)

// compileLimit limits the CPU time for compiling package models when the client
// offers every operation. It is scaled to a machine that compiles net/http in
// httpTime. Every program that imports the library spends this time.
var compileLimit = flag.Duration("compile-limit", 4*time.Second, "CPU time to compile the models of all operations")

const httpTime = 3200 * time.Millisecond

func TestModelsOfAllOperationsCompileInTime(t *testing.T) {
	soak.Only(t, "beside other work, compiling takes up to twice the processor time")
	root, err := generated.Root()
	require.NoError(t, err)
	document, err := description.Load(os.DirFS(filepath.Join(root, "api")))
	require.NoError(t, err)
	files, err := newGenerator(document, true).files()
	require.NoError(t, err)

	least := time.Hour
	for i := 0; i < 6 && least > *compileLimit; i++ {
		anew := fmt.Sprintf("%d-%d", i, time.Now().UnixNano())
		overlay := overlayOf(t, filepath.Join(root, "models"), files, "// "+anew+"\n")
		took := build(t, root, "-overlay", overlay, "./models")
		took -= build(t, root, "-overlay", overlay, "./models") // the second build only looks up the cache
		ofHTTP := build(t, root, "-gcflags=net/http=-D="+anew, "net/http")
		t.Logf("compiling the models of all operations takes %s, net/http %s", took, ofHTTP)
		least = min(least, time.Duration(took.Seconds()/ofHTTP.Seconds()*float64(httpTime)))
	}
	require.LessOrEqual(t, least, *compileLimit)
}

// overlayOf returns an overlay for go build that replaces the files of the
// package. end is appended to each file so that the build cache does not have
// it.
func overlayOf(t *testing.T, models string, files map[string][]byte, end string) string {
	t.Helper()
	dir := t.TempDir()
	replaced := make(map[string]string)
	present, err := filepath.Glob(filepath.Join(models, "zz_*.go"))
	require.NoError(t, err)
	for _, path := range present {
		replaced[path] = ""
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, append(text, end...), 0o600))
		replaced[filepath.Join(models, name)] = path
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	require.NoError(t, err)
	overlay := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, text, 0o600))
	return overlay
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

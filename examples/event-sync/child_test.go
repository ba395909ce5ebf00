package main

import (
	"os"
	"os/exec"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// startChild starts the program as a process of its own, against a service with
// a fault. The function that it returns kills the process and waits until it is
// gone.
func (w *world) startChild(fault practicetest.Fault) (kill func()) {
	w.Helper()
	w.server.Inject(fault)
	child := w.child()
	require.NoError(w, child.Start())
	return func() {
		require.NoError(w, child.Process.Kill())
		require.Error(w, child.Wait(), "it was killed")
	}
}

// child returns a run of the program in a process of its own.
func (w *world) child() *exec.Cmd {
	w.Helper()
	binary, err := os.Executable()
	require.NoError(w, err)
	child := exec.CommandContext(w.Context(), binary)
	child.Env = append(os.Environ(), childFile+"="+w.file)
	for name, value := range w.variables {
		child.Env = append(child.Env, name+"="+value)
	}
	return child
}

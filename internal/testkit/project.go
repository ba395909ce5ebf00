package testkit

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Project returns the files of the module that the test is in.
func Project(t testing.TB) fs.FS {
	t.Helper()
	const deepest = 10
	dir := "."
	for range deepest {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return os.DirFS(dir)
		}
		dir = filepath.Join(dir, "..")
	}
	t.Fatal("no parent directory contains a go.mod file")
	return nil
}

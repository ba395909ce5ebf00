package practice

import (
	"os"
	"path/filepath"
)

func Example() {
	dir, err := os.MkdirTemp("", "x")
	defer os.RemoveAll(dir)
	_ = os.WriteFile(filepath.Join(dir, "a"), nil, 0o600)
	_ = os.WriteFile("a", nil, 0o600) // want `os.WriteFile: a test writes only below t.TempDir`
	_ = err
}

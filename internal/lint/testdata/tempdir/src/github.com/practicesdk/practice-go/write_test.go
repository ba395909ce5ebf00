package practice

import (
	"flag"
	"os"
	. "os"
	"path/filepath"
	"testing"
)

var (
	update   = flag.Bool("update", false, "write the golden files")
	childDir = flag.String("child", "", "the folder of a child")
	verbose  = true
)

const somewhere = "/srv/practice"

type world struct {
	dir, cache string
	files      []string
	t          *testing.T
}

type pair struct{ from, to string }

func TestWrites(t *testing.T) {
	dir := t.TempDir()
	_, _ = os.Create(filepath.Join(dir, "a"))
	_ = os.WriteFile(dir+"/b", nil, 0o600)
	_ = os.MkdirAll(filepath.Join(t.TempDir(), "c", "d"), 0o700)
	_ = os.WriteFile("golden.json", nil, 0o600)            // want `os.WriteFile: a test writes only below t.TempDir`
	_, _ = os.Create(somewhere)                            // want `os.Create: a test writes only below t.TempDir`
	_ = os.MkdirAll(filepath.Join("testdata", "x"), 0o700) // want `os.MkdirAll: a test writes only below t.TempDir`
	_ = WriteFile(os.TempDir()+"/x", nil, 0o600)           // want `os.WriteFile: a test writes only below t.TempDir`
	_, _ = os.MkdirTemp("", "x")                           // want `os.MkdirTemp: a test writes only below t.TempDir`
	_, _ = os.CreateTemp("", "x")                          // want `os.CreateTemp: a test writes only below t.TempDir`
	_, _ = os.CreateTemp(dir, "x")
	_, _ = os.Open("golden.json")
	_, _ = os.OpenFile("golden.json", os.O_RDONLY, 0)
	_, _ = os.OpenFile("golden.json", os.O_RDWR, 0) // want `os.OpenFile: a test writes only below t.TempDir`
	_ = os.Symlink("anywhere", filepath.Join(dir, "link"))
	_ = os.Rename(filepath.Join(dir, "a"), "a") // want `os.Rename: a test writes only below t.TempDir`
	_ = os.RemoveAll("testdata")                // want `os.RemoveAll: a test writes only below t.TempDir`
	_ = os.CopyFS("copy", os.DirFS(dir))        // want `os.CopyFS: a test writes only below t.TempDir`
	_, _ = os.OpenRoot(".")                     // want `os.OpenRoot: a test writes only below t.TempDir`

	either := dir
	if verbose {
		either = "here"
	}
	_ = os.Mkdir(either, 0o700) // want `os.Mkdir: a test writes only below t.TempDir`
}

func TestHelpers(t *testing.T) {
	w := newWorld(t)
	_ = os.WriteFile(w.path("a"), nil, 0o600)
	_ = os.WriteFile(filepath.Join(w.cache, "a"), nil, 0o600) // want `os.WriteFile: a test writes only below t.TempDir`
	for _, file := range w.files {
		_ = os.Remove(file)
	}
	for _, name := range []string{"a", "b"} {
		_ = os.Remove(name) // want `os.Remove: a test writes only below t.TempDir`
	}
	p := pair{t.TempDir(), "there"}
	_ = os.Remove(p.from)
	_ = os.Remove(p.to) // want `os.Remove: a test writes only below t.TempDir`
	write(w.dir)
	writeAnywhere(w.dir)
	writeAnywhere("here")
	file, path, err := opened(t)
	_, _, _ = os.Remove(file.Name()), os.Remove(path), err
	f := t.TempDir
	_ = f
	for name, spoil := range map[string]func(path string){"lost": func(path string) { _ = os.Remove(path) }} {
		spoil(name)
	}
	_ = os.Mkdir(*childDir, 0o700)
}

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	return &world{dir: dir, files: []string{filepath.Join(dir, "a")}, t: t}
}

func (w *world) path(name string) string {
	if name == "" {
		return w.dir
	}
	return filepath.Join(w.dir, name)
}

func write(path string) { _ = os.WriteFile(path, nil, 0o600) }

func writeAnywhere(path string) { _ = os.WriteFile(path, nil, 0o600) } // want `os.WriteFile: a test writes only below t.TempDir`

func opened(t *testing.T) (*os.File, string, error) {
	path := filepath.Join(t.TempDir(), "x")
	file, err := os.Create(path)
	return file, path, err
}

func TestGolden(t *testing.T) {
	if *update {
		_ = os.WriteFile("testdata/golden.json", nil, 0o600)
	}
	if verbose {
		_ = os.WriteFile("testdata/golden.json", nil, 0o600) // want `os.WriteFile: a test writes only below t.TempDir`
	}
}

func FuzzWrites(f *testing.F) { _, _ = os.Create(filepath.Join(f.TempDir(), "x")) }

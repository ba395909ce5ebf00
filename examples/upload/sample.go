package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// makeUp fills a directory with typical files of an office: many small letters
// and a large scan.
func makeUp(dir string) error {
	random := rand.NewChaCha8([32]byte{1})
	write := func(name string, content []byte) error {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return os.WriteFile(path, content, 0o600)
	}
	for i := range 60 {
		text := fmt.Appendf(nil, "Dear Sir or Madam,\n\nthis is letter %d.\n", i+1)
		if err := write(fmt.Sprintf("Letters/%d/Letter %02d.txt", 2024+i/20, i+1), bytes.Repeat(text, 400)); err != nil {
			return err
		}
	}
	scan := make([]byte, 24<<20)
	_, _ = random.Read(scan) // never fails
	return write("Evidence/Scanned bundle.pdf", scan)
}

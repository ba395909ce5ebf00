// Command recordgen writes the JSON methods of the records of a package. It reads the structs in the current directory
// and writes zz_<file>.go beside each file that has records. It is run by go generate.
//
// A record is a struct with json tags whose last field is Extra. A struct with the directive //recordgen:body in its
// comment is the body of a request: its members are left out only when their tag says omitzero or their type is Opt.
// Embedded structs are flattened. A list with the tag codec:"isolate" keeps the faults of its elements apart. A type
// with its own UnmarshalJSONFrom method reads and writes itself; a record with an afterUnmarshal method has it called
// after reading.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "recordgen:", err)
		os.Exit(1)
	}
}

// outputPrefix marks the files this command owns.
const outputPrefix = "zz_"

// run brings the generated files of a directory up to date and removes those whose source is gone.
func run(dir string) error {
	files, err := generate(dir)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := writeIfNew(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	old, err := filepath.Glob(filepath.Join(dir, outputPrefix+"*.go"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if _, current := files[filepath.Base(path)]; current {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// writeIfNew leaves a file that is up to date alone, so that builds need not start over.
func writeIfNew(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return os.WriteFile(path, text, 0o644)
}

// generate gives the text of every generated file of a directory.
func generate(dir string) (map[string][]byte, error) {
	pkg, err := load(dir)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for _, source := range pkg.files {
		var records []record
		for _, s := range source.structs {
			if !pkg.isGenerated(s) {
				continue
			}
			r, err := pkg.record(s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", strings.TrimPrefix(source.name, dir+"/"), err)
			}
			records = append(records, r)
		}
		if len(records) == 0 {
			continue
		}
		text, err := render(pkg.name, records)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.name, err)
		}
		files[outputPrefix+source.name] = text
	}
	return files, nil
}

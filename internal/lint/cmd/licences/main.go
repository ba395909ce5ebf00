// Command licences lists the licence of each module that a program gets with
// the library, its adapters or the module replica, on any of three systems.
//
//	licences -tree ../.. -out ../../docs/licences.md
//
// It fails for an unknown licence, which a person has to read first.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

const library = "github.com/practicesdk/practice-go"

//go:generate go run . -tree ../../../.. -out ../../../../docs/licences.md
func main() {
	tree := flag.String("tree", ".", "the folder of the library")
	out := flag.String("out", "", "the file to write")
	flag.Parse()
	if err := write(*tree, *out); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// dependency is a module that is compiled into programs.
type dependency struct {
	path, licence string
	through       []string // published modules that require it; the root is "."
}

func write(tree, out string) error {
	modules, err := published(tree)
	if err != nil {
		return err
	}
	found := map[string]*dependency{}
	for _, module := range modules {
		if err := collect(tree, module, found); err != nil {
			return err
		}
	}
	sorted := slices.SortedFunc(maps.Values(found), func(a, b *dependency) int { return cmp.Compare(a.path, b.path) })
	return os.WriteFile(out, page(sorted), 0o644) //nolint:gosec // everybody may read it
}

// published returns the directories of the modules that programs can require.
func published(tree string) ([]string, error) {
	adapters, err := filepath.Glob(filepath.Join(tree, "adapters", "*", "go.mod"))
	if err != nil || len(adapters) == 0 {
		return nil, errors.Join(err, errors.New("no adapters below "+tree))
	}
	folders := []string{".", "replica"}
	for _, file := range adapters {
		folders = append(folders, path.Join("adapters", filepath.Base(filepath.Dir(file))))
	}
	return folders, nil
}

// collect adds the modules that a module requires outside its tests.
func collect(tree, module string, found map[string]*dependency) error {
	for _, system := range []string{"linux", "darwin", "windows"} {
		packages, err := list(tree, module, system, "./...")
		if err != nil {
			return err
		}
		packages = slices.DeleteFunc(packages, func(name string) bool { return strings.Contains(name, "/internal/") })
		lines, err := list(tree, module, system, append([]string{"-deps", "-f", "{{with .Module}}{{.Path}} {{.Dir}}{{end}}"}, packages...)...)
		if err != nil {
			return err
		}
		for _, line := range lines {
			name, dir, _ := strings.Cut(line, " ")
			if err := add(found, module, name, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// list returns the output lines of go list for another system.
func list(tree, module, system string, args ...string) ([]string, error) {
	command := exec.Command("go", append([]string{"list"}, args...)...) //nolint:gosec // arguments of this program
	command.Dir = filepath.Join(tree, module)
	command.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS="+system)
	var said bytes.Buffer
	command.Stderr = &said
	lines, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w\n%s", module, system, err, said.Bytes())
	}
	return strings.Split(strings.TrimSpace(string(lines)), "\n"), nil
}

func add(found map[string]*dependency, module, name, dir string) error {
	if name == "" || name == library || strings.HasPrefix(name, library+"/") {
		return nil
	}
	d := found[name]
	if d == nil {
		licence, err := licenceIn(os.DirFS(dir))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		d = &dependency{path: name, licence: licence}
		found[name] = d
	}
	if !slices.Contains(d.through, module) {
		d.through = append(d.through, module)
	}
	return nil
}

// licenceIn returns the SPDX identifiers of the licences of a module.
func licenceIn(module fs.FS) (string, error) {
	files, err := fs.ReadDir(module, ".")
	if err != nil {
		return "", err
	}
	var names []string
	for _, file := range files {
		base := strings.ToUpper(strings.TrimSuffix(file.Name(), path.Ext(file.Name())))
		if file.IsDir() || !slices.Contains([]string{"LICENSE", "LICENCE", "COPYING"}, base) {
			continue
		}
		text, err := fs.ReadFile(module, file.Name())
		if err != nil {
			return "", err
		}
		known := licensecheck.Scan(text).Match
		if len(known) == 0 {
			return "", fmt.Errorf("%s is a licence that is not known: read it", file.Name())
		}
		for _, licence := range known {
			names = append(names, licence.ID)
		}
	}
	if len(names) == 0 {
		return "", errors.New("no licence")
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " AND "), nil
}

func page(found []*dependency) []byte {
	var text bytes.Buffer
	text.WriteString(`# Licences

The library has the licence in ` + "`LICENSE`" + `. A program gets these modules with it, or with the adapter that it
requires; tests, examples and tools have others. Do not edit: ` + "`go generate ./...` in `internal/lint`" + ` writes this page.

| Module | Licence | With |
|---|---|---|
`)
	for _, d := range found {
		with := "`" + strings.Join(d.through, "`, `") + "`"
		if d.through[0] == "." {
			with = "the library"
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s |\n", d.path, d.licence, with)
	}
	return text.Bytes()
}

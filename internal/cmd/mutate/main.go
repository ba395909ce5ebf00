// Command mutate shows that tests detect errors in the client or in the
// description. It changes one fact at a time (a path, a method, a class, the
// name of a member or of a query parameter, a limit) and runs the tests of
// internal/operations, which must fail and name the operation. Run it in the
// root of the repository:
//
//	go run ./internal/cmd/mutate                 every mutant
//	go run ./internal/cmd/mutate -one            one of each kind
//	go run ./internal/cmd/mutate -kind 'client'  those whose kind matches
//	go run ./internal/cmd/mutate -each           one of each kind in each file
//
// It does not change files of the repository: the client is compiled with an
// overlay, and a changed description is in a temporary folder.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, ".", os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	one := flags.Bool("one", false, "one mutant of each kind")
	each := flags.Bool("each", false, "one mutant of each kind in each file, that is in each area")
	kind := flags.String("kind", "", "only mutants whose kind matches this regular expression")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*kind)
	if err != nil {
		return err
	}
	all, err := mutants(root)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b := &bench{root: root, dir: dir}
	if err := b.build(ctx); err != nil {
		return err
	}
	return b.judge(ctx, chosen(all, wanted, *one, *each), out)
}

// chosen returns the mutants to test: all that match, one of each kind, or one
// of each kind in each file.
func chosen(all []mutant, wanted *regexp.Regexp, one, each bool) []mutant {
	var some []mutant
	seen := map[string]bool{}
	for _, m := range all {
		group := m.kind
		if each {
			group += " " + strings.Join(slices.Sorted(maps.Keys(m.files)), " ")
		}
		if wanted.MatchString(m.kind) && (!one && !each || !seen[group]) {
			some = append(some, m)
			seen[group] = true
		}
	}
	return some
}

// judge runs the tests for every mutant, and returns an error if they do not
// detect one.
func (b *bench) judge(ctx context.Context, all []mutant, out io.Writer) error {
	missed := 0
	for _, m := range all {
		failed, said, err := b.test(ctx, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		verdict := "found"
		switch {
		case !failed:
			verdict = "NOT FOUND"
		case !m.named(said):
			verdict = "NOT NAMED"
		}
		if verdict != "found" {
			missed++
		}
		if _, err := fmt.Fprintf(out, "%-9s  %s\n", verdict, m); err != nil {
			return err
		}
	}
	switch {
	case len(all) == 0:
		return errors.New("no mutant is of that kind")
	case missed > 0:
		return fmt.Errorf("%d of %d mutants were not found by a test that names them", missed, len(all))
	}
	_, err := fmt.Fprintf(out, "All %d mutants were found.\n", len(all))
	return err
}

// read returns the text of a file below the root.
func read(root, name string) (string, error) {
	text, err := fs.ReadFile(os.DirFS(root), name)
	return string(text), err
}

// named reports whether the output names the operation of the mutant, or any
// operation if the mutant concerns several. For an inconsistent description it
// must contain file and line.
func (m mutant) named(said string) bool {
	for name := range m.files {
		if strings.Contains(said, filepath.Base(name)+":") && strings.HasPrefix(m.kind, "description") {
			return true
		}
	}
	if m.operation == "" {
		return anyOperation.MatchString(said)
	}
	return strings.Contains(said, m.operation)
}

var anyOperation = regexp.MustCompile(`[A-Z]\w+\.[A-Z]\w+ \(\w+\): `)

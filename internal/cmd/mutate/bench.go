package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const tests = "./internal/operations"

// bench runs the tests for each mutant.
type bench struct {
	root, dir string
	binary    string // compiled tests of the unchanged client
	count     int
}

// build compiles the tests once for all mutants of the description.
func (b *bench) build(ctx context.Context) error {
	b.binary = filepath.Join(b.dir, "operations.test")
	said, err := b.command(ctx, "go", "test", "-c", "-o", b.binary, tests).CombinedOutput()
	if err != nil {
		return errors.New(string(said))
	}
	return nil
}

func (b *bench) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, args...) //nolint:gosec // the go command, or the tests that it compiled
	command.Dir = b.root
	return command
}

// test reports whether the tests fail for a mutant, and returns their output.
func (b *bench) test(ctx context.Context, m mutant) (failed bool, said string, err error) {
	b.count++
	dir := filepath.Join(b.dir, strconv.Itoa(b.count))
	var command *exec.Cmd
	if strings.HasPrefix(m.kind, "description") {
		command, err = b.withDescription(ctx, dir, m)
	} else {
		command, err = b.withClient(ctx, dir, m)
	}
	if err != nil {
		return false, "", err
	}
	output, err := command.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return false, "", err
	}
	if ctx.Err() != nil {
		return false, "", ctx.Err()
	}
	return err != nil, string(output), nil
}

// withDescription runs the tests with a copy of the description.
func (b *bench) withDescription(ctx context.Context, dir string, m mutant) (*exec.Cmd, error) {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(b.root, "api"))); err != nil {
		return nil, err
	}
	for name, text := range m.files {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	command := b.command(ctx, b.binary, "-api", dir)
	command.Dir = filepath.Join(b.root, filepath.FromSlash(tests)) // the directory in which go test runs tests
	return command, nil
}

// withClient compiles and runs the tests with modified sources.
func (b *bench) withClient(ctx context.Context, dir string, m mutant) (*exec.Cmd, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := filepath.Abs(b.root)
	if err != nil {
		return nil, err
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, text := range m.files {
		changed := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			return nil, err
		}
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = changed
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "overlay.json")
	return b.command(ctx, "go", "test", "-vet=off", "-count=1", "-overlay", file, tests), os.WriteFile(file, text, 0o600)
}

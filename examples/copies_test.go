// Package examples_test uses the recipes as their readers do.
package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const library = "github.com/practicesdk/practice-go"

// root is the root of the repository.
var root = filepath.Join("..")

// recipes returns the names of the recipes' folders.
func recipes(t *testing.T) (names []string) {
	t.Helper()
	programs, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, program := range programs {
		names = append(names, filepath.Dir(program))
	}
	return names
}

// goCommand runs the go command in a directory.
func goCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOWORK=")
	said, err := command.CombinedOutput()
	require.NoError(t, err, "go %s\n%s", strings.Join(args, " "), said)
}

// copies copies every recipe into a module outside of the repository, each as a
// package, and returns its directory. A workspace refers to the library in this
// repository. The versions of other modules are those of this module, so that
// nothing else is downloaded.
func copies(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	here, err := filepath.Abs(root)
	require.NoError(t, err)
	for _, name := range recipes(t) {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(name)))
	}
	text, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	text = bytes.Replace(text, []byte("module "+library+"/examples"), []byte("module example.test/recipes"), 1)
	work := "go 1.26.0\n\nuse .\n"
	for _, match := range regexp.MustCompile(`(?m)^replace \S+ => \.\.(\S*)$`).FindAllSubmatch(text, -1) {
		work += "use " + strconv.Quote(filepath.ToSlash(here)+string(match[1])) + "\n"
	}
	text = bytes.ReplaceAll(text, []byte("=> .."), []byte("=> "+filepath.ToSlash(here)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.work"), []byte(work), 0o600))
	for name, from := range map[string]string{"go.sum": "go.sum", "go.work.sum": filepath.Join(root, "go.work.sum")} {
		sums, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), sums, 0o600))
	}
	return dir
}

// A reader copies a folder into another module. The program builds, its tests
// pass, and it prints the next step, in 80 columns.
func TestEachRecipeStandsAlone(t *testing.T) {
	t.Parallel()
	dir := copies(t)
	bin := filepath.Join(dir, "bin")
	goCommand(t, dir, "build", "-buildvcs=false", "-o", bin+string(filepath.Separator), "./...")
	goCommand(t, dir, "test", "-vet=off", "./...")
	for _, name := range recipes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := runs(t, filepath.Join(bin, name))
			if name != "first" { // it prints the next step
				assert.Contains(t, said, "Next: ")
			}
			for line := range strings.Lines(said) {
				// A longer word is not broken, so that it can be copied.
				if line = strings.TrimSuffix(line, "\n"); strings.Contains(strings.TrimSpace(line), " ") {
					assert.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
				}
			}
		})
	}
}

// runs runs a program without variables and arguments, and returns its
// messages, without the records of a list, which it writes elsewhere.
func runs(t *testing.T, program string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program)
	temporary := t.TempDir()
	command.Dir = temporary
	command.Env = []string{"TMPDIR=" + temporary, "TMP=" + temporary, "HOME=" + temporary, "PATH=" + os.Getenv("PATH")}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	require.NoError(t, command.Run(), "%s%s", stdout.String(), stderr.String())
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	assert.Empty(t, left, "it removes its temporary files")
	assert.NotContains(t, stdout.String(), "\x1b")
	if filepath.Base(program) == "correct-fees" {
		return stderr.String()
	}
	return stdout.String() + stderr.String()
}

// Recipes share files, which must be identical.
func TestFilesOfOneNameAreOneText(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	texts := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if name == "main.go" || name == "main_test.go" {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if first, known := texts[name]; known {
			assert.Equal(t, first, string(text), file)
		}
		texts[name] = string(text)
	}
}

// The list of recipes names the readers of each one.
func TestEachRecipeHasAReader(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var listed []string
	for _, row := range regexp.MustCompile(`(?m)^\| \[([a-z-]+)\]\(([a-z-]+)/main\.go\) \| .+ \| .+ \|$`).FindAllStringSubmatch(string(list), -1) {
		assert.Equal(t, row[1], row[2])
		listed = append(listed, row[1])
	}
	slices.Sort(listed)
	assert.Equal(t, recipes(t), listed)
}

func TestThePageForBeginnersHasTheFirstProgram(t *testing.T) {
	t.Parallel()
	program, err := os.ReadFile(filepath.Join("first", "main.go"))
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs", "getting-started.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "```go\n"+string(program)+"```")
}

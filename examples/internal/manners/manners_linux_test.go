// Package manners holds the built programs to the rules that they share.
package manners

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// first is to be copied and has no command line of its own.
const first = "first"

// sandbox prints variables and then serves until it is interrupted.
const sandbox = "practice-sandbox"

// receiver keeps what it received, and goes on with it.
const receiver = "webhook-receiver"

// commandLine has commands and flags in the manner of its library, and its own
// tests beside it.
const commandLine = "practice"

// generator writes the manual pages of the command line when it is packed.
const generator = "manual"

// ended is how a program ended.
type ended struct {
	status         int // -1 after a signal
	stdout, stderr string
}

// start runs a program without variables, in a directory for its temporary
// files. It writes to out, or with nil to the result.
func start(t *testing.T, program string, out *os.File, env []string, args ...string) ended {
	t.Helper()
	if filepath.Base(program) == receiver && len(args) == 0 {
		args = []string{"-events", "10", "-slow", "1ms"}
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), program, args...)
	temporary := t.TempDir()
	command.Env = append([]string{"TMPDIR=" + temporary, "HOME=" + temporary, "PATH=" + os.Getenv("PATH")}, env...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if out != nil {
		command.Stdout = out
	}
	err := command.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); !exited {
		require.NoError(t, err)
	}
	if filepath.Base(program) != receiver { // it goes on with what is there
		left, err := os.ReadDir(temporary)
		require.NoError(t, err)
		assert.Empty(t, left, "it removes its temporary files")
	}
	return ended{command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// forEveryProgram builds the programs of examples and cmd and runs a test for
// each.
func forEveryProgram(t *testing.T, test func(t *testing.T, name, program string)) {
	t.Helper()
	for name, program := range build(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, name, program)
		})
	}
}

func build(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	command := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", dir+"/",
		"github.com/practicesdk/practice-go/examples/...", "github.com/practicesdk/practice-go/cmd/...")
	printed, err := command.CombinedOutput()
	require.NoError(t, err, string(printed))
	built, err := os.ReadDir(dir)
	require.NoError(t, err)
	programs := map[string]string{}
	for _, one := range built {
		if one.Name() != generator {
			programs[one.Name()] = filepath.Join(dir, one.Name())
		}
	}
	for _, name := range []string{first, sandbox, "quickstart", "tour"} {
		require.Contains(t, programs, name)
	}
	return programs
}

func TestEveryProgramHasTheSameManners(t *testing.T) {
	t.Parallel()
	forEveryProgram(t, func(t *testing.T, name, program string) {
		t.Helper()
		if name != first {
			t.Run("help goes to stdout", func(t *testing.T) { helps(t, program) })
			t.Run("a mistake gets the usage on stderr", func(t *testing.T) { refuses(t, name, program) })
		}
		if !forPrograms(name) {
			t.Run("a terminal of 80 columns has room for its lines", func(t *testing.T) { fits(t, program) })
		}
		t.Run("an output that breaks is a failure", func(t *testing.T) { failsWithoutOutput(t, program) })
		if name != sandbox {
			t.Run("a dumb terminal gets plain lines", func(t *testing.T) { isPlain(t, program) })
		}
	})
}

func helps(t *testing.T, program string) {
	t.Helper()
	flags := []string{"-h", "--help", "-help"}
	if filepath.Base(program) == commandLine {
		flags = flags[:2] // with one dash it would be four letters
	}
	for _, flag := range flags {
		help := start(t, program, nil, nil, flag)
		assert.Zero(t, help.status, flag)
		assert.Regexp(t, `^usage: |^Practice-sandbox is .*`, help.stdout, flag)
		assert.Empty(t, help.stderr, flag)
		assertNarrow(t, help.stdout)
	}
}

func refuses(t *testing.T, name, program string) {
	t.Helper()
	usage := start(t, program, nil, nil, "-h").stdout
	noFlag, noArgument := "flag provided but not defined: -nonsense", `unexpected argument "`
	if name == commandLine { // its usage is long, so it names the way to it
		noFlag, noArgument, usage = "unknown flag: --nonsense", `unknown command "one"`, "See practice --help.\n"
	}
	for _, test := range []struct {
		says string
		args []string
	}{
		{noFlag, []string{"--nonsense"}},
		{noArgument, []string{"one", "two", "three"}},
	} {
		refused := start(t, program, nil, nil, test.args...)
		assert.Equal(t, 2, refused.status, test.args)
		assert.Empty(t, refused.stdout, test.args)
		assert.True(t, strings.HasPrefix(refused.stderr, name+": "), refused.stderr)
		assert.Contains(t, refused.stderr, test.says)
		assert.True(t, strings.HasSuffix(refused.stderr, "\n"+usage), refused.stderr)
		assertNarrow(t, refused.stderr)
	}
}

// failsWithoutOutput returns a program a pipe that nobody reads.
func failsWithoutOutput(t *testing.T, program string) {
	t.Helper()
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	defer func() { require.NoError(t, writer.Close()) }()
	assert.NotZero(t, start(t, program, writer, nil).status)
}

func isPlain(t *testing.T, program string) {
	t.Helper()
	for _, env := range []string{"TERM=dumb", "NO_COLOR=1", "LC_ALL=C"} {
		shown := start(t, program, nil, []string{env})
		assert.Zero(t, shown.status, shown.stderr)
		assert.NotEmpty(t, shown.stdout)
		assert.NotContains(t, shown.stdout+shown.stderr, "\x1b", env)
		assert.NotContains(t, shown.stdout, "\r", env)
		if env != "NO_COLOR=1" {
			assert.NotRegexp(t, "[\u2500-\u259f…–]", shown.stdout, env)
		}
	}
}

// assertNarrow takes a tab for what it is below the margin of a help text.
func assertNarrow(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.Replace(strings.TrimSuffix(line, "\n"), "\t", "    ", 1)
		assert.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
	}
}

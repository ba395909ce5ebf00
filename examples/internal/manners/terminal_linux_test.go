package manners

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// onTerminal runs a program on a terminal of 80 columns and returns what it
// showed.
func onTerminal(t *testing.T, program string, env ...string) string {
	t.Helper()
	screen := device(t, "/dev/ptmx")
	defer func() { require.NoError(t, screen.Close()) }()
	fd := int(screen.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	terminal := device(t, "/dev/pts/"+strconv.Itoa(number))
	command := exec.CommandContext(t.Context(), program)
	if filepath.Base(program) == receiver {
		command.Args = append(command.Args, "-events", "10", "-slow", "1ms")
	}
	command.Env = append([]string{"TMPDIR=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, env...)
	command.Stdin, command.Stdout, command.Stderr = terminal, terminal, terminal
	require.NoError(t, command.Start())
	require.NoError(t, terminal.Close())
	shown, err := io.ReadAll(screen)
	if !errors.Is(err, syscall.EIO) { // the end, for Linux
		require.NoError(t, err)
	}
	require.NoError(t, command.Wait(), string(shown))
	return strings.ReplaceAll(string(shown), "\r\n", "\n")
}

// device opens an end of a terminal.
func device(t *testing.T, name string) *os.File {
	t.Helper()
	fd, err := unix.Open(name, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	require.NoError(t, err)
	return os.NewFile(uintptr(fd), name)
}

// forPrograms tells that others read what a program prints: a shell, a
// spreadsheet, a collector of logs. The first program prints a line.
func forPrograms(name string) bool {
	return slices.Contains([]string{first, sandbox, "correct-fees", "trust-report", "forwarder"}, name)
}

func fits(t *testing.T, program string) {
	t.Helper()
	for _, env := range [][]string{{"TERM=dumb"}, {"TERM=xterm", "NO_COLOR=1"}} {
		shown := onTerminal(t, program, env...)
		assert.NotContains(t, shown, "\x1b", env)
		if env[0] == "TERM=dumb" {
			assert.NotContains(t, shown, "\r", "nothing is written over")
		}
		for line := range strings.Lines(strings.ReplaceAll(shown, "\r", "\n")) {
			if strings.Contains(strings.TrimSpace(line), " ") { // a word that is wider stays whole, to be copied
				assertNarrow(t, line)
			}
		}
	}
}

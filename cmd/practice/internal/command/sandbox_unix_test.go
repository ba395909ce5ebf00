//go:build unix

package command

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// serve runs practice sandbox in another process until the test ends.
func serve(t *testing.T, args ...string) (end func() error) {
	t.Helper()
	program := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0], append([]string{"sandbox"}, args...)...)
	program.Env = []string{asProgram + "=1", "PATH=" + os.Getenv("PATH")}
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	lines := bufio.NewScanner(out)
	open := false
	for !open && lines.Scan() {
		open = strings.Contains(lines.Text(), "is open")
	}
	require.True(t, open)
	return func() error {
		if err := program.Process.Signal(syscall.SIGINT); err != nil {
			return err
		}
		for lines.Scan() { // until it has ended
		}
		return program.Wait()
	}
}

func TestASandboxOfAnotherProcessIsShared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "firm")
	end := serve(t, "-state", file)
	firm := "--sandbox=" + file
	first := execute(t, "", nil, firm, "matters", "list", "-o", "jsonl", "--jq", ".id", "-q", "--limit", "1")
	require.Equal(t, exitDone, first.code, first.err)
	matter := strings.Trim(first.out, "\"\n")
	made := execute(t, "", nil, firm, "memos", "create", matter, "--set", "title=Shared", "--set", "text=b", "--wait")
	require.Equal(t, exitDone, made.code, made.err)
	for range 2 { // by the first process, then by a new command
		listed := execute(t, "", nil, firm, "memos", "list", matter, "--all", "-o", "jsonl", "--jq", ".title")
		assert.Contains(t, listed.out, `"Shared"`, listed.err)
		if end != nil {
			require.NoError(t, end(), "nothing was against the interface")
			end = nil
		}
	}
}

func TestACommandWaitsForAnotherOneThatUsesTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "firm")
	other, err := practicetest.Start(practicetest.WithStateFile(file))
	require.NoError(t, err)
	ended := make(chan result, 1)
	go func() { ended <- execute(t, "", nil, "--sandbox="+file, "matters", "list") }()
	require.NoError(t, other.Close())
	got := <-ended
	assert.Equal(t, exitDone, got.code, got.err)
}

func TestTheSandboxIsTheProgramOfUsersOfOtherLanguages(t *testing.T) {
	help := execute(t, "", nil, "sandbox", "-h")
	assert.Equal(t, exitDone, help.code)
	assert.True(t, strings.HasPrefix(help.out, "Practice sandbox is "), help.out)
	wrong := execute(t, "", nil, "sandbox", "-nonsense")
	assert.Equal(t, exitMisused, wrong.code)
	assert.True(t, strings.HasPrefix(wrong.err, "practice sandbox: "), wrong.err)
}

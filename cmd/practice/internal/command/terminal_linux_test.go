package command

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"
)

// terminal is the program running in a terminal.
type terminal struct {
	t       *testing.T
	program *exec.Cmd
	keys    *os.File
	ended   chan struct{} // closed when the screen contains the whole output

	mu     sync.Mutex
	screen bytes.Buffer
	shown  *sync.Cond
	over   bool
}

// atTerminal starts the program in a terminal of 80 columns.
func (s *stranger) atTerminal(t *testing.T, env []string, args ...string) *terminal {
	t.Helper()
	program := exec.CommandContext(t.Context(), os.Args[0], args...)
	program.Env = append(env, asProgram+"=1", "HOME="+t.TempDir())
	for name, value := range s.env {
		program.Env = append(program.Env, name+"="+value)
	}
	keys, err := pty.StartWithSize(program, &pty.Winsize{Rows: 24, Cols: 80})
	require.NoError(t, err)
	x := &terminal{t: t, program: program, keys: keys, ended: make(chan struct{})}
	x.shown = sync.NewCond(&x.mu)
	go x.watch()
	t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait()
		_ = keys.Close()
		<-x.ended
	})
	return x
}

// watch reads the screen until the program has ended.
func (x *terminal) watch() {
	defer close(x.ended)
	part := make([]byte, 4096)
	for {
		n, err := x.keys.Read(part)
		x.mu.Lock()
		x.screen.Write(part[:n])
		x.over = err != nil
		x.mu.Unlock()
		x.shown.Broadcast()
		if err != nil {
			return
		}
	}
}

// wait waits until the screen shows a text.
func (x *terminal) wait(text string) {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for !strings.Contains(x.screen.String(), text) && !x.over {
		x.shown.Wait()
	}
	require.Contains(x.t, x.screen.String(), text)
}

func (x *terminal) write(text string) {
	_, err := io.WriteString(x.keys, text)
	require.NoError(x.t, err)
}

// end waits for the end of the program and returns its exit code and screen.
func (x *terminal) end() (int, string) {
	<-x.ended
	_ = x.program.Wait()
	return x.program.ProcessState.ExitCode(), x.screen.String()
}

// browser returns a PATH with a browser that calls visit.
func browser(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := filepath.Abs(os.Args[0])
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(dir, "xdg-open")))
	return "PATH=" + dir
}

func TestAtATerminalASecretIsAskedForAndNotShown(t *testing.T) {
	s := newStranger(t)
	own := s.Credentials()
	x := s.atTerminal(t, []string{browser(t)}, append([]string{"login", "--no-keyring"}, s.addresses()...)...)
	x.wait("API key: ")
	x.write(own.APIKey + "\n")
	x.wait("Client secret (empty for a public client): ")
	x.write(own.ClientSecret + "\n")
	code, screen := x.end()
	assert.Equal(t, exitDone, code, screen)
	assert.Contains(t, screen, "Signed in to ")
	for _, secret := range s.secrets() {
		assert.NotContains(t, screen, secret)
	}

	listed := s.atTerminal(t, nil, "matters", "list")
	code, screen = listed.end()
	assert.Equal(t, exitDone, code, screen)
	assert.Contains(t, screen, "TITLE", "a table at a terminal")
}

func TestAtATerminalADeletionNamesTheProfile(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--no-keyring", "--profile", "office")
	memo := s.Firm().MemoID
	for answer, code := range map[string]int{"no": exitMisused, "": exitMisused, "y": exitMisused, "yes": exitDone} {
		s.ResetRequests()
		x := s.atTerminal(t, nil, "memos", "delete", s.Firm().MatterID, memo)
		x.wait("practice memos delete " + s.Firm().MatterID + " " + memo + " on profile office (" + s.BaseURL() + ")? Type yes: ")
		x.write(answer + "\n")
		got, screen := x.end()
		assert.Equal(t, code, got, "%q: %s", answer, screen)
		assert.Equal(t, code == exitDone, len(s.Requests()) > 0)
	}
}

func TestAtATerminalCtrlCEndsAQuestionAndShowsAgainWhatIsTyped(t *testing.T) {
	s := newStranger(t)
	x := s.atTerminal(t, nil, append([]string{"login", "--no-keyring"}, s.addresses()...)...)
	x.wait("API key: ")
	hidden, err := term.GetState(int(x.keys.Fd()))
	require.NoError(t, err)
	x.write("\x03")
	code, screen := x.end()
	assert.Equal(t, exitInterrupted, code, screen)
	after, err := term.GetState(int(x.keys.Fd()))
	require.NoError(t, err)
	assert.NotEqual(t, hidden, after, "the echo is back")
	assert.NotContains(t, screen, "goroutine")
}

func TestAProcessThatIsInterruptedEnds(t *testing.T) {
	s := newStranger(t)
	x := s.atTerminal(t, []string{"PATH="}, append([]string{"login", "--no-keyring", "--base-url", s.BaseURL()}, s.addresses()...)...)
	x.wait("API key: ")
	require.NoError(t, x.program.Process.Signal(syscall.SIGINT))
	code, _ := x.end()
	assert.Equal(t, exitInterrupted, code)
}

func TestAtATerminalATableHasItsWidth(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--no-keyring")
	_, screen := s.atTerminal(t, []string{"LC_ALL=C.UTF-8"}, "matters", "list").end()
	for line := range strings.Lines(screen) {
		assert.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\r\n"))), 80, line)
	}
	assert.Contains(t, screen, "…")
	assert.NotContains(t, screen, "\x1b", "there is no colour, with NO_COLOR or without")
}

func TestAtATerminalAFileCannotControlIt(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--no-keyring")
	for name, test := range map[string]struct {
		content, shows string
		code           int
	}{
		"escape sequences": {"one\r\n\x1b[31mtwo\x1b]0;title\a", "one\r\n\\u001b[31mtwo\\u001b]0;title\\u0007", exitDone},
		"UTF-16":           {"\xff\xfeh\x00i\x00", "hi", exitDone},
		"no text":          {"%PDF-1.7\n\xe2\xe3\xcf\xd3", "practice: the file is not a text file", exitFailed},
		"zero bytes":       {"a\x00b", "practice: the file is not a text file", exitFailed},
	} {
		require.True(t, s.SetFileContent(s.Firm().FileID, []byte(test.content)))
		s.Settle()
		file, _ := s.File(s.Firm().FileID)
		require.Empty(t, file.Folder.TargetID())
		code, screen := s.atTerminal(t, nil, "files", "cat", "10001", file.FileName()).end()
		assert.Equal(t, test.code, code, "%s: %q", name, screen)
		assert.True(t, strings.HasPrefix(screen, test.shows), "%s: %q", name, screen)
	}
}

func TestAPipeThatEndsEndsTheProgramInSilence(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--no-keyring")
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	var said bytes.Buffer
	program := exec.CommandContext(t.Context(), os.Args[0], "matters", "list", "--all", "-o", "jsonl")
	program.Env = []string{asProgram + "=1", "PRACTICE_CONFIG_DIR=" + s.env["PRACTICE_CONFIG_DIR"]}
	program.Stdout, program.Stderr = writer, &said
	require.Error(t, program.Run())
	require.NoError(t, writer.Close())
	assert.Equal(t, exitClosed, program.ProcessState.ExitCode())
	assert.Empty(t, said.String())
}

package dirs

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/mirror"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func printer(out *bytes.Buffer) *term.Printer {
	return term.New(out, func(string) string { return "" })
}

func TestWhatBecameOfTheFiles(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	show := New(printer(&out), "upload")
	for i := range 7 {
		show.Result(mirror.Result{Path: fmt.Sprintf("%d.txt", 7-i), Action: mirror.Created})
		show.Result(mirror.Result{Path: fmt.Sprintf("old %d.txt", i), Action: mirror.Kept})
	}
	show.Result(mirror.Result{Path: "half.txt", Action: mirror.Resumed})
	show.Result(mirror.Result{Path: "bad\x1b[2J", Action: mirror.Failed, Err: errors.New("no\nluck")})
	show.End()
	assert.Equal(t, `  7 files created
    1.txt
    2.txt
    3.txt
    4.txt
    5.txt
    and 2 more
  1 file resumed
    half.txt
  7 files kept, they were there already
  1 failed
    bad[2J: no luck
`, out.String())
}

func TestNothingToDo(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	show := New(printer(&out), "upload")
	show.Progress(0, 0)
	show.End()
	assert.Equal(t, "  There are no files.\n", out.String())
}

func TestTheBarIsThatOfAllFiles(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	show := New(printer(&out), "upload")
	for done := range int64(11) {
		show.Progress(done, 10)
	}
	show.Result(mirror.Result{Path: "a.txt", Action: mirror.Created})
	show.Result(mirror.Result{Path: "b.txt", Action: mirror.Failed, Err: errors.New("no luck")})
	show.End()
	assert.Regexp(t, `^  upload 1 file 100% \|█+\|`, out.String(), "bytes and files")
}

func TestHowToGoOn(t *testing.T) {
	t.Parallel()
	summary := &mirror.Error{Done: 1, Left: 3, Failed: []mirror.Result{{Err: errors.New("x")}}}
	for _, test := range []struct {
		err      error
		embedded bool
		want     string
	}{
		{errors.New("anything else"), true, ""},
		{summary, false, "\n  1 file done, 1 failed, 3 left. What is done stays; this does the rest:\n    the command\n"},
		{fmt.Errorf("wrapped: %w", summary), true, "\n  1 file done, 1 failed, 3 left. What is done stays; this does the rest:\n    the command\n" +
			"  The embedded service ends with this program. One that stays is started by\n" +
			"  go run ./cmd/practice-sandbox, which prints the variables that lead to it.\n"},
	} {
		var out bytes.Buffer
		GoOn(printer(&out), test.err, "the command", test.embedded)
		assert.Equal(t, test.want, out.String())
	}
}

func TestAWordIsOneWordForAShell(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	for word, want := range map[string]string{
		"plain": "plain", "a/b-c_d.e": "a/b-c_d.e", "": "''", "two words": "'two words'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "~": "'~'", "ä*": "'ä*'",
	} {
		assert.Equal(t, want, Quote(word))
		printed, err := exec.CommandContext(t.Context(), shell, "-c", "printf '%s' "+Quote(word)).Output()
		require.NoError(t, err)
		assert.Equal(t, word, string(printed))
	}
	options := Options{MatterID: "m1", FolderID: "f1", Dir: "my files"}
	assert.Equal(t, "go run ./examples/upload -matter m1 -folder f1 'my files'", options.Command("upload"))
	assert.NotContains(t, (&Options{MatterID: "m1"}).Command("upload"), "-folder")
}

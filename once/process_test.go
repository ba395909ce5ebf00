package once_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/once"
)

// childPath is the environment variable with the path of the journal for a test
// in another process.
const childPath = "PRACTICE_TEST_JOURNAL"

// inAnotherProcess reruns the current test in a child process, which gets path.
// It returns false in the parent, after the child has ended.
func inAnotherProcess(t *testing.T, path string) bool {
	t.Helper()
	if os.Getenv(childPath) != "" {
		return true
	}
	binary, err := os.Executable()
	require.NoError(t, err)
	child := exec.CommandContext(t.Context(), binary, "-test.run=^"+t.Name()+"$", "-test.count=1")
	child.Env = append(os.Environ(), childPath+"="+path)
	said, err := child.CombinedOutput()
	require.NoError(t, err, string(said))
	return false
}

func TestAFileIsOpenInOneProcess(t *testing.T) {
	if path := os.Getenv(childPath); path != "" {
		_, err := once.Open(path)
		require.ErrorIs(t, err, once.ErrInUse)
		return
	}
	path := filepath.Join(t.TempDir(), "journal")
	f := open(t, path)
	inAnotherProcess(t, path)
	require.NoError(t, f.Close())
}

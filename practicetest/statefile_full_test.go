//go:build linux || darwin

package practicetest_test

import (
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// limitFiles makes writes beyond a size fail until the end of the test, as on a
// full disk.
func limitFiles(t *testing.T, size int64) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: uint64(size), Max: was.Max}))
	t.Cleanup(func() {
		assert.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was))
		signal.Reset(syscall.SIGXFSZ)
	})
}

func TestWhatCannotBeKeptIsNotAnswered(t *testing.T) { //nolint:paralleltest // the limit applies to the process
	file := filepath.Join(t.TempDir(), "firm.state")
	s, err := practicetest.Start(practicetest.WithStateFile(file), practicetest.WithControl(), practicetest.WithVirtualClock(start))
	require.NoError(t, err)
	command(t, s, "POST", "/settle", "").want(http.StatusNoContent)
	kept, err := os.Stat(file)
	require.NoError(t, err)
	limitFiles(t, kept.Size())
	for _, path := range []string{"/clock", "/clock", "/tokens/revoke"} {
		refused := command(t, s, "POST", path, `{"advanceMilliseconds": 1}`)
		assert.Equal(t, http.StatusInternalServerError, refused.Status)
		assert.Contains(t, refused.Body, "The state cannot be saved: ")
		assert.Equal(t, "text/plain; charset=utf-8", refused.Header.Get("Content-Type"), "the header is that of this answer")
	}
	command(t, s, "GET", "/clock", "").want(http.StatusOK)
	assert.Equal(t, start.Add(time.Millisecond), s.Clock().Now(), "nothing is done after the first failure")
	require.Error(t, s.Close(), "the program learns of it")
}

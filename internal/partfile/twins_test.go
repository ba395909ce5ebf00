package partfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/filelock"
)

// TestWhatKilledProcessesLeftIsCollectedByTheNextOne checks that hidden partial
// files are removed by the next process. Processes leave them if they are
// killed while another one writes the same file.
func TestWhatKilledProcessesLeftIsCollectedByTheNextOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, root.Close()) })
	left := func() []string {
		names, err := filepath.Glob(filepath.Join(dir, Prefix+"*"))
		require.NoError(t, err)
		return names
	}
	var killed []*File
	for range 1 + twins + 2 {
		p, _, err := Open(root, "a.txt")
		require.NoError(t, err)
		_, err = p.WriteAt([]byte("a part of a document"), 0)
		require.NoError(t, err)
		killed = append(killed, p)
	}
	assert.Len(t, left(), len(killed), "nobody writes into the file of another one")
	alive := killed[2]
	for _, p := range killed {
		if p != alive {
			require.NoError(t, p.file.Close(), "what the end of a process does")
		}
	}
	next, _, err := Open(root, "a.txt")
	require.NoError(t, err)
	assert.Len(t, left(), 1+1+2, "its own, the one that is written to, and two that only a Pull finds")
	require.NoError(t, next.Discard())
	require.NoError(t, alive.Discard())
	for _, name := range left() {
		require.NoError(t, Collect(root, filepath.Base(name)))
	}
	assert.Empty(t, left())
}

func TestWithoutLocksTimeTellsWhatWasLeft(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), Prefix+"a"+suffix))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	p := &File{file: file}
	noLocks := errors.New("no locks available")
	for _, test := range []struct {
		rule   string
		locked error
		age    time.Duration
		want   bool
	}{
		{"a file that can be locked has no holder", nil, 0, true},
		{"one that is held has one", filelock.ErrHeld, 2 * longSilence, false},
		{"one that was written to may have one", noLocks, longSilence / 2, false},
		{"one that was not for long has none", noLocks, 2 * longSilence, true},
	} {
		then := time.Now().Add(-test.age)
		require.NoError(t, os.Chtimes(file.Name(), then, then))
		assert.Equal(t, test.want, p.abandoned(test.locked), test.rule)
	}
}

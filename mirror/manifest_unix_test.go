//go:build linux || darwin

package mirror

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process that is being started has a copy of each open file for a moment.
func TestAMirrorThatIsFinishedIsNotBusy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 3 { // the first one writes it anew
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		m, err := openManifest(root, source{MatterID: "m"}, false, false)
		require.NoError(t, err)
		copied, err := syscall.Dup(int(m.file.Fd()))
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, syscall.Close(copied)) })
		require.NoError(t, m.close())
	}
}

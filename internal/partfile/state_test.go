package partfile

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/intervals"
)

// FuzzState checks that any bytes on disk decode to a consistent state.
func FuzzState(f *testing.F) {
	for _, state := range []State{
		{ETag: `"v1"`, Size: 10, Missing: []intervals.Interval{{From: 5, To: 10}}},
		{ETag: "v", Size: 0, Missing: []intervals.Interval{{From: 0, To: 1}}},
		{ETag: "v", Size: 3, Missing: []intervals.Interval{{From: 0, To: 1}, {From: 2, To: 3}}},
	} {
		file, err := os.Create(filepath.Join(f.TempDir(), "state"))
		require.NoError(f, err)
		require.NoError(f, writeState(file, state))
		require.NoError(f, file.Close())
		data, err := os.ReadFile(file.Name())
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		state, ok := readState(bytes.NewReader(data), int64(len(data)))
		if !ok {
			assert.Empty(t, state)
			return
		}
		assert.NotEmpty(t, state.ETag)
		require.NotEmpty(t, state.Missing)
		assert.GreaterOrEqual(t, state.Missing[0].From, int64(0))
		assert.LessOrEqual(t, state.Missing[len(state.Missing)-1].To, state.Size)
		assert.LessOrEqual(t, intervals.Total(state.Missing), state.Size)
	})
}

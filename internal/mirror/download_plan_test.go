package mirror

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In a folder that cannot be read anything may lie: nothing is said of it until
// it can.
func TestNothingIsForgottenWhileAFolderCannotBeRead(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("everything can be read")
	}
	for rule, mode := range map[string]os.FileMode{"at all": 0, "beyond its names": 0o400} {
		inBubble(t, rule, func(t *testing.T) {
			s := given(t, contents{"a": "1", "d/b": "2", "d/c": "3", "d/e/x": "4"})
			s.options.Delete = true
			s.pull()
			_ = s.delete(s.at(t, "d/b").id)
			s.at(t, "d/c").parent = ""
			before := s.noted()
			require.NoError(t, os.Chmod(s.on("d"), mode))
			found := s.pull()
			require.NoError(t, os.Chmod(s.on("d"), 0o700))
			assert.Equal(t, Kept, found["a"])
			assert.Len(t, found, 2)
			assert.Contains(t, found["d"], Failed)
			assert.Equal(t, before, s.noted(), "nothing is forgotten")

			assert.Equal(t, actions{"a": Kept, "c": Moved, "d/b": Removed, "d/e/x": Kept}, s.pull())
			s.atRest(s.pull)
			s.atRest(s.push)
			assert.Equal(t, texts(s.tree()), texts(s.local()))
		})
	}
}

// A plan says nothing of what is left alone.
func TestAPlanLeavesAloneWhatCouldNotBeRead(t *testing.T) {
	t.Parallel()
	state := State{
		Base: map[string]Entry{
			"d": {Path: "d", FolderID: "D", Name: "d"}, "d/gone": {Path: "d/gone", FileID: "1", Name: "gone", Version: "1", ModTime: 1},
			"d/moved":  {Path: "d/moved", FileID: "2", Name: "moved", Version: "1", ModTime: 2},
			"d/stays":  {Path: "d/stays", FileID: "3", Name: "stays", Version: "1", ModTime: 3},
			"d/e":      {Path: "d/e", FolderID: "E", Name: "e"},
			"d/e/gone": {Path: "d/e/gone", FileID: "4", Name: "gone", Version: "1", ModTime: 4},
		},
		Local: map[string]Local{"d": {Dir: true}},
		Left:  map[string]bool{"d/gone": true, "d/moved": true, "d/stays": true, "d/e": true, "d/e/gone": true},
		Remote: []Remote{
			{ID: "D", Name: "d", Dir: true}, {ID: "E", Name: "e", Dir: true, Parent: "d"},
			{ID: "2", Name: "moved", Version: "1", Stored: true}, {ID: "3", Name: "stays", Version: "2", Parent: "d", Stored: true},
		},
	}
	plan := state.Pull()
	assert.Empty(t, plan.Files)
	assert.Empty(t, plan.Gone)
	assert.Empty(t, plan.Lost)
	require.Len(t, plan.Dirs, 1)
	assert.Equal(t, "d", plan.Dirs[0].Path)
}

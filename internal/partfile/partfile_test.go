package partfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/intervals"
	"github.com/practicesdk/practice-go/internal/partfile"
)

const whole = "0123456789"

// half is the state of a file whose second half is missing.
var half = partfile.State{ETag: `"v1"`, Size: int64(len(whole)), Missing: []intervals.Interval{{From: 5, To: 10}}}

func folder(t *testing.T) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, root.Close()) })
	return root, dir
}

func open(t *testing.T, root *os.Root, identity ...string) (*partfile.File, partfile.State) {
	t.Helper()
	part, state, err := partfile.Open(root, identity...)
	require.NoError(t, err)
	return part, state
}

func write(t *testing.T, part *partfile.File, content string, at int64) {
	t.Helper()
	_, err := part.WriteAt([]byte(content), at)
	require.NoError(t, err)
}

func names(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return found
}

func content(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(data)
}

func TestAFileGetsItsNameWhenItIsWhole(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	part, state := open(t, root, "a.txt")
	assert.Empty(t, state)
	write(t, part, whole, 0)
	require.Len(t, names(t, dir), 1)
	assert.True(t, strings.HasPrefix(names(t, dir)[0], partfile.Prefix), "half a file has another name")
	changed := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	require.NoError(t, part.Commit("a.txt", 10, true, 0, changed))
	assert.Equal(t, []string{"a.txt"}, names(t, dir))
	assert.Equal(t, whole, content(t, dir, "a.txt"))
	info, err := root.Stat("a.txt")
	require.NoError(t, err)
	assert.Equal(t, changed, info.ModTime().UTC())
	assert.Equal(t, fs.FileMode(0o600), info.Mode())
}

func TestAFileIsContinuedByALaterProcess(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	part, _ := open(t, root, "a.txt", "f1")
	write(t, part, whole[:5], 0)
	require.NoError(t, part.Keep(half))

	other, state := open(t, root, "a.txt", "f2")
	assert.Empty(t, state, "another identity has nothing")
	require.NoError(t, other.Discard())

	part, state = open(t, root, "a.txt", "f1")
	assert.Equal(t, half, state)
	write(t, part, whole[5:], 5)
	require.NoError(t, part.Commit("a.txt", 10, true, 0, time.Time{}))
	assert.Equal(t, whole, content(t, dir, "a.txt"), "the state is not part of it")
	assert.Equal(t, []string{"a.txt"}, names(t, dir))
}

// TestAFileSurvivesTheEndOfItsProcess checks that a killed process leaves the
// state that it saved last.
func TestAFileSurvivesTheEndOfItsProcess(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	part, _ := open(t, root, "a.txt")
	write(t, part, whole[:5], 0)
	require.NoError(t, part.Save(half))
	write(t, part, "567", 5) // not saved yet

	later, laterDir := folder(t)
	name := names(t, dir)[0]
	require.NoError(t, os.WriteFile(filepath.Join(laterDir, name), []byte(content(t, dir, name)), 0o600))
	again, state := open(t, later, "a.txt")
	assert.Equal(t, half, state)
	write(t, again, whole[5:], 5)
	require.NoError(t, again.Commit("a.txt", 10, true, 0, time.Time{}))
	assert.Equal(t, whole, content(t, laterDir, "a.txt"))
	require.NoError(t, part.Discard())
	assert.Empty(t, names(t, dir))
}

func TestAStateThatIsNotWholeIsNothing(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(string) string{
		"cut at the end":           func(s string) string { return s[:len(s)-1] },
		"longer than it was":       func(s string) string { return s + "x" },
		"another byte in the text": func(s string) string { return strings.Replace(s, "v1", "v2", 1) },
		"another place":            func(s string) string { return "x" + s },
		"too short for any":        func(string) string { return "short" },
		"content only":             func(string) string { return strings.Repeat(whole, 10) },
		"empty":                    func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, dir := folder(t)
			part, _ := open(t, root, "a.txt")
			write(t, part, whole[:5], 0)
			require.NoError(t, part.Keep(half))
			file := names(t, dir)[0]
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(spoil(content(t, dir, file))), 0o600))
			part, state := open(t, root, "a.txt")
			assert.Empty(t, state)
			assert.Empty(t, content(t, dir, file), "it begins anew")
			require.NoError(t, part.Discard())
		})
	}
}

func TestAStateThatMakesNoSenseIsNothing(t *testing.T) {
	t.Parallel()
	for name, missing := range map[string][]intervals.Interval{
		"nothing":            nil,
		"beyond the content": {{From: 5, To: 11}},
		"backwards":          {{From: 5, To: 4}},
		"empty":              {{From: 5, To: 5}},
		"negative":           {{From: -1, To: 4}},
		"out of order":       {{From: 5, To: 6}, {From: 1, To: 2}},
		"overlapping":        {{From: 1, To: 4}, {From: 3, To: 6}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, _ := folder(t)
			part, _ := open(t, root, "a.txt")
			require.NoError(t, part.Keep(partfile.State{ETag: `"v1"`, Size: 10, Missing: missing}))
			part, state := open(t, root, "a.txt")
			assert.Empty(t, state)
			require.NoError(t, part.Discard())
		})
	}
}

func TestAShorterStateReplacesALongerOne(t *testing.T) {
	t.Parallel()
	root, _ := folder(t)
	part, _ := open(t, root, "a.txt")
	long := half
	long.Missing = []intervals.Interval{{From: 1, To: 2}, {From: 3, To: 4}, {From: 6, To: 9}}
	require.NoError(t, part.Save(long))
	require.NoError(t, part.Keep(half))
	part, state := open(t, root, "a.txt")
	assert.Equal(t, half, state)
	require.NoError(t, part.Discard())
}

func TestWhatCannotBeContinuedIsRemoved(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	for rule, state := range map[string]partfile.State{
		"no version":         {Size: 10, Missing: half.Missing},
		"nothing is missing": {ETag: `"v1"`, Size: 10},
	} {
		part, _ := open(t, root, "a.txt")
		write(t, part, whole, 0)
		require.NoError(t, part.Keep(state), rule)
		assert.Empty(t, names(t, dir), rule)
	}
}

// TestTheSecondOneBeginsAFileOfItsOwn checks that two concurrent downloads do
// not write to the same file.
func TestTheSecondOneBeginsAFileOfItsOwn(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	first, _ := open(t, root, "a.txt")
	write(t, first, "first", 0)
	second, state := open(t, root, "a.txt")
	assert.Empty(t, state)
	write(t, second, "second", 0)
	assert.Len(t, names(t, dir), 2)
	require.NoError(t, second.Commit("a.txt", 6, true, 0, time.Time{}))
	assert.Equal(t, "second", content(t, dir, "a.txt"))
	require.NoError(t, first.Commit("a.txt", 5, true, 0, time.Time{}))
	assert.Equal(t, "first", content(t, dir, "a.txt"))
	assert.Equal(t, []string{"a.txt"}, names(t, dir))

	first, _ = open(t, root, "a.txt")
	second, _ = open(t, root, "a.txt")
	require.NoError(t, second.Save(half), "it has nobody to save for")
	require.NoError(t, second.Keep(half))
	assert.Len(t, names(t, dir), 2, "the second one left nothing")
	require.NoError(t, first.Discard())
}

func TestAFileThatExistsIsOnlyReplacedWhenAskedTo(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("precious"), 0o600))
	part, _ := open(t, root, "a.txt")
	write(t, part, whole, 0)
	require.ErrorIs(t, part.Commit("a.txt", 10, false, 0, time.Time{}), fs.ErrExist)
	assert.Equal(t, "precious", content(t, dir, "a.txt"))
	assert.Equal(t, []string{"a.txt"}, names(t, dir), "nothing is left of the other")

	part, _ = open(t, root, "b.txt")
	write(t, part, whole, 0)
	require.NoError(t, part.Commit("b.txt", 10, false, 0, time.Time{}))
	assert.Equal(t, whole, content(t, dir, "b.txt"))
	assert.Equal(t, []string{"a.txt", "b.txt"}, names(t, dir))
}

func TestAFolderInTheWayIsAnError(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "a.txt"), 0o700))
	part, _ := open(t, root, "a.txt")
	write(t, part, whole, 0)
	require.Error(t, part.Commit("a.txt", 10, true, 0, time.Time{}))
	assert.Equal(t, []string{"a.txt"}, names(t, dir))
}

func TestAFolderThatCannotBeWrittenTo(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	require.NoError(t, os.RemoveAll(dir))
	_, _, err := partfile.Open(root, "a.txt")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestAProcessThatEndsBetweenBothNamesLeavesTheFinishedFileAlone(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	part, _ := open(t, root, "a.bin", "v1")
	write(t, part, whole, 0)
	unfinished := names(t, dir)
	require.NoError(t, part.Keep(half))
	require.NoError(t, os.Truncate(filepath.Join(dir, unfinished[0]), int64(len(whole))))
	require.NoError(t, root.Link(unfinished[0], "a.bin"), "where a link never replaces a file, it has two names for a moment")

	next, state := open(t, root, "a.bin", "v1")
	assert.Empty(t, state.ETag, "there is nothing to go on with")
	write(t, next, "another version", 0)
	assert.Equal(t, whole, content(t, dir, "a.bin"))
	require.NoError(t, next.Discard())
	assert.Equal(t, []string{"a.bin"}, names(t, dir))
}

package mirror

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Nothing is sent that could not be noted.
func TestAManifestThatCanOnlyBeReadIsRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule     string
		readOnly error
		dryRun   bool
		refused  error
	}{
		{"it can be written", nil, false, nil},
		{"it can only be read", os.ErrPermission, false, os.ErrPermission},
		{"nothing is to be noted", os.ErrPermission, true, nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			u := &upload{run: &run{Options: Options{DryRun: test.dryRun}}, manifest: &Manifest{readOnly: test.readOnly}}
			assert.ErrorIs(t, u.writable(), test.refused)
		})
	}
}

// Where the local file cannot get another name, its change would become another
// document at each call.
func TestAConflictOfATreeThatCannotBeChangedIsOnlyTold(t *testing.T) {
	t.Parallel()
	for rule, deletes := range map[string]bool{"": false, "with deletions": true} {
		inBubble(t, rule, func(t *testing.T) {
			s := given(t, contents{"a.txt": "1"})
			s.options.Delete = deletes
			options := PushOptions{Options: s.options, Settle: s.settle, ManifestDir: t.TempDir()}
			options.Result = s.told
			push := func() map[string]Action {
				s.results = nil
				outcome, err := Push(t.Context(), s, os.DirFS(s.dir), options)
				require.NoError(t, err)
				return s.actions(outcome)
			}
			s.edit("a.txt", "1")
			push()
			s.store(s.at(t, "a.txt"), "theirs")
			s.edit("a.txt", "mine")
			for range 3 {
				assert.Equal(t, actions{"a.txt": Conflict}, push())
				assert.Equal(t, contents{"a.txt": "theirs"}, s.tree())
				assert.Equal(t, contents{"a.txt": "mine"}, s.local())
			}
		})
	}
}

// An intent of which nothing came does not stay for ever.
func TestAnIntentIsForgottenOnceNobodyWaitsForIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		age    time.Duration
		change func(s *setting)
		stays  bool
	}{
		{"it is old", time.Hour, func(*setting) {}, false},
		{"it is waited for first", time.Second, func(*setting) {}, false},
		{"nobody waits at all", time.Hour, func(s *setting) { s.settle = -1 }, true},
		{"the local file is left out", time.Hour, func(s *setting) {
			s.edit("tmp", "2")
			s.options.Exclude = func(i Item) bool { return i.Path == "tmp" }
		}, true},
		{"a folder", time.Hour, func(s *setting) { s.note(Entry{Path: "tmp/in", Name: "in", Parent: "f9", Made: 1}) }, false},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, contents{"d/a": "1"})
			s.pull()
			s.note(Entry{Path: "tmp", Name: "tmp", Made: time.Now().Add(-test.age).UnixNano()})
			test.change(s)
			state := State{Base: s.noted()}
			assert.True(t, state.Recall(""), "the cursor can be used nevertheless")
			s.push()
			assert.Equal(t, test.stays, s.noted()["tmp"].intended())
			assert.False(t, s.noted()["tmp/in"].intended())
			s.atRest(s.pull)
		})
	}
}

// An entry that is forgotten takes none with it that another file has by now at
// its path.
func TestWhatTakesThePathOfAForgottenEntryIsNoted(t *testing.T) {
	t.Parallel()
	for rule, stale := range map[string]Entry{
		"of an intent":                    {Name: "b", Made: 1},
		"of a file that neither side has": {Name: "b", FileID: "F99", Version: "F99-v1", Size: 3, ModTime: 3},
	} {
		for what, at := range map[string]string{"a local copy": "a (local copy).txt", "a new file": "b", "a new folder": "d"} {
			inBubble(t, rule+", "+what, func(t *testing.T) {
				s := given(t, contents{"a.txt": "1"})
				s.pull()
				entry := stale
				entry.Path = at
				s.note(entry)
				s.edit("a.txt", "mine")
				s.edit("b", "new")
				s.edit("d/e", "inner")
				s.store(s.at(t, "a.txt"), "theirs")
				s.late, s.settle = 3, 0 // nothing is seen listed
				s.push()
				e := s.noted()[at]
				assert.NotEqual(t, stale.FileID, e.FileID+e.FolderID)
				assert.NotEmpty(t, e.FileID+e.FolderID)
				s.settle = time.Minute
				s.push()
				assert.Equal(t, contents{"a.txt": "theirs", "a (local copy).txt": "mine", "b": "new", "d/": "", "d/e": "inner"}, s.tree())
				s.atRest(s.push)
			})
		}
	}
}

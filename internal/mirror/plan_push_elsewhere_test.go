package mirror

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Somebody moved something out of a folder of the service, and deleted the
// folder.
func TestWhatWasMovedOutOfADeletedFolderIsPushed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule    string
		change  func(s *setting)
		actions actions // without what was kept
		tree    contents
	}{
		{"a file as it was", func(*setting) {}, actions{}, contents{"a": "1", "e/": "", "e/b": "2"}},
		{
			"a file that was edited", func(s *setting) { s.edit("d/a", "mine") },
			actions{"d/a": Updated}, contents{"a": "mine", "e/": "", "e/b": "2"},
		},
		{
			"a file that has a new version", func(s *setting) { s.store(s.at(s.t, "a"), "theirs") },
			actions{"d/a": Waiting}, contents{"a": "theirs", "e/": "", "e/b": "2"},
		},
		{
			"a file that both have changed", func(s *setting) { s.store(s.at(s.t, "a"), "theirs"); s.edit("d/a", "mine") },
			actions{"d/a": Conflict}, contents{"a": "theirs", "d/": "", "d/a (local copy)": "mine", "e/": "", "e/b": "2"},
		},
		{
			"a file that was renamed", func(s *setting) { s.rename("d/a", "d/c") },
			actions{"d/c": Moved}, contents{"c": "1", "e/": "", "e/b": "2"},
		},
		{
			"a file in a folder that was moved out", func(s *setting) { s.edit("d/e/b", "mine") },
			actions{"d/e/b": Updated}, contents{"a": "1", "e/": "", "e/b": "mine"},
		},
		{
			"a new file in a folder that was moved out", func(s *setting) { s.edit("d/e/c", "mine") },
			actions{"d/e/c": Created}, contents{"a": "1", "e/": "", "e/b": "2", "e/c": "mine"},
		},
		{
			"a new file in the folder", func(s *setting) { s.edit("d/c", "mine") },
			actions{"d/c": Created}, contents{"a": "1", "d/": "", "d/c": "mine", "e/": "", "e/b": "2"},
		},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, contents{"d/a": "1", "d/e/b": "2"})
			s.pull()
			s.at(t, "d/a").parent, s.at(t, "d/e").parent = "", ""
			s.gone("d")
			test.change(s)
			found := s.asForetold(s.push)
			maps.DeleteFunc(found, func(_ string, a Action) bool { return a == Kept })
			assert.Equal(t, test.actions, found)
			assert.Equal(t, test.tree, s.tree())
			s.atRest(s.push)
			s.pull()
			s.atRest(s.pull)
			s.atRest(s.push)
		})
	}
}

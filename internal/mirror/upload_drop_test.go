package mirror

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Both sides may change between the plan and the deletion.
func TestWhatHasChangedSinceThePlanIsNotDeleted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule      string
		matter    contents
		remove    string
		meanwhile func(s *setting)
		path      string
		action    Action
		tree      contents
	}{
		{
			"nothing has changed", contents{"a": "1"}, "a", func(*setting) {},
			"a", Removed, contents{"new": "n"},
		},
		{
			"the local file is back", contents{"a": "1"}, "a", func(s *setting) { s.edit("a", "mine") },
			"a", Gone, contents{"a": "1", "new": "n"},
		},
		{
			"the file has a new version", contents{"a": "1"}, "a", func(s *setting) { s.store(s.at(s.t, "a"), "2") },
			"a", Gone, contents{"a": "2", "new": "n"},
		},
		{
			"the file was moved", contents{"a": "1", "e/": ""}, "a",
			func(s *setting) { s.at(s.t, "a").parent = s.at(s.t, "e").id },
			"a", Gone, contents{"e/": "", "e/a": "1", "new": "n"},
		},
		{
			"the folder holds something new", contents{"d/": ""}, "d", func(s *setting) { s.put("d/b", "2") },
			"d", Gone, contents{"d/": "", "d/b": "2", "new": "n"},
		},
		{
			"the local folder is back", contents{"d/": ""}, "d", func(s *setting) { s.edit("d/b", "2") },
			"d", Gone, contents{"d/": "", "new": "n"},
		},
		{
			"a file lies in the place of the folder", contents{"d/a": "1"}, "d", func(s *setting) { s.edit("d", "mine") },
			"d/a", Removed, contents{"new": "n"},
		},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, test.matter)
			s.pull()
			s.remove(test.remove)
			s.edit("new", "n")
			options := PushOptions{Options: s.options, Settle: s.settle}
			options.Delete = true
			found := actions{}
			options.Result = func(r Result) {
				found[r.Path] = r.Action
				if r.Path == "new" {
					test.meanwhile(s)
				}
			}
			_, err := Push(s.ctx, s, os.DirFS(s.dir), options)
			require.NoError(t, err)
			assert.Equal(t, test.action, found[test.path])
			assert.Equal(t, test.tree, s.tree())
		})
	}
}

package mirror

import (
	"context"
	"maps"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unlistable is a service that cannot list one of its folders.
type unlistable struct {
	*setting
	id string
}

func (u unlistable) List(ctx context.Context, folderID string) ([]Remote, error) {
	if folderID == u.id {
		return nil, errBusy
	}
	return u.setting.List(ctx, folderID)
}

// A folder that could not be listed once tells nothing of what is in it.
func TestAFolderThatIsNotListedOnceForgetsNothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule    string
		matter  contents
		change  func(s *setting)
		actions actions // of the next call, without what was kept
		tree    contents
	}{
		{
			"a file that was deleted locally", contents{"d/a": "1", "d/b": "2"},
			func(s *setting) { s.remove("d/a") },
			actions{"d/a": Removed}, contents{"d/": "", "d/b": "2"},
		},
		{
			"a folder that was moved there", contents{"d/a": "1", "e/b": "22"},
			func(s *setting) { s.at(s.t, "e").parent = s.at(s.t, "d").id; s.edit("e/c", "mine") },
			actions{"e/c": Created}, contents{"d/": "", "d/a": "1", "d/e/": "", "d/e/b": "22", "d/e/c": "mine"},
		},
		{
			"a file that was moved there", contents{"d/a": "1", "b": "22"},
			func(s *setting) { s.at(s.t, "b").parent = s.at(s.t, "d").id; s.edit("b", "mine") },
			actions{"b": Updated}, contents{"d/": "", "d/a": "1", "d/b": "mine"},
		},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, test.matter)
			s.pull()
			s.options.Delete = true
			folder := s.at(t, "d").id
			test.change(s)
			before := s.tree()
			outcome, err := Push(t.Context(), unlistable{s, folder}, os.DirFS(s.dir), PushOptions{Options: s.options, Settle: s.settle})
			require.NoError(t, err)
			assert.NotEmpty(t, outcome.Failed)
			assert.Equal(t, before, s.tree())
			found := s.push()
			maps.DeleteFunc(found, func(_ string, a Action) bool { return a == Kept })
			assert.Equal(t, test.actions, found)
			assert.Equal(t, test.tree, s.tree())
			s.atRest(s.push)
		})
	}
}

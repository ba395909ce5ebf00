package mirror

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

// A version that a killed process sent is nobody else's for a pull either.
func TestAPullKnowsAVersionThatWasSentAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		matter contents
		sent   string
		change func(s *setting)
		action actions
		local  contents
	}{
		{"it was not edited since", contents{"a": "1"}, "AAAA", func(*setting) {}, actions{"a": Kept}, contents{"a": "AAAA"}},
		{"it was edited since", contents{"a": "1"}, "AAAA", func(s *setting) { s.edit("a", "BBBB") }, actions{"a": Waiting}, contents{"a": "BBBB"}},
		{"a new file was not edited since", contents{}, "AAAA", func(*setting) {}, actions{"a": Kept}, contents{"a": "AAAA"}},
		{"a new file was edited since", contents{}, "AAAA", func(s *setting) { s.edit("a", "BBBB") }, actions{"a": Waiting}, contents{"a": "BBBB"}},
		{"it was edited back", contents{"a": "1"}, "2", func(s *setting) { s.edit("a", "1") }, actions{"a": Waiting}, contents{"a": "1"}},
		{
			"it was edited and renamed since", contents{"a": "1"}, "AAAA",
			func(s *setting) { s.edit("a", "BBBB"); s.at(s.t, "a").name = "b" },
			actions{"b": Waiting}, contents{"b": "BBBB"},
		},
		{
			"it was moved in the service", contents{"a": "1", "d/b": "2"}, "AAAA",
			func(s *setting) { s.at(s.t, "a").parent = s.at(s.t, "d").id },
			actions{"d/a": Moved, "d/b": Kept}, contents{"d/": "", "d/a": "AAAA", "d/b": "2"},
		},
		{"it was removed here since", contents{"a": "1"}, "AAAA", func(s *setting) { s.remove("a") }, actions{"a": Created}, contents{"a": "AAAA"}},
		{
			"a new file was deleted in the service", contents{"b": "2"}, "AAAA",
			func(s *setting) { _ = s.delete(s.at(s.t, "a").id); s.edit("a", "BBBB"); s.options.Delete = true },
			actions{"a": Gone, "b": Kept}, contents{"a": "BBBB", "b": "2"},
		},
		{
			"somebody else's version of the same size came after it", contents{"a": "1"}, "AAAA",
			func(s *setting) { s.store(s.at(s.t, "a"), "CCCC"); s.edit("a", "BBBB") },
			actions{"a": Conflict}, contents{"a": "CCCC", "a (local copy)": "BBBB"},
		},
	} {
		for settles, end := range map[string]func(s *setting){
			"killed":        func(s *setting) { s.killedPush() },
			"nobody waited": func(s *setting) { s.settle = -1; s.push() },
		} {
			inBubble(t, test.rule+", "+settles, func(t *testing.T) {
				s := given(t, test.matter)
				s.pull()
				s.edit("a", test.sent)
				end(s)
				s.settle = given(t, nil).settle
				test.change(s)
				s.options.Conflict = func(string, *models.File) Choice {
					assert.Equal(t, Conflict, test.action["a"], "nobody is asked")
					return KeepsBoth
				}
				s.options.DryRun = true
				assert.Equal(t, test.action, s.pull(), "foretold")
				s.options.DryRun = false
				assert.Equal(t, test.action, s.pull())
				assert.Equal(t, test.local, s.local())
				s.atRest(s.pull)
				s.push()
				assert.Equal(t, s.local(), s.tree())
				s.atRest(s.push)
				s.atRest(s.pull)
			})
		}
	}
}

// unreadable is a service that does not give contents.
type unreadable struct{ *fakeService }

var errUnread = errors.New("nobody can read it")

func (unreadable) Read(context.Context, string, string, io.Writer) error { return errUnread }

// As long as nobody knows whose a version is, nothing becomes of its file.
func TestAVersionThatCannotBeReadIsNobodys(t *testing.T) {
	t.Parallel()
	inBubble(t, "in both directions", func(t *testing.T) {
		s := given(t, contents{"a": "1"})
		s.pull()
		s.edit("a", "AAAA")
		s.killedPush()
		s.edit("a", "BBBB")
		before, local := s.noted(), s.local()
		s.options.Result = nil
		pulled, err := Pull(t.Context(), unreadable{s.fakeService}, s.dir, PullOptions{Options: s.options})
		require.NoError(t, err)
		pushed, err := Push(t.Context(), unreadable{s.fakeService}, os.DirFS(s.dir), PushOptions{Options: s.options})
		require.NoError(t, err)
		for _, outcome := range []Outcome{pulled, pushed} {
			require.Len(t, outcome.Failed, 1)
			assert.ErrorIs(t, outcome.Failed[0].Err, errUnread)
			assert.Equal(t, "a", outcome.Failed[0].Path)
		}
		assert.Equal(t, before, s.noted())
		assert.Equal(t, local, s.local())
		assert.Equal(t, contents{"a": "AAAA"}, s.tree())
		assert.Equal(t, actions{"a": Waiting}, s.pull())
		assert.Equal(t, actions{"a": Updated}, s.push())
		s.atRest(s.pull)
	})
}

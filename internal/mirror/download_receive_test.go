package mirror

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

// attended is a service during whose answers somebody works on the local
// folder.
type attended struct {
	*fakeService
	opened func(id string)
}

func (s *attended) Open(ctx context.Context, fileID string, progress func(done, total int64)) (Content, error) {
	content, err := s.fakeService.Open(ctx, fileID, progress)
	if err == nil {
		s.opened(fileID)
	}
	return content, err
}

// pullWhile downloads, and has something done at the nth content that is
// opened.
func (s *setting) pullWhile(nth int, work func(), options PullOptions) map[string]Action {
	s.t.Helper()
	options.Options, s.results = s.options, nil
	options.Result, options.Concurrency = s.told, 1
	service := &attended{s.fakeService, func(string) {
		if nth--; nth == 0 {
			work()
		}
	}}
	outcome, err := Pull(s.ctx, service, s.dir, options)
	require.NoError(s.t, err)
	return s.actions(outcome)
}

// The plan tells how a local file was. Somebody may work on it until it is
// replaced.
func TestWorkThatIsDoneDuringAPullStays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule    string
		before  string   // local change before the pull; empty for none
		nth     int      // content that is opened when the work is done
		choices []Choice // one after the other
		options PullOptions
		action  Action
		local   contents
	}{
		{"as a copy", "", 1, []Choice{KeepsBoth}, PullOptions{}, Conflict, contents{"a.txt": "new", "a (local copy).txt": "mine"}},
		{"in its place", "", 1, []Choice{KeepsLocal}, PullOptions{}, Conflict, contents{"a.txt": "mine"}},
		{"unless the choice is against it", "", 1, []Choice{KeepsRemote}, PullOptions{}, Updated, contents{"a.txt": "new"}},
		{"unless all changes are overwritten", "", 1, nil, PullOptions{Overwrite: true}, Updated, contents{"a.txt": "new"}},
		{"when both seemed to be alike", "new", 1, []Choice{KeepsLocal}, PullOptions{}, Conflict, contents{"a.txt": "mine"}},
		{
			"when the choice was about another content", "old", 2, []Choice{KeepsRemote, KeepsLocal}, PullOptions{},
			Conflict, contents{"a.txt": "mine"},
		},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, contents{"a.txt": "1"})
			s.pull()
			s.store(s.at(t, "a.txt"), "new")
			if test.before != "" {
				s.edit("a.txt", test.before)
			}
			choices := test.choices
			s.options.Conflict = func(string, *models.File) (next Choice) {
				next, choices = choices[0], choices[1:]
				return next
			}
			found := s.pullWhile(test.nth, func() { s.edit("a.txt", "mine") }, test.options)
			assert.Equal(t, actions{"a.txt": test.action}, found)
			assert.Empty(t, choices)
			assert.Equal(t, test.local, s.local())
			s.atRest(s.pull)
		})
	}
}

// A file that is gone makes room for one that is renamed, unless somebody works
// on it.
func TestWorkOnWhatIsGoneIsNotReplacedDuringAPull(t *testing.T) {
	t.Parallel()
	inBubble(t, "by a document that is renamed", func(t *testing.T) {
		s := given(t, contents{"a": "1", "b": "2", "d/c": "3"})
		s.pull()
		_ = s.delete(s.at(t, "a").id)
		s.at(t, "b").name, s.at(t, "d").name = "a", "e"
		options := PullOptions{Options: s.options}
		options.Result = func(r Result) {
			if r.Path == "e" {
				s.edit("a", "mine")
			}
		}
		_, err := Pull(t.Context(), s, s.dir, options)
		require.NoError(t, err)
		assert.Equal(t, contents{"a": "mine", "b": "2", "e/": "", "e/c": "3"}, s.local())
		s.pull()
		assert.Equal(t, "mine", s.local()["a"])
		assert.Len(t, s.local(), 4, "the document has a place beside it")
		s.atRest(s.pull)
	})
}

// The copy of a local change has a name that file systems hold, and one name.
func TestTheCopyOfALocalChange(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 246)
	for _, test := range []struct {
		rule, name, copy string
		killed           bool // once the copy had its name, and before the file had lost its own
	}{
		{"of a long name", long + ".txt", long[:238] + " (local copy).txt", false},
		{"between two characters", strings.Repeat("\u00fc", 125) + ".txt", strings.Repeat("\u00fc", 119) + " (local copy).txt", false},
		{"of a name that is an extension", ".settings", ".settings (local copy)", false},
		{"after a process that ended while it made one", "a.txt", "a (local copy).txt", true},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, nil)
			s.edit(test.name, "1")
			s.push() // a name that comes from the service is shorter
			s.edit(test.name, "mine")
			s.store(s.at(t, test.name), "theirs")
			if test.killed {
				require.NoError(t, os.Link(s.on(test.name), s.on(test.copy)))
			}
			assert.Equal(t, actions{test.name: Conflict}, s.pull())
			assert.Equal(t, contents{test.name: "theirs", test.copy: "mine"}, s.local())
			s.atRest(s.pull)
			s.push()
			assert.Equal(t, s.local(), s.tree())
		})
	}
}

// A process may have ended between the note of a file and its name: nobody
// knows whose the local one is, of whatever size.
func TestALocalFileThatIsChosenIsSent(t *testing.T) {
	t.Parallel()
	for _, mine := range []string{"", "mine"} {
		inBubble(t, fmt.Sprintf("%q", mine), func(t *testing.T) {
			s := given(t, contents{"a": "theirs", "b": "2"})
			s.lose("a")
			s.pull()
			id := s.put("a", "theirs").id
			s.edit("a", mine)
			root, err := os.OpenRoot(s.dir)
			require.NoError(t, err)
			m, err := Open(root, matter)
			require.NoError(t, err)
			require.NoError(t, m.Set(Entry{Path: "a", FileID: id}))
			require.NoError(t, errors.Join(m.Close(), root.Close()))
			s.options.Conflict = func(string, *models.File) Choice { return KeepsLocal }
			assert.Equal(t, Conflict, s.pull()["a"])
			assert.Equal(t, Waiting, s.pull()["a"])
			assert.Equal(t, Updated, s.push()["a"])
			assert.Equal(t, contents{"a": mine, "b": "2"}, s.tree())
			s.atRest(s.push)
			s.atRest(s.pull)
		})
	}
}

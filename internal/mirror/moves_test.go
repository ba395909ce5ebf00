package mirror

import (
	"maps"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// twin writes a local file that has the time of any other twin.
func (s *setting) twin(at, content string) {
	s.t.Helper()
	s.edit(at, content)
	when := time.Unix(1_700_000_000, 0)
	require.NoError(s.t, os.Chtimes(s.on(at), when, when))
}

// forgetContents leaves the manifest as a call left it that did not note
// contents.
func (s *setting) forgetContents() {
	s.t.Helper()
	for _, e := range s.noted() {
		if e.SHA256 != "" {
			e.SHA256 = ""
			s.note(e)
		}
	}
}

// knowsItsContents finds the content of every file in the manifest.
func (s *setting) knowsItsContents() {
	s.t.Helper()
	local := s.local()
	for at, e := range s.noted() {
		if e.FileID != "" {
			assert.Equal(s.t, sumOf(local[at]), e.SHA256, at)
		}
	}
}

// A file that is renamed later is told by its content: nobody has to read it
// from the service then.
func TestTheManifestKnowsTheContentOfEveryFile(t *testing.T) {
	t.Parallel()
	tree := contents{"1.txt": "AAAA", "d/2.txt": "BBBB", "3.txt": ""}
	for rule, agree := range map[string]func(s *setting){
		"that was uploaded": func(*setting) {},
		"that was downloaded": func(s *setting) {
			require.NoError(s.t, os.RemoveAll(s.on("d")))
			s.remove("1.txt")
			s.remove("3.txt")
			s.pull()
		},
		"that was found to be alike":     func(s *setting) { s.remove(Name); s.pull() },
		"that has a new version":         func(s *setting) { s.store(s.at(s.t, "1.txt"), "theirs"); s.pull() },
		"that was changed on both sides": func(s *setting) { s.store(s.at(s.t, "1.txt"), "same"); s.edit("1.txt", "same"); s.pull() },
		"that was compared": func(s *setting) {
			s.forgetContents()
			s.options.ByContent = true
			s.pull()
			s.options.ByContent = false
		},
	} {
		inBubble(t, rule, func(t *testing.T) {
			s := given(t, nil)
			for at, content := range tree {
				s.twin(at, content)
			}
			s.push()
			agree(s)
			s.knowsItsContents()
			s.rename("1.txt", "d/4.txt")
			s.reads = 0
			assert.Equal(t, Moved, s.push()["d/4.txt"])
			assert.Zero(t, s.reads)
			s.knowsItsContents()
			s.atRest(s.push)
		})
	}
}

// Files that were written in the same moment may have the same size and time.
// Content tells whether one of them is another one under a new name.
func TestAMoveIsToldByContent(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule         string
		files        contents
		change       func(s *setting)
		pushed       actions // without what was kept
		tree         contents
		pulled       actions // instead
		local        contents
		readsOfALack int // of the service, where nothing had to be known before
	}{
		{
			"another file of the same size and time", contents{"1.txt": "AAAA"},
			func(s *setting) { s.remove("1.txt"); s.twin("2.txt", "BBBB") },
			actions{"1.txt": Gone, "2.txt": Created}, contents{"1.txt": "AAAA", "2.txt": "BBBB"},
			actions{"1.txt": Created}, contents{"1.txt": "AAAA", "2.txt": "BBBB"}, 1,
		},
		{
			"the same file under another name", contents{"1.txt": "AAAA"},
			func(s *setting) { s.rename("1.txt", "2.txt") },
			actions{"2.txt": Moved}, contents{"2.txt": "AAAA"},
			actions{}, contents{"2.txt": "AAAA"}, 1,
		},
		{
			"in another folder, under another name", contents{"1.txt": "AAAA", "d/3.txt": "CCCCC"},
			func(s *setting) { s.rename("1.txt", "d/2.txt") },
			actions{"d/2.txt": Moved}, contents{"d/": "", "d/2.txt": "AAAA", "d/3.txt": "CCCCC"},
			actions{}, contents{"d/": "", "d/2.txt": "AAAA", "d/3.txt": "CCCCC"}, 1,
		},
		{
			"the name stays", contents{"1.txt": "AAAA", "d/3.txt": "CCCCC"},
			func(s *setting) { s.rename("1.txt", "d/1.txt") },
			actions{"d/1.txt": Moved}, contents{"d/": "", "d/1.txt": "AAAA", "d/3.txt": "CCCCC"},
			actions{}, contents{"d/": "", "d/1.txt": "AAAA", "d/3.txt": "CCCCC"}, 0,
		},
		{
			"empty files are alike", contents{"1.txt": "", "3.txt": "CCCCC"},
			func(s *setting) { s.rename("1.txt", "2.txt") },
			actions{"2.txt": Moved}, contents{"2.txt": "", "3.txt": "CCCCC"},
			actions{}, contents{"2.txt": "", "3.txt": "CCCCC"}, 0,
		},
		{
			"several of one name", contents{"x/f": "AAAA", "y/f": "BBBB", "p/g": "G", "q/g": "GG"},
			func(s *setting) { s.rename("x/f", "q/f"); s.rename("y/f", "p/f") },
			actions{"q/f": Moved, "p/f": Moved},
			contents{"x/": "", "y/": "", "p/": "", "q/": "", "p/g": "G", "q/g": "GG", "p/f": "BBBB", "q/f": "AAAA"},
			actions{}, contents{"x/": "", "y/": "", "p/": "", "q/": "", "p/g": "G", "q/g": "GG", "p/f": "BBBB", "q/f": "AAAA"}, 2,
		},
		{
			"one of several of one name, and another file", contents{"x/f": "AAAA", "y/f": "BBBB", "p/g": "G", "q/g": "GG"},
			func(s *setting) { s.rename("x/f", "q/f"); s.remove("y/f"); s.twin("p/f", "CCCC") },
			actions{"q/f": Moved, "y/f": Gone, "p/f": Created},
			contents{"x/": "", "y/": "", "p/": "", "q/": "", "p/g": "G", "q/g": "GG", "p/f": "CCCC", "q/f": "AAAA", "y/f": "BBBB"},
			actions{"y/f": Created},
			contents{"x/": "", "y/": "", "p/": "", "q/": "", "p/g": "G", "q/g": "GG", "p/f": "CCCC", "q/f": "AAAA", "y/f": "BBBB"}, 2,
		},
		{
			"of a document that has another version", contents{"1.txt": "AAAA"},
			func(s *setting) { s.rename("1.txt", "2.txt"); s.store(s.at(s.t, "1.txt"), "theirs") },
			actions{"2.txt": Waiting}, contents{"1.txt": "theirs"},
			actions{"2.txt": Updated}, contents{"2.txt": "theirs"}, 1,
		},
		{
			"another file, of a document that has another version", contents{"1.txt": "AAAA"},
			func(s *setting) {
				s.remove("1.txt")
				s.twin("2.txt", "BBBB")
				s.store(s.at(s.t, "1.txt"), "theirs")
			},
			actions{"1.txt": Gone, "2.txt": Created}, contents{"1.txt": "theirs", "2.txt": "BBBB"},
			actions{"1.txt": Created}, contents{"1.txt": "theirs", "2.txt": "BBBB"}, 1,
		},
	} {
		for side, pulls := range map[string]bool{"push": false, "pull": true} {
			for known, pushed := range map[string]bool{"content is known": true, "content has to be read": false} {
				inBubble(t, test.rule+", "+side+", "+known, func(t *testing.T) {
					s := given(t, nil)
					for at, content := range test.files {
						s.twin(at, content)
					}
					s.push()
					s.knowsItsContents()
					if !pushed {
						s.forgetContents()
					}
					test.change(s)
					s.reads = 0
					call, action, tree := s.push, test.pushed, test.tree
					if pulls {
						call, action, tree = s.pull, test.pulled, test.local
					}
					found := s.asForetold(call)
					maps.DeleteFunc(found, func(_ string, a Action) bool { return a == Kept })
					assert.Equal(t, action, found)
					if pulls {
						assert.Equal(t, tree, s.local())
					} else {
						assert.Equal(t, tree, s.tree())
					}
					if pushed {
						assert.Zero(t, s.reads)
					} else {
						assert.Equal(t, 2*test.readsOfALack, s.reads, "a dry run learns nothing for the next call")
					}
					s.atRest(call)
					s.reads = 0
					s.atRest(call)
					assert.Zero(t, s.reads, "what was learnt is noted")
				})
			}
		}
	}
}

// Where nobody can tell what a document was, a file of its size and time is not
// taken for it.
func TestADocumentThatIsGoneIsMovedOnlyWhereItsContentIsKnown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule           string
		known          bool
		content        string
		pushed, pulled actions
	}{
		{"known, and the same", true, "AAAA", actions{"2": Waiting, "3": Kept}, actions{"2": Removed, "3": Kept}},
		{"known, and another", true, "BBBB", actions{"2": Created, "3": Kept}, actions{"3": Kept}},
		{"not known", false, "AAAA", actions{"2": Created, "3": Kept}, actions{"3": Kept}},
	} {
		for side, pulls := range map[string]bool{"push": false, "pull": true} {
			inBubble(t, test.rule+", "+side, func(t *testing.T) {
				s := given(t, nil)
				s.options.Delete = true
				s.twin("1", "AAAA")
				s.edit("3", "C")
				s.push()
				if !test.known {
					s.forgetContents()
				}
				s.remove("1")
				s.twin("2", test.content)
				_ = s.delete(s.at(t, "1").id)
				if pulls {
					assert.Equal(t, test.pulled, s.pull())
					assert.Equal(t, test.pulled["2"] != Removed, s.local()["2"] != "")
					s.atRest(s.pull)
					return
				}
				assert.Equal(t, test.pushed, s.push())
				s.atRest(s.push)
			})
		}
	}
}

// A document that somebody moves while the folders are read may be in no list.
func TestAMoveOfADocumentThatIsListedNowhereWaits(t *testing.T) {
	t.Parallel()
	for side, pulls := range map[string]bool{"push": false, "pull": true} {
		for what, content := range map[string]string{"the same file": "AAAA", "another file": "BBBB"} {
			inBubble(t, side+", "+what, func(t *testing.T) {
				s := given(t, contents{"1": "AAAA", "3": "CC"})
				s.options.Delete = true
				s.pull()
				s.forgetContents()
				s.remove("1")
				s.edit("2", content)
				require.NoError(t, os.Chtimes(s.on("2"), time.Time{}, time.Unix(0, s.noted()["1"].ModTime)))
				s.at(t, "1").hidden = 99
				if pulls {
					assert.Equal(t, actions{"3": Kept}, s.pull())
				} else {
					assert.Equal(t, actions{"2": Waiting, "3": Kept}, s.push())
				}
				assert.Equal(t, contents{"2": content, "3": "CC"}, s.local())
				assert.Equal(t, contents{"1": "AAAA", "3": "CC"}, s.tree())
				s.at(t, "1").hidden = 0
				s.push()
				if content == "AAAA" {
					assert.Equal(t, contents{"2": "AAAA", "3": "CC"}, s.tree())
				} else {
					assert.Equal(t, contents{"2": "BBBB", "3": "CC"}, s.tree())
					assert.NotContains(t, s.writes, "patch 1")
				}
				s.atRest(s.push)
			})
		}
	}
}

// As long as nobody knows whether a file was moved, nothing is made, deleted or
// brought.
func TestAMoveThatCannotBeToldFails(t *testing.T) {
	t.Parallel()
	inBubble(t, "in both directions", func(t *testing.T) {
		s := given(t, contents{"1": "AAAA"})
		s.options.Delete = true
		s.pull()
		s.forgetContents()
		s.rename("1", "2")
		before, local := s.noted(), s.local()
		pulled, err := Pull(t.Context(), unreadable{s.fakeService}, s.dir, PullOptions{Options: s.options})
		require.NoError(t, err)
		pushed, err := Push(t.Context(), unreadable{s.fakeService}, os.DirFS(s.dir), PushOptions{Options: s.options})
		require.NoError(t, err)
		for _, outcome := range []Outcome{pulled, pushed} {
			require.Len(t, outcome.Failed, 1)
			require.ErrorIs(t, outcome.Failed[0].Err, errUnread)
			assert.Equal(t, "2", outcome.Failed[0].Path)
			assert.Zero(t, outcome.Left)
		}
		assert.Equal(t, before, s.noted())
		assert.Equal(t, local, s.local())
		assert.Equal(t, contents{"1": "AAAA"}, s.tree())
		assert.Equal(t, actions{"2": Moved}, s.push())
	})
}

// A cursor tells of no record that has not changed: the folders do, once.
func TestAMoveIsToldAlthoughACursorIsUsed(t *testing.T) {
	t.Parallel()
	inBubble(t, "the folders are read once", func(t *testing.T) {
		s := given(t, contents{"1": "AAAA", "d/3": "CC"})
		s.pull()
		s.forgetContents()
		s.rename("1", "2")
		for _, lists := range []int{2, 0, 0} {
			s.lists, s.reads = 0, 0
			assert.Equal(t, actions{"2": Kept, "d/3": Kept}, s.pullWith(PullOptions{Cursor: "c"}))
			assert.Equal(t, lists, s.lists)
			assert.Equal(t, lists/2, s.reads)
			assert.Equal(t, "2", s.noted()["1"].Lies, "nor is the local file read again")
		}
	})
}

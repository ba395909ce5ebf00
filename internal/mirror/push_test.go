package mirror

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
)

// A matter is pulled, both sides are changed, and it is pushed.
func TestPush(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule    string
		matter  contents
		change  func(s *setting)
		actions actions // without what was kept
		tree    contents
	}{
		{
			"nothing has changed", contents{"a": "1", "d/b": "2"}, func(*setting) {},
			actions{}, contents{"a": "1", "d/": "", "d/b": "2"},
		},
		{
			"a new file", contents{"a": "1"}, func(s *setting) { s.edit("d/e/b", "2") },
			actions{"d/e/b": Created}, contents{"a": "1", "d/": "", "d/e/": "", "d/e/b": "2"},
		},
		{
			"an edited file", contents{"a": "1"}, func(s *setting) { s.edit("a", "mine") },
			actions{"a": Updated}, contents{"a": "mine"},
		},
		{
			"an edit of the same size", contents{"a": "1"}, func(s *setting) { s.edit("a", "2") },
			actions{"a": Updated}, contents{"a": "2"},
		},
		{
			"a new version waits", contents{"a": "1"}, func(s *setting) { s.store(s.at(s.t, "a"), "new") },
			actions{"a": Waiting}, contents{"a": "new"},
		},
		{
			"both have changed", contents{"a.txt": "1"},
			func(s *setting) { s.edit("a.txt", "mine"); s.store(s.at(s.t, "a.txt"), "new") },
			actions{"a.txt": Conflict}, contents{"a.txt": "new", "a (local copy).txt": "mine"},
		},
		{
			"both have changed in the same way", contents{"a": "1"},
			func(s *setting) { s.edit("a", "same"); s.store(s.at(s.t, "a"), "same") },
			actions{}, contents{"a": "same"},
		},
		{
			"a record without content is filled", contents{},
			func(s *setting) { s.insert("a", "", false); s.edit("a", "1") },
			actions{"a": Resumed}, contents{"a": "1"},
		},
		{
			"a file of the name and size that nobody knows", contents{},
			func(s *setting) { s.put("a", "1"); s.edit("a", "1") },
			actions{}, contents{"a": "1"},
		},
		{
			"several files of the name are no file's", contents{},
			func(s *setting) { s.put("a", "1"); s.put("a", "2"); s.edit("a", "mine") },
			actions{"a": `failed: 2 are named "a"`}, contents{"a": "1", "a'": "2"},
		},
		{
			"several folders of the name are no folder's", contents{},
			func(s *setting) { s.insert("d", "", true); s.insert("d", "", true); s.edit("d/a", "1") },
			actions{"d": `failed: 2 are named "d"`}, contents{"d/": "", "d/'": ""},
		},
		{
			"a renamed file", contents{"a": "1"}, func(s *setting) { s.rename("a", "b") },
			actions{"b": Moved}, contents{"b": "1"},
		},
		{
			"a file that was moved into a new folder", contents{"a": "1"}, func(s *setting) { s.rename("a", "d/a") },
			actions{"d/a": Moved}, contents{"d/": "", "d/a": "1"},
		},
		{
			"a renamed folder", contents{"d/a": "1", "d/e/b": "22"}, func(s *setting) { s.rename("d", "x") },
			actions{"x": Moved}, contents{"x/": "", "x/a": "1", "x/e/": "", "x/e/b": "22"},
		},
		{
			"a folder that was moved", contents{"d/a": "1", "e/b": "22"}, func(s *setting) { s.rename("d", "e/d") },
			actions{"e/d": Moved}, contents{"e/": "", "e/b": "22", "e/d/": "", "e/d/a": "1"},
		},
		{
			"what is gone stays, and is told", contents{"a": "1", "d/b": "2"}, func(s *setting) { s.remove("d") },
			actions{"d": Gone, "d/b": Gone}, contents{"a": "1", "d/": "", "d/b": "2"},
		},
		{
			"what is gone is deleted when that was asked for", contents{"a": "1", "d/b": "2"},
			func(s *setting) { s.remove("d"); s.options.Delete = true },
			actions{"d": Removed, "d/b": Removed}, contents{"a": "1"},
		},
		{
			"what is gone and has a new version stays", contents{"a": "1"},
			func(s *setting) { s.remove("a"); s.store(s.at(s.t, "a"), "new"); s.options.Delete = true },
			actions{"a": Gone}, contents{"a": "new"},
		},
		{
			"a folder with something that stays", contents{"d/a": "1"},
			func(s *setting) { s.remove("d"); s.put("d/b", "2"); s.options.Delete = true },
			actions{"d": Gone, "d/a": Removed}, contents{"d/": "", "d/b": "2"},
		},
		{
			"a file that is gone from the service", contents{"a": "1"},
			func(s *setting) { _ = s.delete(s.at(s.t, "a").id) },
			actions{"a": Waiting}, contents{},
		},
		{
			"a file that is gone from the service, and was edited", contents{"a": "1"},
			func(s *setting) { _ = s.delete(s.at(s.t, "a").id); s.edit("a", "mine") },
			actions{"a": Created}, contents{"a": "mine"},
		},
		{
			"a new file of the name of a document whose file is gone", contents{"b": "1"},
			func(s *setting) { s.at(s.t, "b").name = "a"; s.remove("b"); s.edit("a", "mine") },
			actions{"a": Created, "b": Gone}, contents{"a": "1", "a'": "mine"},
		},
		{
			"a new file of the name of a document that is deleted", contents{"b": "1"},
			func(s *setting) {
				s.at(s.t, "b").name = "a"
				s.remove("b")
				s.edit("a", "mine")
				s.options.Delete = true
			},
			actions{"a": Created, "b": Removed}, contents{"a": "mine"},
		},
		{
			"a new folder of the name of one whose folder is gone", contents{"d/a": "1"},
			func(s *setting) {
				s.at(s.t, "d").name = "e"
				s.remove("d")
				s.edit("e/b", "mine")
				s.options.Delete = true
			},
			actions{"d/a": Removed, "e/b": Created}, contents{"e/": "", "e/b": "mine"},
		},
		{
			"what is left out is left alone", contents{"a": "1", "d/b": "2"},
			func(s *setting) {
				s.edit("d/b", "mine")
				s.edit("d/c", "new")
				s.options.Exclude = func(i Item) bool { return i.Path == "d" }
				s.options.Delete = true
			},
			actions{}, contents{"a": "1", "d/": "", "d/b": "2"},
		},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, test.matter)
			s.pull()
			test.change(s)
			s.writes = nil
			found := s.push()
			maps.DeleteFunc(found, func(_ string, a Action) bool { return a == Kept })
			assert.Equal(t, test.actions, found)
			assert.Equal(t, test.tree, s.tree())
			if len(found) == 0 {
				assert.Empty(t, s.writes)
			}
			if strings.HasPrefix(string(found["a"]+found["d"]), string(Failed)) {
				assert.Equal(t, found, s.push(), "it fails again")
				return
			}
			s.atRest(s.push)
		})
	}
}

// A push waits for files that were accepted or may have been, and never makes
// them a second time.
func TestPushesThatLoseAnswersMakeNothingTwice(t *testing.T) {
	t.Parallel()
	tree := contents{"a": "1", "d/": "", "d/b": "2", "d/e/": "", "d/e/c": "3"}
	for rule, fault := range map[string]func(s *setting){
		"no fault":                          func(*setting) {},
		"lists are late":                    func(s *setting) { s.late = 3 },
		"an answer is lost":                 func(s *setting) { s.lost = 1 },
		"all answers are lost":              func(s *setting) { s.lost = 99 },
		"lists are late, and answers lost":  func(s *setting) { s.late, s.lost = 3, 2 },
		"a create is refused":               func(s *setting) { s.refused = 1 },
		"the next call comes without delay": func(s *setting) { s.late, s.lost, s.settle = 2, 1, 0 },
	} {
		inBubble(t, rule, func(t *testing.T) {
			s := given(t, nil)
			for at, content := range tree {
				if !strings.HasSuffix(at, "/") {
					s.edit(at, content)
				}
			}
			fault(s)
			for range 4 {
				s.push()
				s.lost, s.settle = 0, given(t, nil).settle
			}
			assert.Equal(t, tree, s.tree())
			s.atRest(s.push)
			s.atRest(s.pull)
		})
	}
}

// A document that was there before is not the one that was made when the answer
// was lost.
func TestALostAnswerTakesNoOtherOfTheName(t *testing.T) {
	t.Parallel()
	for rule, made := range map[string]string{"a file": "a", "a folder": "a/new"} {
		inBubble(t, rule, func(t *testing.T) {
			s := given(t, nil)
			for _, content := range []string{"1", "2"} {
				if made == "a" {
					s.store(s.insert("a", "", false), content)
				} else {
					s.store(s.insert("x", s.insert("a", "", true).id, false), content)
				}
			}
			s.pull()
			s.edit(made, "mine")
			s.lost, s.late = 1, 2
			s.push()
			s.push()
			assert.ElementsMatch(t, []string{"1", "2", "mine"}, texts(s.tree()))
			s.atRest(s.push)
			s.atRest(s.pull)
			assert.ElementsMatch(t, []string{"1", "2", "mine"}, texts(s.local()))
		})
	}
}

// A conflict of a file that was renamed as well leaves one note of it.
func TestAConflictOfARenamedFile(t *testing.T) {
	t.Parallel()
	for _, choice := range []Choice{KeepsBoth, KeepsLocal, KeepsRemote} {
		inBubble(t, string(choice), func(t *testing.T) {
			s := given(t, contents{"\u00fc": "1"})
			s.pull()
			s.rename("\u00fc", "u\u0308") // another form of the name, as a copy to another disk has it
			s.edit("u\u0308", "mine")
			s.store(s.at(t, "\u00fc"), "theirs")
			s.options.Conflict = func(string, *models.File) Choice { return choice }
			s.push()
			s.atRest(s.push)
			s.pull()
			s.atRest(s.pull)
		})
	}
}

// The records of many new files are made together where their folder is worth a
// look.
func TestManyNewFilesAreMadeTogether(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule     string
		there    int // files that the folder holds before
		fresh    int
		change   func(s *setting)
		together int // records that were made by calls for many
		calls    int // for them
		fails    int // files that the first call reports
	}{
		{"a few", 0, filesPerPage - 1, nil, 0, 0, 0},
		{"enough", 0, filesPerPage, nil, filesPerPage, 1, 0},
		{"more than a call takes", 0, 2*filesPerCall + 1, nil, 2*filesPerCall + 1, 3, 0},
		{"enough for the pages of a folder that is full", entriesPerPage, 2 * filesPerPage, nil, 2 * filesPerPage, 1, 0},
		{"too few for the pages of a folder that is full", entriesPerPage, 2*filesPerPage - 1, nil, 0, 0, 0},
		{"lists are late", 0, filesPerPage, func(s *setting) { s.late = 3 }, filesPerPage, 1, 0},
		{"nobody waits for lists", 0, filesPerPage, func(s *setting) { s.settle = -1 }, 0, 0, 0},
		{"a refused call is made one by one", 0, filesPerPage, func(s *setting) { s.refused = 1 }, 0, 0, 0},
		{"an answer is lost", 0, filesPerPage, func(s *setting) { s.lost = 1 }, 0, 0, filesPerPage},
		{"names that a service may change", 0, filesPerPage, func(s *setting) {
			for n := range filesPerPage {
				s.rename(fmt.Sprintf("new%03d", n), fmt.Sprintf("new%03d ", n))
			}
		}, 0, 0, 0},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, nil)
			want := contents{}
			for n := range test.there {
				at := fmt.Sprintf("old%03d", n)
				s.put(at, "old")
				want[at] = "old"
			}
			s.pull()
			for n := range test.fresh {
				at := fmt.Sprintf("new%03d", n)
				s.edit(at, at)
				want[at] = at
			}
			if test.change != nil {
				test.change(s)
			}
			failed := 0
			for _, action := range s.push() {
				if strings.HasPrefix(string(action), string(Failed)) {
					failed++
				}
			}
			assert.Equal(t, test.fails, failed)
			calls, together := 0, 0
			for _, write := range s.writes {
				var n int
				if _, err := fmt.Sscanf(write, "make %d files", &n); err == nil {
					calls, together = calls+1, together+n
				}
			}
			assert.Equal(t, test.calls, calls)
			assert.Equal(t, test.together, together)
			s.push()
			assert.Len(t, s.tree(), len(want))
			for at, content := range s.tree() {
				assert.Equal(t, want[strings.TrimSpace(at)], content, at)
			}
			s.atRest(s.push)
		})
	}
}

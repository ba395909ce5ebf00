package mirror

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
)

type (
	contents = map[string]string
	actions  = map[string]Action
)

// inBubble runs a test whose waits cost no time.
func inBubble(t *testing.T, rule string, test func(t *testing.T)) {
	t.Helper()
	t.Run(rule, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	})
}

// asForetold calls after a dry run, which must tell what the call then does.
func (s *setting) asForetold(call func() map[string]Action) map[string]Action {
	s.t.Helper()
	s.options.DryRun = true
	foretold := call()
	s.options.DryRun = false
	found := call()
	assert.Equal(s.t, foretold, found, "a dry run foretells it")
	return found
}

// atRest asserts that another call of the same direction changes nothing on
// either side.
func (s *setting) atRest(again func() map[string]Action) {
	s.t.Helper()
	writes, local := len(s.writes), s.local()
	for at, action := range again() {
		switch {
		case action == Kept, action == Waiting, action == Gone, action == Ignored:
		case s.failing && strings.Contains(string(action), string(Failed)):
		default:
			assert.Failf(s.t, "not at rest", "%s is %s", at, action)
		}
	}
	assert.Equal(s.t, s.writes[:writes], s.writes, "nothing is written")
	assert.Equal(s.t, local, s.local(), "the local folder stays as it is")
	noted := map[identity]string{}
	for at, e := range s.noted() {
		if e.FileID != "" || e.FolderID != "" {
			assert.Empty(s.t, noted[e.identity()], "%s is noted twice", at)
			noted[e.identity()] = at
		}
	}
}

// A matter is pulled, both sides are changed, and it is pulled again.
func TestPull(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule    string
		matter  contents
		change  func(s *setting)
		actions actions // without what was kept
		local   contents
	}{
		{
			"nothing has changed", contents{"a": "1", "d/b": "2"}, func(*setting) {},
			actions{}, contents{"a": "1", "d/": "", "d/b": "2"},
		},
		{
			"a new document", contents{"a": "1"}, func(s *setting) { s.put("d/b", "2") },
			actions{"d/b": Created}, contents{"a": "1", "d/": "", "d/b": "2"},
		},
		{
			"a new version", contents{"a": "1"}, func(s *setting) { s.store(s.at(s.t, "a"), "new") },
			actions{"a": Updated}, contents{"a": "new"},
		},
		{
			"a local change waits", contents{"a": "1"}, func(s *setting) { s.edit("a", "mine") },
			actions{"a": Waiting}, contents{"a": "mine"},
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
			"a record without content", contents{}, func(s *setting) { s.insert("a", "", false) },
			actions{"a": Ignored}, contents{},
		},
		{
			"a local file that nobody knows and that is the same", contents{},
			func(s *setting) { s.put("a", "1"); s.edit("a", "1") },
			actions{}, contents{"a": "1"},
		},
		{
			"a document is renamed", contents{"a": "1"}, func(s *setting) { s.at(s.t, "a").name = "b" },
			actions{"b": Moved}, contents{"b": "1"},
		},
		{
			"a document is renamed and has a new version", contents{"a": "1"},
			func(s *setting) { r := s.at(s.t, "a"); r.name = "b"; s.store(r, "new") },
			actions{"b": Updated}, contents{"b": "new"},
		},
		{
			"two documents change places", contents{"a": "1", "b": "2"},
			func(s *setting) { a, b := s.at(s.t, "a"), s.at(s.t, "b"); a.name, b.name = "b", "a" },
			actions{"a": Moved, "b": Moved}, contents{"a": "2", "b": "1"},
		},
		{
			"three documents change places", contents{"a": "1", "b": "2", "c": "3"},
			func(s *setting) {
				a, b, c := s.at(s.t, "a"), s.at(s.t, "b"), s.at(s.t, "c")
				a.name, b.name, c.name = "b", "c", "a"
			},
			actions{"a": Moved, "b": Moved, "c": Moved}, contents{"a": "3", "b": "1", "c": "2"},
		},
		{
			"two folders change places", contents{"a/x": "1", "b/x": "2"},
			func(s *setting) { a, b := s.at(s.t, "a"), s.at(s.t, "b"); a.name, b.name = "b", "a" },
			actions{"a": Moved, "b": Moved, "a/x": Moved, "b/x": Moved}, contents{"a/": "", "a/x": "2", "b/": "", "b/x": "1"},
		},
		{
			"a folder goes into its neighbour", contents{"a/x": "1", "b/y": "2"},
			func(s *setting) { s.at(s.t, "a").parent = s.at(s.t, "b").id },
			actions{"b/a": Moved, "b/a/x": Moved}, contents{"b/": "", "b/a/": "", "b/a/x": "1", "b/y": "2"},
		},
		{
			"a folder and the one in it change places", contents{"a/b/x": "1"},
			func(s *setting) { a, b := s.at(s.t, "a"), s.at(s.t, "a/b"); a.parent, b.parent = b.id, "" },
			actions{"b": Moved, "b/a": Moved, "b/x": Moved}, contents{"b/": "", "b/a/": "", "b/x": "1"},
		},
		{
			"a folder goes into a new one of its name", contents{"a/x": "1"},
			func(s *setting) {
				a := s.at(s.t, "a")
				a.name = "b"
				s.put("a/", "")
				a.parent = s.at(s.t, "a").id
				slices.Reverse(s.records)
			},
			actions{"a/b": Moved, "a/b/x": Moved}, contents{"a/": "", "a/b/": "", "a/b/x": "1"},
		},
		{
			"a new folder in the place of one that was renamed", contents{"a/x": "1"},
			func(s *setting) {
				a := s.at(s.t, "a")
				a.name = "b"
				s.put("a/y", "2")
				slices.Reverse(s.records) // the new one is listed first
			},
			actions{"b": Moved, "b/x": Moved, "a/y": Created}, contents{"a/": "", "a/y": "2", "b/": "", "b/x": "1"},
		},
		{
			"a folder gets the name of a document that is gone", contents{"a": "1", "d/x": "2"},
			func(s *setting) { _ = s.delete(s.at(s.t, "a").id); s.at(s.t, "d").name = "a" },
			actions{"a": Moved, "a/x": Moved}, contents{"a/": "", "a/x": "2"},
		},
		{
			"a document becomes a folder", contents{"a": "1"},
			func(s *setting) { _ = s.delete(s.at(s.t, "a").id); s.put("a/x", "2") },
			actions{"a/x": Created}, contents{"a/": "", "a/x": "2"},
		},
		{
			"a folder becomes a document", contents{"a/x": "1"},
			func(s *setting) {
				_ = s.delete(s.at(s.t, "a/x").id)
				_ = s.delete(s.at(s.t, "a").id)
				s.put("a", "2")
			},
			actions{"a": Created}, contents{"a": "2"},
		},
		{
			"what is gone stays, and is told", contents{"a": "1", "d/b": "2"},
			func(s *setting) { _ = s.delete(s.at(s.t, "d/b").id); _ = s.delete(s.at(s.t, "d").id) },
			actions{"d": Gone, "d/b": Gone}, contents{"a": "1", "d/": "", "d/b": "2"},
		},
		{
			"what is gone is deleted when that was asked for", contents{"a": "1", "d/b": "2"},
			func(s *setting) {
				_ = s.delete(s.at(s.t, "d/b").id)
				_ = s.delete(s.at(s.t, "d").id)
				s.options.Delete = true
			},
			actions{"d": Removed, "d/b": Removed}, contents{"a": "1"},
		},
		{
			"what is gone and was changed stays", contents{"a": "1"},
			func(s *setting) { _ = s.delete(s.at(s.t, "a").id); s.edit("a", "mine"); s.options.Delete = true },
			actions{"a": Gone}, contents{"a": "mine"},
		},
		{
			"another document in the place of one that is gone", contents{"a": "1"},
			func(s *setting) { _ = s.delete(s.at(s.t, "a").id); s.put("a", "2") },
			actions{"a": Updated}, contents{"a": "2"},
		},
		{
			"a file that was moved locally stays there", contents{"a": "1", "d/b": "2"},
			func(s *setting) { s.rename("a", "d/a"); s.store(s.at(s.t, "a"), "new") },
			actions{"d/a": Updated}, contents{"d/": "", "d/a": "new", "d/b": "2"},
		},
		{
			"a file that was removed locally comes again", contents{"a": "1"}, func(s *setting) { s.remove("a") },
			actions{"a": Created}, contents{"a": "1"},
		},
		{
			"a second document of a name takes no other's place", contents{"a.txt": "1"},
			func(s *setting) { s.put("a.txt", "2") },
			actions{"a (f2).txt": Created}, contents{"a.txt": "1", "a (f2).txt": "2"},
		},
		{
			"what is left out is left alone", contents{"a": "1", "d/b": "2"},
			func(s *setting) {
				s.options.Exclude = func(i Item) bool { return i.Path == "d" }
				s.store(s.at(s.t, "d/b"), "new")
				s.options.Delete = true
			},
			actions{}, contents{"a": "1", "d/": "", "d/b": "2"},
		},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, test.matter)
			s.pull()
			test.change(s)
			found := s.pull()
			maps.DeleteFunc(found, func(_ string, a Action) bool { return a == Kept })
			assert.Equal(t, test.actions, found)
			assert.Equal(t, test.local, s.local())
			s.atRest(s.pull)
		})
	}
}

// A document that is to come where somebody else's file lies makes that file
// not its own.
func TestAFileThatNobodyKnowsStaysNobodys(t *testing.T) {
	t.Parallel()
	inBubble(t, "a renamed document", func(t *testing.T) {
		s := given(t, contents{"a": "1"})
		s.options.Conflict = func(string, *models.File) Choice { return KeepsRemote }
		s.pull()
		s.remove("a")
		s.at(t, "a").name = "b"
		s.edit("b", "mine")
		for range 3 {
			assert.Equal(t, actions{"b": "failed: create b: file already exists"}, s.pull())
			assert.Equal(t, contents{"b": "mine"}, s.local())
		}
	})
}

// A file that made room and finds its new place taken is not left under a
// hidden name.
func TestWhatMakesRoomIsNotLost(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule        string
		matter      contents
		change      func(s *setting)
		local, then contents // while something is in the way, and afterwards
	}{
		{
			"a document", contents{"b.txt": "1", "c.txt": "2"},
			func(s *setting) { s.at(s.t, "c.txt").parent = s.at(s.t, "new").id; s.at(s.t, "b.txt").name = "c.txt" },
			contents{"b.txt": "1", "c.txt": "2", "new": "mine"},
			contents{"c.txt": "1", "new/": "", "new/c.txt": "2", "elsewhere": "mine"},
		},
		{
			"a folder", contents{"a/x": "1", "b/y": "2"},
			func(s *setting) { s.at(s.t, "a").parent = s.at(s.t, "new").id; s.at(s.t, "b").name = "a" },
			contents{"a (local copy)/": "", "a (local copy)/x": "1", "a/": "", "a/y": "2", "new": "mine"},
			contents{"a/": "", "a/y": "2", "new/": "", "new/a/": "", "new/a/x": "1", "elsewhere": "mine"},
		},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, test.matter)
			s.pull()
			s.put("new/", "")
			s.edit("new", "mine")
			test.change(s)
			s.failing = true
			s.pull()
			assert.Equal(t, test.local, s.local())
			s.atRest(s.pull)

			s.rename("new", "elsewhere")
			s.failing = false
			s.pull()
			assert.Equal(t, test.then, s.local())
			s.atRest(s.pull)
		})
	}
}

// Every name has a safe place of its own, which it keeps.
func TestNamesOfDocumentsArePlaces(t *testing.T) {
	t.Parallel()
	for rule, named := range map[string][]string{
		"separators":       {`a\b`, "a:b"},
		"a device":         {"CON", "_CON"},
		"two of one name":  {"a.txt", "a.txt", "a.txt"},
		"upper and lower":  {"a.txt", "A.txt"},
		"two forms":        {"\u00dcber.txt", "U\u0308ber.txt"},
		"those of a local": {"a (local copy).txt", "a.txt"},
		"the manifest":     {Name},
		"nothing":          {"", ".", ".."},
	} {
		inBubble(t, rule, func(t *testing.T) {
			s := given(t, nil)
			for n, name := range named {
				s.store(s.insert(name, "", false), string(rune('a'+n)))
			}
			for at, action := range s.pull() {
				assert.Equal(t, Created, action, at)
			}
			assert.Len(t, s.local(), len(named))
			s.atRest(s.pull)
			s.atRest(s.push)
			assert.Empty(t, s.writes, "the other direction knows them")
		})
	}
}

func TestAConflictIsSettledAsChosen(t *testing.T) {
	t.Parallel()
	for choice, local := range map[Choice]contents{
		KeepsBoth:   {"a.txt": "theirs", "a (local copy).txt": "mine"},
		KeepsLocal:  {"a.txt": "mine"},
		KeepsRemote: {"a.txt": "theirs"},
	} {
		inBubble(t, string(choice), func(t *testing.T) {
			s := given(t, contents{"a.txt": "1"})
			s.pull()
			s.edit("a.txt", "mine")
			s.store(s.at(t, "a.txt"), "theirs")
			s.options.Conflict = func(string, *models.File) Choice { return choice }
			s.pull()
			assert.Equal(t, local, s.local())
			s.atRest(s.pull)
			s.push()
			assert.Equal(t, local, s.tree(), "the local side is brought to the service")
		})
	}
}

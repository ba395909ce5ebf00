package mirror

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A file that was moved over another one of its size and time passes for that
// one. Its document has the content that nobody else in the service has.
func TestADocumentIsNotDeletedWhoseFileWasMovedOverAnother(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		files  contents
		change func(s *setting)
		action actions // without what was kept
		tree   contents
		reads  int // of the service, at most
	}{
		{
			"moved over another", contents{"a": "AAAA", "b": "BBBB", "c": "C"}, func(s *setting) { s.rename("b", "a") },
			actions{"b": Gone}, contents{"a": "AAAA", "b": "BBBB", "c": "C"}, 2,
		},
		{
			"moved over another of a folder", contents{"a": "AAAA", "d/b": "BBBB", "c": "C"}, func(s *setting) { s.rename("a", "d/b") },
			actions{"a": Gone}, contents{"a": "AAAA", "d/": "", "d/b": "BBBB", "c": "C"}, 2,
		},
		{
			"moved over another of another time", contents{"a": "AAAA", "b": "BBBB", "c": "C"},
			func(s *setting) { s.edit("a", "aaaa"); s.push(); s.rename("b", "a") },
			actions{"a": Updated, "b": Removed}, contents{"a": "BBBB", "c": "C"}, 0,
		},
		{
			"moved over another that has a new version", contents{"a": "AAAA", "b": "BBBB", "c": "C"},
			func(s *setting) { s.rename("b", "a"); s.store(s.at(s.t, "a"), "theirs") },
			actions{"a": Waiting, "b": Gone}, contents{"a": "theirs", "b": "BBBB", "c": "C"}, 1,
		},
		{
			"moved over another that gets its content just now", contents{"b": "BBBB", "c": "C"},
			func(s *setting) {
				s.note(Entry{Path: "a", FileID: s.insert("a", "", false).id, Name: "a"})
				s.rename("b", "a")
			},
			actions{"a": Resumed, "b": Removed}, contents{"a": "BBBB", "c": "C"}, 0,
		},
		{
			"deleted beside another", contents{"a": "AAAA", "b": "BBBB", "c": "C"}, func(s *setting) { s.remove("b") },
			actions{"b": Removed}, contents{"a": "AAAA", "c": "C"}, 1,
		},
		{
			"deleted beside a copy", contents{"a": "AAAA", "b": "AAAA", "c": "C"}, func(s *setting) { s.remove("b") },
			actions{"b": Removed}, contents{"a": "AAAA", "c": "C"}, 2,
		},
		{
			"empty files are alike", contents{"a": "", "b": "", "c": "C"}, func(s *setting) { s.rename("b", "a") },
			actions{"b": Removed}, contents{"a": "", "c": "C"}, 0,
		},
		{
			"no other has its size and time", contents{"a": "AAAAA", "b": "BBBB", "c": "C"}, func(s *setting) { s.remove("b") },
			actions{"b": Removed}, contents{"a": "AAAAA", "c": "C"}, 0,
		},
	} {
		for known, pushed := range map[string]bool{"contents are known": true, "contents have to be read": false} {
			inBubble(t, test.rule+", "+known, func(t *testing.T) {
				s := given(t, nil)
				for at, content := range test.files {
					s.twin(at, content)
				}
				s.push()
				if !pushed {
					s.forgetContents()
				}
				test.change(s)
				s.options.Delete, s.options.DryRun = true, true
				foretold := s.push()
				s.options.DryRun, s.reads = false, 0
				found := s.push()
				assert.Equal(t, foretold, found)
				maps.DeleteFunc(found, func(_ string, a Action) bool { return a == Kept })
				assert.Equal(t, test.action, found)
				assert.Equal(t, test.tree, s.tree())
				if pushed {
					assert.Zero(t, s.reads)
				} else {
					assert.Equal(t, test.reads, s.reads)
				}
				s.atRest(s.push)
			})
		}
	}
}

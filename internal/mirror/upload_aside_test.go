package mirror

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process may end when the copy of a local change has its name, and before
// the file has lost its own. Both are one file then, which becomes one
// document.
func TestACopyThatWasHalfMadeBecomesOneDocument(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 246)
	for _, test := range []struct {
		rule, name, copy string
		change           func(s *setting, name string)
		action           actions
		there            []string // contents in the end
	}{
		{
			"the change is kept beside the other version", "a.txt", "a (local copy).txt",
			func(s *setting, name string) { s.store(s.at(s.t, name), "theirs") },
			actions{"a.txt": Conflict, "a (local copy).txt": Ignored}, []string{"mine", "theirs"},
		},
		{
			"of a long name", long + ".txt", long[:238] + " (local copy).txt",
			func(s *setting, name string) { s.store(s.at(s.t, name), "theirs") },
			actions{long + ".txt": Conflict, long[:238] + " (local copy).txt": Ignored}, []string{"mine", "theirs"},
		},
		{
			"it is the second copy", "d/a.txt", "d/a (local copy 2).txt",
			func(s *setting, name string) {
				s.edit("d/a (local copy).txt", "mine before")
				s.store(s.at(s.t, name), "theirs")
			},
			actions{"d/a.txt": Conflict, "d/a (local copy 2).txt": Ignored, "d/a (local copy).txt": Created},
			[]string{"mine", "mine before", "theirs"},
		},
		{
			"the document is gone by now", "a.txt", "a (local copy).txt",
			func(s *setting, name string) { _ = s.delete(s.at(s.t, name).id) },
			actions{"a.txt": Created, "a (local copy).txt": Ignored}, []string{"mine"},
		},
		{
			"there was no other version after all", "a.txt", "a (local copy).txt", func(*setting, string) {},
			actions{"a.txt": Updated, "a (local copy).txt": Ignored}, []string{"mine"},
		},
		{
			"somebody saved the file anew, so that they are two", "a.txt", "a (local copy).txt",
			func(s *setting, name string) { s.remove(name); s.edit(name, "mine again") },
			actions{"a.txt": Updated, "a (local copy).txt": Created}, []string{"mine", "mine again"},
		},
		{
			"a link of another name is a file of its own", "a.txt", "a copy.txt", func(*setting, string) {},
			actions{"a.txt": Updated, "a copy.txt": Created}, []string{"mine", "mine"},
		},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, nil)
			s.edit(test.name, "1")
			s.push()
			s.edit(test.name, "mine")
			require.NoError(t, os.Link(s.on(test.name), s.on(test.copy)))
			test.change(s, test.name)
			s.options.DryRun = true
			assert.Equal(t, test.action, s.push(), "foretold")
			s.options.DryRun = false
			assert.Equal(t, test.action, s.push())
			assert.Equal(t, test.there, texts(s.tree()))
			s.atRest(s.push)
			s.pull()
			s.push()
			assert.Equal(t, test.there, texts(s.tree()))
			s.atRest(s.pull)
			s.atRest(s.push)
		})
	}
}

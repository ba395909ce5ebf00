package mirror

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A folder of the service is gone, and something else may have come in its
// place. A dry run foretells what becomes of it, and a pull comes to rest.
func TestAFolderThatIsGone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		change func(s *setting)
		found  actions // without what was kept
		local  contents
	}{
		{
			"an empty one in its place stays", func(s *setting) { s.put("d/", "") },
			actions{"d/x": Removed, "d/e": Removed, "d/e/y": Removed}, contents{"d/": ""},
		},
		{
			"with a file that nobody knows it stays", func(s *setting) { s.edit("d/mine", "mine") },
			actions{"d": Gone, "d/x": Removed, "d/e": Removed, "d/e/y": Removed}, contents{"d/": "", "d/mine": "mine"},
		},
		{
			"with a changed file it stays", func(s *setting) { s.edit("d/e/y", "mine") },
			actions{"d": Gone, "d/x": Removed, "d/e": Gone, "d/e/y": Gone}, contents{"d/": "", "d/e/": "", "d/e/y": "mine"},
		},
		{
			"a document in its place replaces it", func(s *setting) { s.put("d", "3") },
			actions{"d": Created}, contents{"d": "3"},
		},
		{
			"a document beside a file that nobody knows", func(s *setting) { s.edit("d/mine", "mine"); s.put("d", "3") },
			actions{"d": Gone, "d (f5)": Created, "d/x": Removed, "d/e": Removed, "d/e/y": Removed},
			contents{"d/": "", "d/mine": "mine", "d (f5)": "3"},
		},
		{
			"a document beside a changed file", func(s *setting) { s.edit("d/e/y", "mine"); s.put("d", "3") },
			actions{"d": Gone, "d (f5)": Created, "d/x": Removed, "d/e": Gone, "d/e/y": Gone},
			contents{"d/": "", "d/e/": "", "d/e/y": "mine", "d (f5)": "3"},
		},
		{
			"a document beside a new folder", func(s *setting) { s.edit("d/new/mine", "mine"); s.put("d", "3") },
			actions{"d": Gone, "d (f5)": Created, "d/x": Removed, "d/e": Removed, "d/e/y": Removed},
			contents{"d/": "", "d/new/": "", "d/new/mine": "mine", "d (f5)": "3"},
		},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, contents{"d/x": "1", "d/e/y": "2"})
			s.options.Delete = true
			s.pull()
			s.lose("d/x", "d/e/y", "d/e", "d")
			test.change(s)
			found := s.asForetold(s.pull)
			maps.DeleteFunc(found, func(_ string, a Action) bool { return a == Kept })
			assert.Equal(t, test.found, found)
			assert.Equal(t, test.local, s.local())
			s.atRest(s.pull)
		})
	}
}

package mirror

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A process may end while DownloadDir lets folders change places.
func TestAParkedFolderIsLeftToDownloadDir(t *testing.T) {
	t.Parallel()
	for rule, change := range map[string]func(s *setting){
		"as it was":         func(*setting) {},
		"it is made anew":   func(s *setting) { s.edit("d/new", "n") },
		"with what is gone": func(s *setting) { s.options.Delete = true },
	} {
		inBubble(t, rule, func(t *testing.T) {
			s := given(t, contents{"d/a": "1", "d/e/b": "22"})
			s.pull()
			parked := Parking()
			s.rename("d", parked)
			change(s)
			found := s.push()
			assert.Equal(t, Ignored, found[parked])
			tree := s.tree()
			delete(tree, "d/new")
			assert.Equal(t, contents{"d/": "", "d/a": "1", "d/e/": "", "d/e/b": "22"}, tree)
			s.pull()
			s.push()
			s.atRest(s.pull)
			s.atRest(s.push)
			assert.ElementsMatch(t, texts(s.tree()), texts(s.local()))
			assert.Subset(t, texts(s.local()), []string{"1", "22"})
		})
	}
}

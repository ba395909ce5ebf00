package mirror

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A filter holds for what is not there any more as well, on both sides.
func TestWhatIsLeftOutIsLeftAloneAlsoWhenItIsGone(t *testing.T) {
	t.Parallel()
	below := func(dir string) func(Item) bool { return func(i Item) bool { return i.Path == dir } }
	for _, test := range []struct {
		rule    string
		matter  contents
		exclude func(Item) bool
		push    bool
		change  func(s *setting)
		found   actions // without what was kept
	}{
		{"a document", contents{"a": "1"}, below("a"), false, func(s *setting) { s.lose("a") }, actions{}},
		{"a folder of the service", contents{"d/e/x": "1"}, below("d"), false, func(s *setting) { s.lose("d/e/x", "d/e", "d") }, actions{}},
		{
			"what was in a folder of the service", contents{"d/e/x": "1"}, below("d/e"), false,
			func(s *setting) { s.lose("d/e/x", "d/e", "d") }, actions{"d": Gone},
		},
		{"a name that is not safe locally", contents{"Re: x": "1"}, below("Re: x"), false, func(s *setting) { s.lose("Re: x") }, actions{}},
		{
			"what was in a folder that has another name now", contents{"d/x": "1", "d/y": "2"}, below("e/x"), false,
			func(s *setting) { s.lose("d/x"); s.at(s.t, "d").name = "e" }, actions{"e": Moved, "e/y": Moved},
		},
		{
			"a document that was moved into such a folder", contents{"a": "1", "d/": ""}, below("d"), false,
			func(s *setting) { s.at(s.t, "a").parent = s.at(s.t, "d").id }, actions{},
		},
		{
			"a folder that was moved into such a folder", contents{"a/x": "1", "d/": ""}, below("d"), false,
			func(s *setting) { s.at(s.t, "a").parent = s.at(s.t, "d").id }, actions{},
		},
		{
			"and what is gone is removed nevertheless", contents{"a": "1", "d/": ""}, below("d"), false,
			func(s *setting) { s.lose("a") }, actions{"a": Removed},
		},
		{"a local file", contents{"a": "1"}, below("a"), true, func(s *setting) { s.remove("a") }, actions{}},
		{"a local folder", contents{"d/e/x": "1"}, below("d"), true, func(s *setting) { s.remove("d") }, actions{}},
		{"what was in a local folder", contents{"d/e/x": "1"}, below("d/e"), true, func(s *setting) { s.remove("d/e") }, actions{}},
		{"another local file is removed nevertheless", contents{"a": "1", "b": "2"}, below("a"), true, func(s *setting) { s.remove("b") }, actions{"b": Removed}},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, test.matter)
			s.pull()
			test.change(s)
			tree, local, call := s.tree(), texts(s.local()), s.pull
			if test.push {
				call = s.push
			}
			s.options.Exclude, s.options.Delete = test.exclude, true
			found := call()
			maps.DeleteFunc(found, func(_ string, a Action) bool { return a == Kept })
			assert.Equal(t, test.found, found)
			if !strings.Contains(test.rule, "removed") {
				assert.Equal(t, tree, s.tree())
				assert.Equal(t, local, texts(s.local()), "nothing is removed")
			}
			s.atRest(call)
		})
	}
}

// lose deletes files and folders of the service.
func (s *setting) lose(paths ...string) {
	s.t.Helper()
	for _, at := range paths {
		_ = s.delete(s.at(s.t, at).id)
	}
}

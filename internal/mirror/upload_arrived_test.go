package mirror

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// killedPush uploads, and leaves the manifest as a process leaves it that ends
// before it has seen anything listed.
func (s *setting) killedPush() {
	s.t.Helper()
	var left []byte
	options := PushOptions{Options: s.options, Settle: s.settle}
	options.Result = func(Result) {
		var err error
		left, err = os.ReadFile(s.on(Name))
		require.NoError(s.t, err)
	}
	_, err := Push(s.ctx, s, os.DirFS(s.dir), options)
	require.NoError(s.t, err)
	require.NoError(s.t, os.WriteFile(s.on(Name), left, 0o600))
}

// A version that a killed process sent is nobody else's.
func TestAVersionThatWasSentIsKnownAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		matter contents
		sent   func(s *setting)
		change func(s *setting)
		action actions
		tree   contents
	}{
		{
			"it was not edited since", contents{"a": "1"}, func(s *setting) { s.edit("a", "edit 1") },
			func(*setting) {}, actions{"a": Kept}, contents{"a": "edit 1"},
		},
		{
			"it was edited since", contents{"a": "1"}, func(s *setting) { s.edit("a", "edit 1") },
			func(s *setting) { s.edit("a", "edit no 2") }, actions{"a": Updated}, contents{"a": "edit no 2"},
		},
		{
			"a new file was edited since", contents{}, func(s *setting) { s.edit("a", "AAAA") },
			func(s *setting) { s.edit("a", "BBBB") }, actions{"a": Updated}, contents{"a": "BBBB"},
		},
		{
			"a new file was renamed since", contents{}, func(s *setting) { s.edit("a", "AAAA") },
			func(s *setting) { s.rename("a", "b") }, actions{"b": Moved}, contents{"b": "AAAA"},
		},
		{
			"it was renamed since", contents{"a": "1"}, func(s *setting) { s.edit("a", "edit 1") },
			func(s *setting) { s.rename("a", "b") }, actions{"b": Moved}, contents{"b": "edit 1"},
		},
		{
			"it was deleted since", contents{"a": "1"}, func(s *setting) { s.edit("a", "edit 1") },
			func(s *setting) { s.remove("a"); s.options.Delete = true }, actions{"a": Removed}, contents{},
		},
		{
			"a file that was found by its name was edited since", contents{},
			func(s *setting) { s.put("a", "theirs"); s.edit("a", "edit 1!") },
			func(s *setting) { s.edit("a", "edit no 2") }, actions{"a": Updated}, contents{"a": "edit no 2"},
		},
		{
			"a record without content was filled, and edited since", contents{},
			func(s *setting) { s.insert("a", "", false); s.edit("a", "AAAA") },
			func(s *setting) { s.edit("a", "BBBB") }, actions{"a": Updated}, contents{"a": "BBBB"},
		},
		{
			"somebody else's version of the same size came after it", contents{"a": "1"},
			func(s *setting) { s.edit("a", "AAAA") },
			func(s *setting) { s.store(s.at(s.t, "a"), "CCCC"); s.edit("a", "BBBB") },
			actions{"a": Conflict}, contents{"a": "CCCC", "a (local copy)": "BBBB"},
		},
		{
			"somebody else's version of a new file came after it", contents{},
			func(s *setting) { s.edit("a", "AAAA") },
			func(s *setting) { s.store(s.at(s.t, "a"), "CCCC"); s.edit("a", "BBBB") },
			actions{"a": Conflict}, contents{"a": "CCCC", "a (local copy)": "BBBB"},
		},
	} {
		for settles, end := range map[string]func(s *setting){
			"killed":           func(s *setting) { s.killedPush() },
			"nobody waited":    func(s *setting) { s.settle = -1; s.push() },
			"killed two times": func(s *setting) { s.killedPush(); s.killedPush() },
		} {
			inBubble(t, test.rule+", "+settles, func(t *testing.T) {
				s := given(t, test.matter)
				s.pull()
				test.sent(s)
				end(s)
				s.settle = given(t, nil).settle
				test.change(s)
				assert.Equal(t, test.action, s.push())
				assert.Equal(t, test.tree, s.tree())
				s.atRest(s.push)
				s.pull()
				s.atRest(s.pull)
			})
		}
	}
}

// A file of which nobody knows whether it was alike is compared, whatever its
// size says.
func TestAFileThatWasNeverNotedIsComparedByContent(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, mine string
		action     Action
	}{
		{"the same content", "AAAA", Kept},
		{"another content of the same size", "BBBB", Conflict},
		{"another content", "BBBBB", Conflict},
	} {
		inBubble(t, test.rule, func(t *testing.T) {
			s := given(t, contents{"a": "AAAA"})
			s.pull()
			e := s.noted()["a"]
			s.note(Entry{Path: "a", FileID: e.FileID, Made: 1})
			s.edit("a", test.mine)
			s.options.DryRun = true
			assert.Equal(t, actions{"a": test.action}, s.push())
			s.options.DryRun = false
			assert.Equal(t, actions{"a": test.action}, s.push())
			s.atRest(s.push)
		})
	}
}

// note writes an entry of the manifest.
func (s *setting) note(e Entry) {
	s.t.Helper()
	root, err := os.OpenRoot(s.dir)
	require.NoError(s.t, err)
	defer func() { assert.NoError(s.t, root.Close()) }()
	m, err := Open(root, matter)
	require.NoError(s.t, err)
	require.NoError(s.t, m.Set(e))
	require.NoError(s.t, m.Close())
}

package mirror

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Nothing is sent that could not be noted.
func TestAManifestThatCanOnlyBeReadIsRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule     string
		readOnly error
		dryRun   bool
		refused  error
	}{
		{"it can be written", nil, false, nil},
		{"it can only be read", os.ErrPermission, false, os.ErrPermission},
		{"nothing is to be noted", os.ErrPermission, true, nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			u := &upload{run: &run{Options: Options{DryRun: test.dryRun}}, manifest: &Manifest{readOnly: test.readOnly}}
			assert.ErrorIs(t, u.writable(), test.refused)
		})
	}
}

// Where the local file cannot get another name, its change would become another document at
// each call.
func TestAConflictOfATreeThatCannotBeChangedIsOnlyTold(t *testing.T) {
	t.Parallel()
	for rule, deletes := range map[string]bool{"": false, "with deletions": true} {
		inBubble(t, rule, func(t *testing.T) {
			s := given(t, contents{"a.txt": "1"})
			s.options.Delete = deletes
			options := PushOptions{Options: s.options, Settle: s.settle, ManifestDir: t.TempDir()}
			options.Result = s.told
			push := func() map[string]Action {
				s.results = nil
				outcome, err := Push(t.Context(), s, os.DirFS(s.dir), options)
				require.NoError(t, err)
				return s.actions(outcome)
			}
			s.edit("a.txt", "1")
			push()
			s.store(s.at(t, "a.txt"), "theirs")
			s.edit("a.txt", "mine")
			for range 3 {
				assert.Equal(t, actions{"a.txt": Conflict}, push())
				assert.Equal(t, contents{"a.txt": "theirs"}, s.tree())
				assert.Equal(t, contents{"a.txt": "mine"}, s.local())
			}
		})
	}
}

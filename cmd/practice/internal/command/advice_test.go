package command

import (
	"testing"

	"github.com/stretchr/testify/assert"

	practice "github.com/practicesdk/practice-go"
)

// TestAdviceRepeatsTheFlagsThatChooseTheFirm would otherwise look at the wrong
// firm for a write that may have been executed.
func TestAdviceRepeatsTheFlagsThatChooseTheFirm(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		profile, sandbox, look, want string
	}{
		{"", "", "practice memos list M", "practice memos list M"},
		{"office", "", "practice memos list M", "practice memos list M --profile office"},
		{"", inMemory, "practice memos list M", "practice memos list M --sandbox"},
		{"", "my firm", "practice memos list M", "practice memos list M --sandbox='my firm'"},
	} {
		a := &app{profile: row.profile, sandbox: row.sandbox, wrote: written{class: practice.OperationCreate, look: row.look}}
		assert.Equal(t, "It is unknown whether the service executed the write. Before you repeat it, run "+row.want+" to check.", a.lookFirst(nil))
	}
}

// TestTheCommandThatLooksReadsWhatWasWritten finds one for the writes below a
// record, too.
func TestTheCommandThatLooksReadsWhatWasWritten(t *testing.T) {
	t.Parallel()
	root := &app{}
	root.command()
	looks := 0
	for _, o := range root.operations {
		if o.Class == practice.OperationRead {
			continue
		}
		k := &call{app: root, operation: o}
		look := k.looking([]string{"a b", "it's", "$(x)", "d"})
		assert.NotContains(t, look, "$(x) ", "%s: %s", o.ID, look)
		if look != "" {
			looks++
		}
	}
	assert.Greater(t, looks, 100)
	for id, want := range map[string]string{
		"createMemo": "practice memos list m", "patchMatter": "practice matters get m", "cancelCharge": "practice subscriptions get-charge m 'b c'",
	} {
		for _, o := range root.operations {
			if o.ID == id {
				assert.Equal(t, want, (&call{app: root, operation: o}).looking([]string{"m", "b c"}))
			}
		}
	}
}

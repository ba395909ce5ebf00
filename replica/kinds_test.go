package replica

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestEachKindIsThatOfItsOperations(t *testing.T) {
	t.Parallel()
	kinds, err := chosen(Kinds())
	require.NoError(t, err)
	for _, k := range kinds {
		assert.Equal(t, k.list, k.listing.ID, k.name)
		assert.Equal(t, k.get, k.reading.ID, k.name)
		if k.get != "" { // or its form would change with each read
			assert.Equal(t, k.listing.Answer, k.reading.Answer, k.name)
		}
	}
}

func TestAChosenKindBringsItsParents(t *testing.T) {
	t.Parallel()
	kinds, err := chosen([]string{"subtasks", "fees"})
	require.NoError(t, err)
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	assert.Equal(t, []string{"matters", "tasks", "fees", "subtasks"}, names)
	_, err = chosen([]string{"letters"})
	require.ErrorContains(t, err, `"letters"`)
	usual, err := chosen(nil)
	require.NoError(t, err)
	for _, k := range usual {
		assert.False(t, k.off, k.name)
	}
}

// A read by id shows the same record as the list: otherwise each would look
// like a change after the other.
func TestAReadByIDHasWhatTheListHas(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	c := copyOf(t, server.Client(t), Options{Kinds: Kinds()})
	require.NoError(t, c.Sync(t.Context()))
	before, err := c.LastChange(t.Context())
	require.NoError(t, err)
	w, release, err := c.write(t.Context())
	require.NoError(t, err)
	defer release()
	r := &round{writer: w}
	require.NoError(t, r.begin(t.Context()))
	for _, k := range c.kinds {
		if k.get == "" {
			continue
		}
		var q question
		row := c.store.Row(t.Context(), `SELECT id, sent, parent FROM copy_records WHERE kind = ? AND NOT deleted ORDER BY id LIMIT 1`, k.name)
		require.NoError(t, row.Scan(&q.id, &q.sent, &q.parent), k.name)
		require.NoError(t, r.ask(t.Context(), k, q, ""), k.name)
	}
	changes, err := c.Changes(t.Context(), before, 100)
	require.NoError(t, err)
	assert.Empty(t, changes)
}

func TestColumnsAreNamedForSQL(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]string{"matterId": "matter_id", "utbmsTaskCode": "utbms_task_code", "ID": "id", "phone2": "phone2", "isUTBMSEnabled": "is_utbmsenabled"} {
		assert.Equal(t, want, snake(member))
	}
	kinds, err := chosen(Kinds())
	require.NoError(t, err)
	for _, k := range kinds {
		seen := map[string]bool{"id": true, "version": true, "changed": true, "deleted": true, "record": true}
		for _, c := range k.columns {
			name := strings.ToLower(c.name)
			assert.False(t, seen[name], "%s.%s", k.name, name)
			seen[name] = true
		}
	}
}

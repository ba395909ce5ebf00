package replica

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAnErasedRecordDoesNotComeBack(t *testing.T) {
	t.Parallel()
	onlyInFiles(t)
	server := practicetest.New(t)
	file := filepath.Join(t.TempDir(), "firm.db")
	db := openDB(t, file)
	c, err := Open(t.Context(), db, server.Client(t), Options{Kinds: []string{"contacts"}})
	require.NoError(t, err)
	id := server.AddContact(models.ContactWrite{Company: models.CompanyWrite{Name: "Quicksilver Holdings"}})
	require.NoError(t, c.Sync(t.Context()))
	require.Contains(t, stored(t, c), "contacts "+id)

	require.NoError(t, c.Erase(t.Context(), "contacts", id))
	for _, name := range []string{file, file + "-wal"} {
		content, err := os.ReadFile(name)
		if err == nil {
			assert.NotContains(t, string(content), "Quicksilver", name)
			assert.NotContains(t, string(content), id, name)
		}
	}
	require.NoError(t, c.Hint(t.Context(), eventOf(t, "contact.updated", id, "")))
	require.NoError(t, c.Sync(t.Context()))
	require.NotContains(t, stored(t, c), "contacts "+id)
	changes, err := c.Changes(t.Context(), 0, 1000)
	require.NoError(t, err)
	for _, change := range changes {
		assert.NotEqual(t, id, change.ID)
	}
	status, err := c.Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, status[0].Erased)

	require.NoError(t, c.Unerase(t.Context(), "contacts", id))
	require.NoError(t, c.Hint(t.Context(), eventOf(t, "contact.updated", id, "")))
	require.NoError(t, c.Sync(t.Context()))
	require.Contains(t, stored(t, c), "contacts "+id)
	require.ErrorIs(t, c.Erase(t.Context(), "letters", id), ErrUnknownKind)
}

// The lists below an erased record are asked no more, and its id is removed with
// them.
func TestTheIDOfAnErasedRecordRemainsInNoList(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c, err := Open(t.Context(), openDB(t, filepath.Join(t.TempDir(), "firm.db")), server.Client(t), Options{Kinds: []string{"fees"}})
	require.NoError(t, err)
	require.NoError(t, c.Sync(t.Context()))
	id := server.Firm().MatterID
	require.NoError(t, c.Erase(t.Context(), "matters", id))
	require.NoError(t, c.Sync(t.Context()))
	var lists int
	require.NoError(t, c.store.Row(t.Context(), `SELECT count(*) FROM copy_lists WHERE parent = ?`, id).Scan(&lists))
	assert.Zero(t, lists)
}

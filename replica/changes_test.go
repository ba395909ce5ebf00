package replica

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestChangesAreReadInTheirOrderUntilTheyAreTooOld(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"contacts"}, Retention: 24 * time.Hour})
	require.NoError(t, c.Sync(t.Context()))
	last, err := c.LastChange(t.Context())
	require.NoError(t, err)
	all, err := c.Changes(t.Context(), 0, 1000)
	require.NoError(t, err)
	require.NotEmpty(t, all)
	assert.Equal(t, last, all[len(all)-1].Number)
	rest, err := c.Changes(t.Context(), all[2].Number, 2)
	require.NoError(t, err)
	assert.Equal(t, all[3:5], rest)

	server.Clock().Advance(25 * time.Hour)
	id := server.AddContact(models.ContactWrite{Company: models.CompanyWrite{Name: "Harbour Ltd"}})
	require.NoError(t, c.Sync(t.Context()))
	_, err = c.Changes(t.Context(), 0, 1000)
	require.ErrorIs(t, err, ErrTooOld)
	rest, err = c.Changes(t.Context(), last, 1000)
	require.NoError(t, err)
	require.Len(t, rest, 1)
	assert.Equal(t, ChangeOf{last + 1, "contacts", id, Created, rest[0].At}, rest[0])
}

// The numbers of a file that was rebuilt begin again.
func TestANumberThatWasNeverGivenIsRefused(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"contacts"}, Retention: 24 * time.Hour})
	_, err := c.Changes(t.Context(), 1, 10)
	require.ErrorIs(t, err, ErrTooOld)
	id := server.AddContact(models.ContactWrite{Company: models.CompanyWrite{Name: "Harbour Ltd"}})
	require.NoError(t, c.Sync(t.Context()))
	last, err := c.LastChange(t.Context())
	require.NoError(t, err)
	valid := func(why string) {
		t.Helper()
		all, err := c.Changes(t.Context(), last, 10)
		require.NoError(t, err, why)
		assert.Empty(t, all, why)
		_, err = c.Changes(t.Context(), last+1, 10)
		require.ErrorIs(t, err, ErrTooOld, why)
		again, err := c.LastChange(t.Context())
		require.NoError(t, err)
		assert.Equal(t, last, again, why)
	}
	valid("the last one")
	all, err := c.Changes(t.Context(), last-1, 10)
	require.NoError(t, err)
	require.NoError(t, c.Erase(t.Context(), "contacts", all[0].ID))
	require.NoError(t, c.Erase(t.Context(), "contacts", id))
	valid("the last one was erased")
	server.Clock().Advance(25 * time.Hour)
	require.NoError(t, c.Sync(t.Context()))
	valid("all were removed")
}

// A reader does not wait for the end of a transaction of the writer.
func TestReadersDoNotWaitForTheWriter(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"groups"}})
	require.NoError(t, c.Sync(t.Context()))
	want, err := c.LastChange(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.store.transact(t.Context(), func(tx *transaction) error {
		require.NoError(t, tx.run(`INSERT INTO changes (kind, id, what, at) VALUES ('groups', 'a', 'created', 1)`))
		got, err := c.LastChange(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, got)
		changes, err := c.Changes(t.Context(), 0, 100)
		require.NoError(t, err)
		assert.Len(t, changes, int(want))
		_, err = c.Status(t.Context())
		require.NoError(t, err)
		assert.NotEmpty(t, stored(t, c))
		return nil
	}))
}

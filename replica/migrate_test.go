package replica

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// A copy that a version without migrations has made is opened unchanged: its
// tables are in testdata, and its records are those of the service.
func TestACopyOfAnEarlierVersionIsOpenedUnchanged(t *testing.T) {
	t.Parallel()
	onlyInFiles(t)
	server := practicetest.New(t, small...)
	options := Options{Kinds: []string{"fees", "contacts"}}
	db := openDB(t, filepath.Join(t.TempDir(), "firm.db"))
	tables, err := os.ReadFile(filepath.Join("testdata", "before_migrations.sql"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), string(tables))
	require.NoError(t, err)
	c, err := Open(t.Context(), db, server.Client(t), options)
	require.NoError(t, err)
	changes, err := c.Changes(t.Context(), 6, 10)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	assert.Equal(t, int64(7), changes[0].Number)
	assert.Contains(t, stored(t, c), "fees 1a")
	require.NoError(t, c.Sync(t.Context()))
	require.NoError(t, c.Sync(t.Context()))
	changes, err = c.Changes(t.Context(), 7, 10)
	require.NoError(t, err)
	assert.Equal(t, int64(12), changes[0].Number, "numbers up to 11 were used")
	erased, err := c.store.read(t.Context()).erased("contacts", "2b")
	require.NoError(t, err)
	assert.True(t, erased, "the key of the hashes is that of the copy")
}

func TestACopyOfANewerVersionIsRefusedAndUnharmed(t *testing.T) {
	t.Parallel()
	onlyInFiles(t)
	server := practicetest.New(t, small...)
	file := filepath.Join(t.TempDir(), "firm.db")
	db := openDB(t, file)
	c, err := Open(t.Context(), db, server.Client(t), Options{Kinds: []string{"groups"}})
	require.NoError(t, err)
	require.NoError(t, c.Sync(t.Context()))
	_, err = db.ExecContext(t.Context(), `INSERT INTO copy_version (version_id, is_applied) VALUES (1000, 1); PRAGMA wal_checkpoint(TRUNCATE)`)
	require.NoError(t, err)
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	_, err = Open(t.Context(), db, server.Client(t), Options{Kinds: []string{"groups", "fees"}})
	require.ErrorIs(t, err, ErrNewer)
	_, err = db.ExecContext(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`)
	require.NoError(t, err)
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, before, after)
}

func TestProcessesThatOpenAtOnceHaveOneCopy(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	file := filepath.Join(t.TempDir(), "firm.db")
	var all sync.WaitGroup
	for range 8 {
		db, client := openDB(t, file), server.Client(t)
		all.Go(func() {
			c, err := Open(t.Context(), db, client, Options{Kinds: []string{"groups"}})
			if assert.NoError(t, err) {
				assert.NoError(t, c.Sync(t.Context()))
			}
		})
	}
	all.Wait()
	var sources, keys int
	db := openDB(t, file)
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*), count(nullif(secret, '')) FROM copy_source`).Scan(&sources, &keys))
	assert.Equal(t, []int{1, 1}, []int{sources, keys})

	// In a transaction that began earlier, the row of another process cannot be seen.
	_, err := db.ExecContext(t.Context(), `INSERT INTO copy_source SELECT * FROM copy_source`)
	require.Error(t, err)
}

// A copy that is opened again waits for no report, and no report for it.
func TestAnOpenCopyIsOpenedAgainWithoutAChange(t *testing.T) {
	t.Parallel()
	onlyInFiles(t)
	server := practicetest.New(t, small...)
	db := openDB(t, filepath.Join(t.TempDir(), "firm.db"))
	var versions [3]int
	for i, kinds := range [][]string{{"groups"}, {"groups"}, {"groups", "staff"}} {
		_, err := Open(t.Context(), db, server.Client(t), Options{Kinds: kinds})
		require.NoError(t, err)
		require.NoError(t, db.QueryRowContext(t.Context(), `PRAGMA schema_version`).Scan(&versions[i]))
	}
	assert.Equal(t, versions[0], versions[1])
	assert.Greater(t, versions[2], versions[1])
}

func TestADatabaseThatCannotBeReachedIsNoUnknownOne(t *testing.T) {
	t.Parallel()
	db := openDB(t, filepath.Join(t.TempDir(), "firm.db"))
	require.NoError(t, db.Close())
	_, err := Open(t.Context(), db, practicetest.New(t).Client(t), Options{})
	require.ErrorContains(t, err, "cannot connect to the database")
	assert.NotContains(t, err.Error(), "neither")
}

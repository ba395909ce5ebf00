package database

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const schema = `CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL) STRICT`

func open(t *testing.T, file string) *DB {
	t.Helper()
	db, err := Open(t.Context(), file, schema)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func notes(t *testing.T, db *DB) (n int) {
	t.Helper()
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*) FROM notes`).Scan(&n))
	return n
}

func TestATransactionIsWholeOrNotThere(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "odd name?#%20.db")
	db := open(t, file)
	broken := errors.New("broken")
	write := func(then error) func(*sql.Tx) error {
		return func(tx *sql.Tx) error {
			_, err := tx.ExecContext(t.Context(), `INSERT INTO notes VALUES ('x')`)
			require.NoError(t, err)
			return then
		}
	}
	require.NoError(t, db.Transact(t.Context(), write(nil)))
	require.ErrorIs(t, db.Transact(t.Context(), write(broken)), broken)
	assert.Equal(t, 1, notes(t, db))
	assert.Equal(t, 1, notes(t, open(t, file)), "others see it, and the tables are made once")

	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestWhatIsNoDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), t.TempDir(), schema)
	require.Error(t, err, "a directory")
	text := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(text, make([]byte, 8192), 0o600))
	_, err = Open(t.Context(), text, "nonsense")
	require.Error(t, err, "tables that cannot be made")
}

// SQLite has a name of its own for a database in memory, which nobody would
// find again.
func TestEveryNameIsThatOfAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	pool, err := connect(":memory:", "immediate")
	require.NoError(t, err)
	_, err = pool.ExecContext(t.Context(), "CREATE TABLE kept (id)")
	require.NoError(t, err)
	require.NoError(t, pool.Close())
	info, err := os.Stat(":memory:")
	require.NoError(t, err)
	assert.Positive(t, info.Size())
}

// A run that comes by a link meets the holder of the file.
func TestALinkIsHeldWithItsFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file.db"), filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(file, link))
	for _, exists := range []bool{false, true} {
		release, err := Hold(t.Context(), link)
		require.NoError(t, err)
		_, err = Hold(t.Context(), file)
		require.ErrorIs(t, err, ErrHeld, exists)
		require.NoError(t, release())
		open(t, file)
	}
}

func TestAFileHasOneHolderAndManyReaders(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "odd name?#%20.db")
	db := open(t, file)
	release, err := Hold(t.Context(), file)
	require.NoError(t, err)
	_, err = Hold(t.Context(), file)
	require.ErrorIs(t, err, ErrHeld)
	assert.Equal(t, 0, notes(t, db), "it can be read meanwhile")
	require.NoError(t, release())
	release, err = Hold(t.Context(), file)
	require.NoError(t, err)
	require.NoError(t, release())

	_, err = Hold(t.Context(), filepath.Join(t.TempDir(), "no", "folder"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

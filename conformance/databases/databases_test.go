package databases_test

import (
	"database/sql"
	"path/filepath"
	"testing"
	"testing/synctest"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver for PostgreSQL
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver for SQLite, in pure Go
)

// place is an empty database of one test. Each pool is that of a process.
type place struct {
	driver, source string
	numbered       bool
}

// pool opens a database like a process of its own.
func (p place) pool(t *testing.T, connections int) *sql.DB {
	t.Helper()
	db, err := sql.Open(p.driver, p.source)
	require.NoError(t, err)
	db.SetMaxOpenConns(connections)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// kinds lists what makes an empty database.
var kinds = map[string]func(t *testing.T) place{
	"SQLite":                          func(t *testing.T) place { return sqlite(t, false) },
	"SQLite with numbers":             func(t *testing.T) place { return sqlite(t, true) },
	"PostgreSQL":                      func(t *testing.T) place { return postgresPlace(t, "read committed") },
	"PostgreSQL, always serializable": func(t *testing.T) place { return postgresPlace(t, "serializable") },
}

func sqlite(t *testing.T, numbered bool) place {
	t.Helper()
	path := filepath.ToSlash(filepath.Join(t.TempDir(), "app.db"))
	return place{"sqlite", "file:" + path + "?_pragma=busy_timeout(60000)&_pragma=journal_mode(wal)&_txlock=immediate", numbered}
}

// onEach runs a test with each kind of database.
func onEach(t *testing.T, test func(t *testing.T, p place)) {
	t.Helper()
	for kind, empty := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			test(t, empty(t))
		})
	}
}

// inBubbles is like onEach, in virtual time.
func inBubbles(t *testing.T, test func(t *testing.T, p place)) {
	t.Helper()
	onEach(t, func(t *testing.T, p place) {
		synctest.Test(t, func(t *testing.T) { test(t, p) })
	})
}

package replica

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // driver
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite" // driver

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/postgrestest"
)

func TestMain(m *testing.M) {
	if os.Getenv(victim) == "" {
		goleak.VerifyTestMain(m)
		return
	}
	if err := syncFile(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// openDB opens a database as the documentation says.
func openDB(t testing.TB, file string) *sql.DB {
	t.Helper()
	db, err := databaseOf(file)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// databaseOf opens a file, or the schema of PostgreSQL that stands for it.
func databaseOf(file string) (*sql.DB, error) {
	if server := (&postgrestest.Server{Dir: os.Getenv(overPostgres)}); server.Dir != "" {
		schema := fmt.Sprintf("copy_%x", sha256.Sum256([]byte(file)))[:40]
		db, err := sql.Open("pgx", server.Source(schema, "repeatable read"))
		if err != nil {
			return nil, err
		}
		_, err = db.ExecContext(context.Background(), "CREATE SCHEMA IF NOT EXISTS "+schema)
		return db, err
	}
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(20000)", "journal_mode(wal)", "synchronous(off)"}}
	return sql.Open("sqlite", "file:"+url.PathEscape(file)+"?"+settings.Encode())
}

// copyOf returns the copy of a service in a new database.
func copyOf(t testing.TB, client *practice.Client, options Options) *Copy {
	t.Helper()
	c, err := Open(t.Context(), openDB(t, filepath.Join(t.TempDir(), "copy #1?.db")), client, options)
	require.NoError(t, err)
	return c
}

// stored returns the JSON of the records that are not deleted, by kind and id.
func stored(t testing.TB, c *Copy) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, k := range c.kinds {
		rows, err := c.store.DB.QueryContext(t.Context(), `SELECT id, record FROM `+k.name)
		require.NoError(t, err)
		for rows.Next() {
			var id, text string
			require.NoError(t, rows.Scan(&id, &text))
			all[k.name+" "+id] = text
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	return all
}

// served returns the same of the service, by its lists.
func served(t testing.TB, c *Copy) map[string]string {
	t.Helper()
	all := map[string]string{}
	parents := map[string][]string{}
	r := &round{writer: &writer{Copy: c}}
	for _, k := range c.kinds {
		lists := []string{""}
		if k.below != "" {
			lists = parents[k.below]
		}
		for _, parent := range lists {
			for text, err := range r.records(t.Context(), k, list{sent: parent}, true) {
				require.NoError(t, err, k.name)
				found, err := k.decode(text, parent)
				require.NoError(t, err)
				if !found.deleted {
					parents[k.name] = append(parents[k.name], found.id)
					all[k.name+" "+found.key] = found.text
				}
			}
		}
	}
	return all
}

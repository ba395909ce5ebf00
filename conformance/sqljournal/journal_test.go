// Package sqljournal tests the journal of package once/oncesql in a real
// database.
package sqljournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite" // the driver, in pure Go

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/journaltest"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/once/oncesql"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// database opens a file like a separate process, with its own pool.
func database(t *testing.T, path string, connections int) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=busy_timeout(60000)&_pragma=journal_mode(wal)")
	require.NoError(t, err)
	db.SetMaxOpenConns(connections)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func opened(t *testing.T, db *sql.DB, options oncesql.Options) *oncesql.Journal {
	t.Helper()
	journal, err := oncesql.Open(t.Context(), db, options)
	require.NoError(t, err)
	return journal
}

func TestATableIsAJournal(t *testing.T) {
	t.Parallel()
	for name, connections := range map[string]int{"one connection": 1, "some connections": 4} {
		for style, numbered := range map[string]bool{"question marks": false, "numbers": true} {
			t.Run(name+", "+style, func(t *testing.T) {
				t.Parallel()
				journaltest.Run(t, func(t *testing.T) journaltest.Place {
					path := filepath.Join(t.TempDir(), "journal.db")
					return func(t *testing.T) (once.Journal, func()) {
						db := database(t, path, connections)
						return opened(t, db, oncesql.Options{Numbered: numbered, Table: "creates"}), func() { require.NoError(t, db.Close()) }
					}
				})
			})
		}
	}
}

func TestATableHasAPlainName(t *testing.T) {
	t.Parallel()
	db := database(t, filepath.Join(t.TempDir(), "journal.db"), 1)
	for _, name := range []string{"a b", `"a"`, "a;b", "1a", "%"} {
		_, err := oncesql.Open(t.Context(), db, oncesql.Options{Table: name})
		require.ErrorContains(t, err, "no name of a table")
	}
}

func never(context.Context, once.Intent) ([]string, error) { return nil, errors.New("nobody looks") }

func creates(counter *atomic.Int64) func(context.Context, once.Intent) (string, error) {
	return func(context.Context, once.Intent) (string, error) { return fmt.Sprint("record ", counter.Add(1)), nil }
}

func TestTwoProcessesCreateOneRecordForAKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	var calls sync.WaitGroup
	var created atomic.Int64
	for range 2 {
		journal := opened(t, database(t, path, 2), oncesql.Options{})
		for range 3 {
			for key := range 5 {
				calls.Go(func() {
					id, err := once.Do(t.Context(), journal, fmt.Sprint("key ", key), creates(&created), never)
					assert.NoError(t, err)
					assert.NotEmpty(t, id)
				})
			}
		}
	}
	calls.Wait()
	assert.Equal(t, int64(5), created.Load())
}

// TestAKeyOfAProcessThatWasKilledIsTakenOver closes the database of a holder,
// so that its lease is no longer extended.
func TestAKeyOfAProcessThatWasKilledIsTakenOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "journal.db")
		dying := database(t, path, 1)
		killed := opened(t, dying, oncesql.Options{})
		release, err := killed.Hold(t.Context(), "key")
		require.NoError(t, err)
		defer release()
		require.NoError(t, killed.Store(t.Context(), "key", once.Entry{}, once.Entry{Intent: once.Intent{ResourceID: "r", At: time.Now()}}))
		require.NoError(t, dying.Close())

		began := time.Now()
		journal := opened(t, database(t, path, 1), oncesql.Options{})
		id, err := once.Do(t.Context(), journal, "key", func(context.Context, once.Intent) (string, error) {
			return "", errors.New("nothing is created again")
		}, func(context.Context, once.Intent) ([]string, error) { return []string{"1"}, nil })
		require.NoError(t, err)
		assert.Equal(t, "1", id)
		assert.GreaterOrEqual(t, time.Since(began), oncesql.DefaultLease)
		assert.Less(t, time.Since(began), 2*oncesql.DefaultLease)
	})
}

func TestAHolderThatLivesKeepsItsKeyForManyLeases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "journal.db")
		holder, other := opened(t, database(t, path, 1), oncesql.Options{}), opened(t, database(t, path, 1), oncesql.Options{})
		release, err := holder.Hold(t.Context(), "key")
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 20*oncesql.DefaultLease)
		defer cancel()
		_, err = other.Hold(ctx, "key")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		release()
		release, err = other.Hold(t.Context(), "key")
		require.NoError(t, err)
		release()
	})
}

// TestRowsOfTheCallerAreThereWithTheID checks that both are committed, or
// neither.
func TestRowsOfTheCallerAreThereWithTheID(t *testing.T) {
	t.Parallel()
	db := database(t, filepath.Join(t.TempDir(), "journal.db"), 1)
	_, err := db.ExecContext(t.Context(), `CREATE TABLE billed (fee TEXT)`)
	require.NoError(t, err)
	plain := opened(t, db, oncesql.Options{})
	var created atomic.Int64
	full := errors.New("the disk is full")
	broken := true
	journal := plain.With(func(ctx context.Context, tx *sql.Tx, id string) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO billed VALUES (?)`, id); err != nil || !broken {
			return err
		}
		return full
	})
	rows := func() (n int) {
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM billed`).Scan(&n))
		return n
	}
	id, err := once.Do(t.Context(), journal, "key", creates(&created), never)
	require.ErrorIs(t, err, full)
	assert.Equal(t, "record 1", id, "the record is there, and its id known")
	assert.Zero(t, rows())
	entry, err := journal.Load(t.Context(), "key")
	require.NoError(t, err)
	assert.False(t, entry.IsZero(), "the intent was committed before, and is not rolled back")
	assert.Empty(t, entry.ID)

	broken = false
	for range 2 {
		id, err = once.Do(t.Context(), journal, "key", creates(&created), func(context.Context, once.Intent) ([]string, error) { return []string{"record 1"}, nil })
		require.NoError(t, err)
		assert.Equal(t, "record 1", id)
		assert.Equal(t, 1, rows())
	}
	assert.Equal(t, int64(1), created.Load())
}

// TestAnOvertakenHolderRemovesNoIntent checks a process that stands still
// during its create: another one takes over the key and creates the record
// again, and then the first create is refused.
func TestAnOvertakenHolderRemovesNoIntent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "journal.db")
		first, second := database(t, path, 1), opened(t, database(t, path, 1), oncesql.Options{})
		var created atomic.Int64
		nothing := func(context.Context, once.Intent) ([]string, error) { return nil, nil }
		stopped := stoppable{Journal: opened(t, first, oncesql.Options{})}
		_, err := once.Do(t.Context(), &stopped, "key", func(context.Context, once.Intent) (string, error) {
			id, err := once.Do(t.Context(), second, "key", func(ctx context.Context, intent once.Intent) (string, error) {
				require.NoError(t, stopped.late(ctx, intent))
				return creates(&created)(ctx, intent)
			}, nothing, once.CreateAgain(), once.SearchLimit(0))
			require.NoError(t, err)
			assert.Equal(t, "record 1", id)
			return "", &practice.Error{StatusCode: 400}
		}, nothing)
		require.ErrorIs(t, err, once.ErrOvertaken)
		id, err := once.Do(t.Context(), second, "key", creates(&created), nothing)
		require.NoError(t, err)
		assert.Equal(t, "record 1", id)
		assert.Equal(t, int64(1), created.Load())
	})
}

// stoppable is a journal whose holds end at once, as after a lease without a
// sign of life.
type stoppable struct{ *oncesql.Journal }

func (s *stoppable) Hold(context.Context, string) (func(), error) { return func() {}, nil }

// late removes the intent of the first attempt, as a Do whose create was
// refused.
func (s *stoppable) late(ctx context.Context, intent once.Intent) error {
	intent.Attempt = 0
	if err := s.Store(ctx, "key", once.Entry{Intent: intent}, once.Entry{}); !errors.Is(err, once.ErrOvertaken) {
		return fmt.Errorf("removed the intent of its successor: %w", err)
	}
	return nil
}

// TestATableOfAnEarlierVersionIsCarriedOn opens a table that was written before
// attempts were counted and ids compared without case.
func TestATableOfAnEarlierVersionIsCarriedOn(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "journal-1.sql"))
	require.NoError(t, err)
	for _, numbered := range []bool{false, true} {
		db := database(t, filepath.Join(t.TempDir(), "journal.db"), 4)
		_, err = db.ExecContext(t.Context(), string(text))
		require.NoError(t, err)
		var journals [3]*oncesql.Journal
		var opens sync.WaitGroup
		for i := range journals {
			opens.Go(func() {
				journal, err := oncesql.Open(t.Context(), db, oncesql.Options{Numbered: numbered, Lease: time.Millisecond})
				assert.NoError(t, err)
				journals[i] = journal
			})
		}
		opens.Wait()
		journaltest.CarriesOn(t, journals[0])
		journaltest.CarriesOn(t, opened(t, db, oncesql.Options{Numbered: numbered, Lease: time.Millisecond}))
	}
}

// TestATableWhoseKeysHaveOneRecordIsRefused checks that the error says what to
// do.
func TestATableWhoseKeysHaveOneRecordIsRefused(t *testing.T) {
	t.Parallel()
	db := database(t, filepath.Join(t.TempDir(), "journal.db"), 1)
	text, err := os.ReadFile(filepath.Join("testdata", "journal-1.sql"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), string(text)+`INSERT INTO once_entries VALUES('other','r','2026-11-27T21:00:00Z','a0e1b2c3-0000-4000-8000-00000000ab01');`)
	require.NoError(t, err)
	_, err = oncesql.Open(t.Context(), db, oncesql.Options{})
	require.ErrorIs(t, err, once.ErrFormat)
	require.ErrorContains(t, err, "a0e1b2c3-0000-4000-8000-00000000ab01: delete the row")
	_, err = db.ExecContext(t.Context(), `DELETE FROM once_entries WHERE entry_key = 'other'`)
	require.NoError(t, err)
	journaltest.CarriesOn(t, opened(t, db, oncesql.Options{Lease: time.Millisecond}))
}

// TestADatabaseThatFailsCreatesNothing checks that without an intent there is
// no create.
func TestADatabaseThatFailsCreatesNothing(t *testing.T) {
	t.Parallel()
	db := database(t, filepath.Join(t.TempDir(), "journal.db"), 1)
	journal := opened(t, db, oncesql.Options{})
	require.NoError(t, testDrop(t, db, "once_entries"))
	_, err := once.Do(t.Context(), journal, "key", func(context.Context, once.Intent) (string, error) {
		t.Error("a create was sent")
		return "", &practice.Error{StatusCode: 400}
	}, never)
	require.Error(t, err)
	require.NoError(t, testDrop(t, db, "once_entries_holds"))
	_, err = journal.Hold(t.Context(), "key")
	require.Error(t, err)
}

func testDrop(t *testing.T, db *sql.DB, table string) error {
	t.Helper()
	_, err := db.ExecContext(t.Context(), "DROP TABLE "+table)
	return err
}

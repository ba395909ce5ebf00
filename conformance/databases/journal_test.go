package databases_test

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
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth/authsql"
	"github.com/practicesdk/practice-go/internal/journaltest"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/once/oncesql"
)

// journal opens the journal like a process of its own.
func (p place) journal(t *testing.T, connections int, options oncesql.Options) *oncesql.Journal {
	t.Helper()
	options.Numbered = p.numbered
	journal, err := oncesql.Open(t.Context(), p.pool(t, connections), options)
	require.NoError(t, err)
	return journal
}

func TestATableIsAJournal(t *testing.T) {
	t.Parallel()
	for kind, empty := range kinds {
		for _, connections := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, %d connections", kind, connections), func(t *testing.T) {
				t.Parallel()
				journaltest.Run(t, func(t *testing.T) journaltest.Place {
					p := empty(t)
					return func(t *testing.T) (once.Journal, func()) {
						db := p.pool(t, connections)
						journal, err := oncesql.Open(t.Context(), db, oncesql.Options{Numbered: p.numbered, Table: "creates"})
						require.NoError(t, err)
						return journal, func() { require.NoError(t, db.Close()) }
					}
				})
			})
		}
	}
}

func TestATableOfAJournalHasAPlainName(t *testing.T) {
	t.Parallel()
	db := sqlite(t, false).pool(t, 1)
	for _, name := range []string{"a b", `"a"`, "a;b", "1a", "%"} {
		_, err := oncesql.Open(t.Context(), db, oncesql.Options{Table: name})
		require.ErrorContains(t, err, "not a valid table name")
	}
}

func never(context.Context, once.Intent) ([]string, error) { return nil, errors.New("nobody looks") }

func creates(counter *atomic.Int64) func(context.Context, once.Intent) (string, error) {
	return func(context.Context, once.Intent) (string, error) { return fmt.Sprint("record ", counter.Add(1)), nil }
}

func TestTwoProcessesCreateOneRecordForAKey(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p place) {
		var calls sync.WaitGroup
		var created atomic.Int64
		for range 2 {
			journal := p.journal(t, 2, oncesql.Options{})
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
	})
}

// TestAKeyOfAProcessThatWasKilledIsTakenOver closes the database of a holder,
// so that its lease is no longer extended.
func TestAKeyOfAProcessThatWasKilledIsTakenOver(t *testing.T) {
	t.Parallel()
	inBubbles(t, func(t *testing.T, p place) {
		dying := p.pool(t, 1)
		killed, err := oncesql.Open(t.Context(), dying, oncesql.Options{Numbered: p.numbered})
		require.NoError(t, err)
		release, err := killed.Hold(t.Context(), "key")
		require.NoError(t, err)
		defer release()
		require.NoError(t, killed.Store(t.Context(), "key", once.Entry{}, once.Entry{Intent: once.Intent{ResourceID: "r", At: time.Now()}}))
		require.NoError(t, dying.Close())

		began := time.Now()
		journal := p.journal(t, 1, oncesql.Options{})
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
	inBubbles(t, func(t *testing.T, p place) {
		holder, other := p.journal(t, 1, oncesql.Options{}), p.journal(t, 1, oncesql.Options{})
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
	onEach(t, func(t *testing.T, p place) {
		db := p.pool(t, 1)
		_, err := db.ExecContext(t.Context(), `CREATE TABLE billed (fee TEXT)`)
		require.NoError(t, err)
		var created atomic.Int64
		full := errors.New("the disk is full")
		broken := true
		journal := p.journal(t, 1, oncesql.Options{}).With(func(ctx context.Context, tx *sql.Tx, id string) error {
			if _, err := tx.ExecContext(ctx, `INSERT INTO billed VALUES ('`+id+`')`); err != nil || !broken {
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
	})
}

// TestAnOvertakenHolderRemovesNoIntent checks a process that stands still
// during its create: another one takes over the key and creates the record
// again, and then the first create is refused.
func TestAnOvertakenHolderRemovesNoIntent(t *testing.T) {
	t.Parallel()
	inBubbles(t, func(t *testing.T, p place) {
		second := p.journal(t, 1, oncesql.Options{})
		var created atomic.Int64
		nothing := func(context.Context, once.Intent) ([]string, error) { return nil, nil }
		stopped := stoppable{Journal: p.journal(t, 1, oncesql.Options{})}
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

// earlier makes a table as it was written before attempts were counted and ids
// compared without case.
func (p place) earlier(t *testing.T, more string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "journal-1.sql"))
	require.NoError(t, err)
	p.exec(t, string(text)+more)
}

func (p place) exec(t *testing.T, statements string) {
	t.Helper()
	_, err := p.pool(t, 1).ExecContext(t.Context(), statements)
	require.NoError(t, err)
}

func TestATableOfAnEarlierVersionIsCarriedOn(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p place) {
		p.earlier(t, "")
		short := oncesql.Options{Numbered: p.numbered, Lease: time.Millisecond}
		var opens sync.WaitGroup
		for range 3 {
			db := p.pool(t, 4)
			opens.Go(func() { assert.NoError(t, testkit.Discard(oncesql.Open(t.Context(), db, short))) })
		}
		opens.Wait()
		for range 2 {
			journaltest.CarriesOn(t, p.journal(t, 4, short))
		}
	})
}

// TestProcessesCreateTheTablesTogether begins many processes with an empty
// database.
func TestProcessesCreateTheTablesTogether(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p place) {
		var opens sync.WaitGroup
		for range 8 {
			db := p.pool(t, 2)
			opens.Go(func() {
				assert.NoError(t, testkit.Discard(oncesql.Open(t.Context(), db, oncesql.Options{Numbered: p.numbered})))
				assert.NoError(t, testkit.Discard(authsql.Open(t.Context(), db, authsql.Options{Numbered: p.numbered})))
			})
		}
		opens.Wait()
	})
}

// TestATableWhoseKeysHaveOneRecordIsRefused checks that the error says what to
// do.
func TestATableWhoseKeysHaveOneRecordIsRefused(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p place) {
		p.earlier(t, `INSERT INTO once_entries VALUES('other','r','2026-11-27T21:00:00Z','a0e1b2c3-0000-4000-8000-00000000ab01');`)
		_, err := oncesql.Open(t.Context(), p.pool(t, 1), oncesql.Options{Numbered: p.numbered})
		require.ErrorIs(t, err, once.ErrFormat)
		require.ErrorContains(t, err, "a0e1b2c3-0000-4000-8000-00000000ab01; delete the row")
		p.exec(t, `DELETE FROM once_entries WHERE entry_key = 'other'`)
		journaltest.CarriesOn(t, p.journal(t, 1, oncesql.Options{Lease: time.Millisecond}))
	})
}

// TestADatabaseThatFailsCreatesNothing checks that without an intent there is
// no create.
func TestADatabaseThatFailsCreatesNothing(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p place) {
		journal := p.journal(t, 1, oncesql.Options{})
		p.exec(t, `DROP TABLE once_entries`)
		_, err := once.Do(t.Context(), journal, "key", func(context.Context, once.Intent) (string, error) {
			t.Error("a create was sent")
			return "", &practice.Error{StatusCode: 400}
		}, never)
		require.Error(t, err)
		p.exec(t, `DROP TABLE once_entries_holds`)
		_, err = journal.Hold(t.Context(), "key")
		require.Error(t, err)
	})
}

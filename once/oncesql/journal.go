// Package oncesql stores the journal of the once package in a database. You
// choose the driver: the statements are plain SQL that SQLite and PostgreSQL
// accept.
//
// Your own rows are written in the same transaction as the record's id, so that
// neither exists without the other. No transaction is open during a request:
//
//	journal, err := oncesql.Open(ctx, db, oncesql.Options{})
//	…
//	id, err := once.Do(ctx, journal.With(func(ctx context.Context, tx *sql.Tx, id string) error {
//		_, err := tx.ExecContext(ctx, `INSERT INTO billed (line, fee) VALUES (?, ?)`, line, id)
//		return err
//	}), key, create, find)
//
// With SQLite, open the database with a busy timeout; otherwise, a statement
// fails with SQLITE_BUSY while another connection writes. Use immediate
// transactions, because your own transactions may read before they write. Use a
// single connection, so that the statements of a process run in order instead
// of starving each other. With the driver modernc.org/sqlite:
//
//	db, err := sql.Open("sqlite", "file:app.db?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_txlock=immediate")
//	…
//	db.SetMaxOpenConns(1)
//
// If the transaction fails, the record exists but its id is not stored. The
// next Do then looks for the record.
package oncesql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/sqltable"
	"github.com/practicesdk/practice-go/once"
)

// DefaultTable is the name of the table with the entries.
const DefaultTable = "once_entries"

// Options configure a Journal. The zero value is ready to use.
type Options struct {
	// Table is the name of the table with the entries; empty means
	// DefaultTable. A second table has the same name followed by _holds. Open
	// creates missing tables.
	Table string
	// Numbered uses the placeholders $1 and $2, for PostgreSQL, instead of
	// question marks.
	Numbered bool
	// Lease is the time after which another process may take over a key that
	// its holder, which may have been killed, no longer renews; 0 means
	// DefaultLease.
	Lease time.Duration
}

// Journal is a once.Journal and a once.Holder in a database, for any number of
// processes. Keys have at most 255 bytes. The table must compare keys
// case-sensitively, as SQLite and PostgreSQL do by default.
type Journal struct {
	table sqltable.Table
	lease time.Duration
	write func(ctx context.Context, tx *sql.Tx, id string) error
}

// Open returns the journal in a database. It creates missing tables, and adds
// what tables of earlier versions lack, which only their owner can do. If the
// keys of a journal can no longer be distinguished, it returns once.ErrFormat.
// The caller closes the database.
func Open(ctx context.Context, db *sql.DB, options Options) (*Journal, error) {
	table, err := sqltable.Open(db, cmp.Or(options.Table, DefaultTable), options.Numbered)
	if err != nil {
		return nil, fmt.Errorf("oncesql: %w", err)
	}
	j := &Journal{table: table, lease: options.Lease}
	if j.lease <= 0 {
		j.lease = DefaultLease
	}
	return j, j.prepare(ctx)
}

// prepare creates the tables, or completes them.
func (j *Journal) prepare(ctx context.Context) error {
	err := j.table.Create(ctx,
		`CREATE TABLE IF NOT EXISTS % (entry_key VARCHAR(255) PRIMARY KEY, resource_id VARCHAR(64) NOT NULL, noted_at VARCHAR(64) NOT NULL, record_id VARCHAR(255) UNIQUE, attempt INTEGER NOT NULL DEFAULT 0)`,
		`CREATE TABLE IF NOT EXISTS %_holds (entry_key VARCHAR(255) PRIMARY KEY, holder VARCHAR(64) NOT NULL, beat BIGINT NOT NULL)`)
	if err != nil {
		return err
	}
	if !j.countsAttempts(ctx) {
		if _, err := j.exec(ctx, `ALTER TABLE % ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0`); err != nil && !j.countsAttempts(ctx) {
			return err
		} // otherwise another process has added it
	}
	name := j.table.Name[strings.LastIndex(j.table.Name, ".")+1:]
	index := `CREATE UNIQUE INDEX IF NOT EXISTS %_ids ON ` + name + ` (LOWER(record_id))`
	if j.table.Numbered { // PostgreSQL takes the schema from the table, and SQLite from the index
		index = `CREATE UNIQUE INDEX IF NOT EXISTS ` + name + `_ids ON % (LOWER(record_id))`
	}
	if err = j.table.Create(ctx, index); err == nil {
		return nil
	}
	var twice string
	if j.table.Row(ctx, `SELECT LOWER(record_id) FROM % WHERE record_id IS NOT NULL GROUP BY LOWER(record_id) HAVING COUNT(*) > 1`).Scan(&twice) == nil {
		return fmt.Errorf("%w: two keys in %s refer to the same record, %s; delete the row of the key that did not create the record: %w", once.ErrFormat, j.table.Name, twice, err)
	}
	return err
}

// countsAttempts reports whether the table has the column that tables of
// earlier versions lack.
func (j *Journal) countsAttempts(ctx context.Context) bool {
	err := j.table.Row(ctx, `SELECT attempt FROM % WHERE 1 = 0`).Scan(new(int))
	return errors.Is(err, sql.ErrNoRows)
}

// With returns a journal with a function that writes the caller's rows. The
// function is called in the transaction that stores the id of the record; if it
// returns an error, both are rolled back. It must use tx and not the database
// itself. It is called again if the database asks for another attempt, as
// PostgreSQL does for serializable transactions.
func (j *Journal) With(write func(ctx context.Context, tx *sql.Tx, id string) error) *Journal {
	with := *j
	with.write = write
	return &with
}

func (j *Journal) exec(ctx context.Context, text string, args ...any) (int64, error) {
	return j.table.Exec(ctx, j.table.DB, text, args...)
}

// Load returns the entry of a key.
func (j *Journal) Load(ctx context.Context, key string) (once.Entry, error) {
	var (
		entry once.Entry
		at    string
		id    sql.NullString
	)
	row := j.table.Row(ctx, `SELECT resource_id, noted_at, attempt, record_id FROM % WHERE entry_key = ?`, key)
	err := row.Scan(&entry.Intent.ResourceID, &at, &entry.Intent.Attempt, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return once.Entry{}, nil
	}
	if err == nil {
		entry.ID = id.String
		entry.Intent.At, err = time.Parse(time.RFC3339Nano, at)
	}
	return entry, err
}

// Owner returns the key whose entry has the id, ignoring case.
func (j *Journal) Owner(ctx context.Context, id string) (key string, err error) {
	err = j.table.Row(ctx, `SELECT entry_key FROM % WHERE LOWER(record_id) = LOWER(?)`, id).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return key, err
}

// Store stores an entry of Do, as described for once.Journal.
func (j *Journal) Store(ctx context.Context, key string, old, entry once.Entry) error {
	err := sqltable.Again(func() error { return j.store(ctx, key, old, entry) })
	if err == nil {
		return nil
	}
	return j.explained(ctx, key, entry, err)
}

// store stores an id together with the rows of the caller. The transaction
// begins with a write, so that it need not be upgraded from reading to writing.
func (j *Journal) store(ctx context.Context, key string, old, entry once.Entry) error {
	if entry.ID == "" || j.write == nil {
		return j.replace(ctx, j.table.DB, key, old, entry)
	}
	tx, err := j.table.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	if err := j.replace(ctx, tx, key, old, entry); err != nil {
		return err
	}
	if err := j.write(ctx, tx, entry.ID); err != nil {
		return err
	}
	return tx.Commit()
}

// replace changes the row of a key that has the entry old, without an id.
func (j *Journal) replace(ctx context.Context, on sqltable.Executor, key string, old, entry once.Entry) error {
	const where = ` WHERE entry_key = ? AND resource_id = ? AND attempt = ? AND record_id IS NULL AND ? = ''`
	is := []any{key, old.Intent.ResourceID, old.Intent.Attempt, old.ID}
	id := sql.NullString{String: entry.ID, Valid: entry.ID != ""}
	values := []any{entry.Intent.ResourceID, entry.Intent.At.UTC().Format(time.RFC3339Nano), entry.Intent.Attempt, id}
	statement, args := `UPDATE % SET resource_id = ?, noted_at = ?, attempt = ?, record_id = ?`+where, append(values, is...)
	switch {
	case entry.IsZero():
		statement, args = `DELETE FROM %`+where, is
	case old.IsZero():
		statement, args = `INSERT INTO % (resource_id, noted_at, attempt, record_id, entry_key) VALUES (?, ?, ?, ?, ?)`, append(values, key)
	}
	changed, err := j.table.Exec(ctx, on, statement, args...)
	if err == nil && changed == 0 {
		return once.ErrOvertaken
	}
	return err
}

// Forget removes the entry of a key if the entry has this id, ignoring case,
// and keeps the rows that a function of With stored. The next Do creates the
// record again. Call Forget after a late failure, when the service accepted the
// record but did not create it.
func (j *Journal) Forget(ctx context.Context, key, id string) error {
	if id == "" {
		return once.ErrEmptyID
	}
	_, err := j.exec(ctx, `DELETE FROM % WHERE entry_key = ? AND LOWER(record_id) = LOWER(?)`, key, id)
	return err
}

// explained adds the reason to an error of a failed Store. Databases report the
// same failure in many forms, so it reads the current entry. If that is the new
// one, stored by this or another process, it returns nil.
func (j *Journal) explained(ctx context.Context, key string, entry once.Entry, err error) error {
	there, unread := j.Load(ctx, key)
	switch {
	case unread != nil:
		return errors.Join(err, unread)
	case there.Equal(entry):
		return nil
	case entry.ID == "" && !there.IsZero():
		return errors.Join(err, once.ErrOvertaken)
	case entry.ID == "":
		return err
	}
	if owner, unread := j.Owner(ctx, entry.ID); unread == nil && owner != "" {
		return errors.Join(once.ErrClaimed, err)
	}
	return err
}

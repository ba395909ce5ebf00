// Package oncesql keeps the journal of package once in a database. The caller
// chooses the driver: the statements are plain SQL for SQLite and PostgreSQL.
//
// The rows of the caller are written in the same transaction as the id of the
// record, so that neither exists without the other. No transaction is open
// during a request:
//
//	journal, err := oncesql.Open(ctx, db, oncesql.Options{})
//	…
//	id, err := once.Do(ctx, journal.With(func(ctx context.Context, tx *sql.Tx, id string) error {
//		_, err := tx.ExecContext(ctx, `INSERT INTO billed (line, fee) VALUES (?, ?)`, line, id)
//		return err
//	}), key, create, find)
//
// If that transaction fails, the record exists but its id is not stored: the
// next Do looks for the record.
package oncesql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/once"
)

// DefaultTable is the name of the table with the entries.
const DefaultTable = "once_entries"

// ErrOvertaken reports that another process has taken over the key, because
// this one did not show a sign of life for longer than its lease. Call Do
// again.
var ErrOvertaken = errors.New("oncesql: another process has gone on with the key")

// Options configure a Journal. The zero value is ready to use.
type Options struct {
	// Table is the name of the table with the entries; empty means
	// DefaultTable. A second table has the same name followed by _holds. Open
	// creates missing tables.
	Table string
	// Numbered uses the placeholders $1 and $2, for PostgreSQL, in place of
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
	db       *sql.DB
	table    string
	numbered bool
	lease    time.Duration
	write    func(ctx context.Context, tx *sql.Tx, id string) error
}

// Open returns the journal in a database. The caller closes the database.
func Open(ctx context.Context, db *sql.DB, options Options) (*Journal, error) {
	j := &Journal{db: db, table: options.Table, numbered: options.Numbered, lease: options.Lease}
	if j.table == "" {
		j.table = DefaultTable
	}
	if j.lease <= 0 {
		j.lease = DefaultLease
	}
	if !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`).MatchString(j.table) {
		return nil, fmt.Errorf("oncesql: %q is no name of a table", j.table)
	}
	for _, table := range []string{
		`CREATE TABLE IF NOT EXISTS % (entry_key VARCHAR(255) PRIMARY KEY, resource_id VARCHAR(64) NOT NULL, noted_at VARCHAR(64) NOT NULL, record_id VARCHAR(255) UNIQUE)`,
		`CREATE TABLE IF NOT EXISTS %_holds (entry_key VARCHAR(255) PRIMARY KEY, holder VARCHAR(64) NOT NULL, beat BIGINT NOT NULL)`,
	} {
		if _, err := j.exec(ctx, db, table); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// With returns a journal with a function that writes rows of the caller. The
// function is called in the transaction that stores the id of the record; if it
// returns an error, both are rolled back. It must use tx and not the database
// itself.
func (j *Journal) With(write func(ctx context.Context, tx *sql.Tx, id string) error) *Journal {
	with := *j
	with.write = write
	return &with
}

// statement inserts the name of the table for % and numbers the placeholders.
func (j *Journal) statement(text string) string {
	text = strings.ReplaceAll(text, "%", j.table)
	for n := 1; j.numbered && strings.Contains(text, "?"); n++ {
		text = strings.Replace(text, "?", "$"+strconv.Itoa(n), 1)
	}
	return text
}

// exec executes a statement in a database or a transaction and returns the
// number of changed rows.
func (j *Journal) exec(ctx context.Context, on interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, text string, args ...any) (int64, error) {
	result, err := on.ExecContext(ctx, j.statement(text), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Load returns the entry of a key.
func (j *Journal) Load(ctx context.Context, key string) (once.Entry, error) {
	var (
		entry once.Entry
		at    string
		id    sql.NullString
	)
	row := j.db.QueryRowContext(ctx, j.statement(`SELECT resource_id, noted_at, record_id FROM % WHERE entry_key = ?`), key)
	err := row.Scan(&entry.Intent.ResourceID, &at, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return once.Entry{}, nil
	}
	if err == nil {
		entry.ID = id.String
		entry.Intent.At, err = time.Parse(time.RFC3339Nano, at)
	}
	return entry, err
}

// Owner returns the key whose entry has the id.
func (j *Journal) Owner(ctx context.Context, id string) (key string, err error) {
	err = j.db.QueryRowContext(ctx, j.statement(`SELECT entry_key FROM % WHERE record_id = ?`), id).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return key, err
}

// Store stores an entry of Do. It returns ErrOvertaken if the current entry is
// not the one that Do knows: an intent replaces no other intent, an id must
// belong to its intent, and an entry with an id is final.
func (j *Journal) Store(ctx context.Context, key string, entry once.Entry) error {
	var err error
	switch {
	case entry.IsZero():
		_, err = j.exec(ctx, j.db, `DELETE FROM % WHERE entry_key = ? AND record_id IS NULL`, key)
		return err
	case entry.ID == "":
		_, err = j.exec(ctx, j.db, `INSERT INTO % (entry_key, resource_id, noted_at) VALUES (?, ?, ?)`, key,
			entry.Intent.ResourceID, entry.Intent.At.UTC().Format(time.RFC3339Nano))
	default:
		err = j.finish(ctx, key, entry)
	}
	if err == nil {
		return nil
	}
	return j.explained(ctx, key, entry, err)
}

// Forget removes the entry of a key, also one with an id, and leaves the rows
// that a function of With stored. The next Do creates the record again. Call it
// after a late failure: the service accepted the record and did not create it.
func (j *Journal) Forget(ctx context.Context, key string) error {
	_, err := j.exec(ctx, j.db, `DELETE FROM % WHERE entry_key = ?`, key)
	return err
}

// finish stores an id together with the rows of the caller. The transaction
// begins with a write, so that it need not be upgraded from reading to writing.
func (j *Journal) finish(ctx context.Context, key string, entry once.Entry) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	changed, err := j.exec(ctx, tx, `UPDATE % SET record_id = ? WHERE entry_key = ? AND resource_id = ? AND record_id IS NULL`,
		entry.ID, key, entry.Intent.ResourceID)
	switch {
	case err != nil:
		return err
	case changed == 0:
		return ErrOvertaken
	}
	if j.write != nil {
		if err := j.write(ctx, tx, entry.ID); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// explained adds the reason to an error of a failed Store. Databases report the
// same failure in many forms, so it reads the current entry. If the id is
// stored already, by this or another process, it returns nil.
func (j *Journal) explained(ctx context.Context, key string, entry once.Entry, err error) error {
	there, unread := j.Load(ctx, key)
	switch {
	case unread != nil:
		return errors.Join(err, unread)
	case entry.ID == "" && !there.IsZero():
		return errors.Join(err, ErrOvertaken)
	case entry.ID == "":
		return err
	case there.ID == entry.ID:
		return nil
	}
	if owner, unread := j.Owner(ctx, entry.ID); unread == nil && owner != "" {
		return errors.Join(once.ErrClaimed, err)
	}
	return err
}

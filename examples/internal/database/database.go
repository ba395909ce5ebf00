// Package database is the SQLite file of a program that must lose nothing when it
// is killed.
package database

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"

	_ "modernc.org/sqlite" // the driver, in pure Go
)

// DB is a database that processes of one machine may share.
type DB struct{ *sql.DB }

// Open opens a database file and brings its tables about. Nobody else can read a
// file that it makes.
func Open(ctx context.Context, file, schema string) (*DB, error) {
	// Made first, because SQLite would let everybody read it.
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the caller names it
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	settings := url.Values{
		"_txlock": {"immediate"}, // a transaction that reads first must not find itself too late to write
		"_pragma": {"busy_timeout(20000)", "journal_mode(wal)", "synchronous(full)"},
	}
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: url.PathEscape(file), RawQuery: settings.Encode()}).String())
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1) // SQLite has one writer at a time; here they queue up fairly
	db := &DB{pool}
	if err := db.Transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, schema)
		return err
	}); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return db, nil
}

// Transact commits what do does, or nothing of it.
func (d *DB) Transact(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

package main

import (
	"context"
	"database/sql"
	"net/url"
	"os"

	_ "modernc.org/sqlite" // the driver, in pure Go
)

// schema holds a copy of who is related to whom, and what must be written in one
// transaction with it: which events took effect, and of when each contact is.
// How late the service may repeat an event is not specified, so none is deleted.
const schema = `
CREATE TABLE IF NOT EXISTS events (
	number    INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of the transactions
	identity  TEXT NOT NULL UNIQUE,
	type      TEXT NOT NULL,
	account   TEXT NOT NULL,
	resource  TEXT NOT NULL,
	timestamp INTEGER NOT NULL,
	outcome   TEXT NOT NULL,
	process   INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS contacts (
	account   TEXT NOT NULL,
	id        TEXT NOT NULL,
	timestamp INTEGER NOT NULL, -- of the newest event that took effect
	changes   INTEGER NOT NULL, -- events that took effect
	overtaken INTEGER NOT NULL, -- events that came after a newer one
	PRIMARY KEY (account, id)
) STRICT;
CREATE TABLE IF NOT EXISTS relations (
	account TEXT NOT NULL,
	contact TEXT NOT NULL,
	related TEXT NOT NULL,
	PRIMARY KEY (account, contact, related)
) STRICT;
CREATE TABLE IF NOT EXISTS settings (
	name  TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
) STRICT;`

// database is the copy. Processes on one machine may share it; on several, the
// same statements do with a database server.
type database struct{ *sql.DB }

func openDatabase(ctx context.Context, file string) (*database, error) {
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
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: url.PathEscape(file), RawQuery: settings.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // SQLite has one writer at a time; here they queue up fairly
	d := &database{db}
	if err := d.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, schema)
		return err
	}); err != nil {
		_ = db.Close()
		return nil, err
	}
	return d, nil
}

// transact commits what it does, or nothing.
func (d *database) transact(ctx context.Context, do func(*sql.Tx) error) error {
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

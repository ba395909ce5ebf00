package main

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // SQLite driver in pure Go
)

// openDatabase opens or creates an SQLite file and its tables. Several
// processes of one machine may share it. Other users cannot read it.
func openDatabase(ctx context.Context, file, schema string) (*sql.DB, error) {
	file, err := filepath.Abs(file) // also treats ":memory:" as a file name
	if err != nil {
		return nil, err
	}
	// SQLite would create a file that everybody can read. An existing file is
	// not opened here, because closing it would release the locks that this
	// process holds on it.
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) //nolint:gosec // the caller names it
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(20000)", "journal_mode(wal)", "synchronous(full)"}}
	db, err := sql.Open("sqlite", "file:"+url.PathEscape(file)+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // SQLite has one writer at a time, so transactions queue up here
	err = transact(ctx, db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, schema)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// transact runs do in a transaction, which is committed only if do succeeds.
func transact(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

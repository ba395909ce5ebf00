// Package database is the SQLite file of a program that must lose nothing when
// it is killed.
package database

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite" // the driver, in pure Go
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/practicesdk/practice-go/internal/atomicfile"
)

// DB is a database that processes of one machine may share.
type DB struct{ *sql.DB }

// ErrHeld reports that another process holds a file.
var ErrHeld = errors.New("another run works with this file")

// Hold locks a database file for one process until release is called or the
// process ends, under any link to it. Others can read the file. The lock is on
// a second file, which SQLite releases when a process is killed.
func Hold(ctx context.Context, file string) (release func() error, err error) {
	lock, err := connect(atomicfile.Target(file)+".lock", "exclusive", "busy_timeout(0)")
	if err != nil {
		return nil, err
	}
	tx, err := lock.BeginTx(context.WithoutCancel(ctx), nil) // an interrupted program may still write
	if err == nil {
		return func() error { return errors.Join(tx.Rollback(), lock.Close()) }, nil
	}
	if busy, ok := errors.AsType[*sqlite.Error](err); ok && busy.Code()&0xff == sqlite3.SQLITE_BUSY {
		err = ErrHeld
	}
	return nil, errors.Join(err, lock.Close())
}

// Open opens or creates a database file and its tables. Other users cannot read
// a new file.
func Open(ctx context.Context, file, schema string) (*DB, error) {
	pool, err := connect(file, "immediate", "busy_timeout(20000)", "journal_mode(wal)", "synchronous(full)")
	if err != nil {
		return nil, err
	}
	db := &DB{pool}
	if err := db.Transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, schema)
		return err
	}); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return db, nil
}

// connect opens a file, whose transactions begin by taking a lock: one that
// reads first must not find itself too late to write.
func connect(file, lock string, pragmas ...string) (*sql.DB, error) {
	file, err := filepath.Abs(file) // ":memory:" is the name of a file as well
	if err != nil {
		return nil, err
	}
	// Made first, because SQLite would let everybody read it. One that is there
	// is not opened: closing it would end the locks that this process has on
	// it.
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) //nolint:gosec // the caller names it
	switch {
	case err == nil:
		err = f.Close()
	case errors.Is(err, fs.ErrExist):
		err = nil
	}
	if err != nil {
		return nil, err
	}
	settings := url.Values{"_txlock": {lock}, "_pragma": pragmas}
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: url.PathEscape(file), RawQuery: settings.Encode()}).String())
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1) // SQLite has one writer at a time; here they queue up fairly
	return pool, nil
}

// Transact runs do in a transaction.
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

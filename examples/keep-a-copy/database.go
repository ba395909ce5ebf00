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

// openDatabase opens or creates an SQLite file. Several
// processes of one machine may share it. Other users cannot read it.
func openDatabase(ctx context.Context, file string) (*sql.DB, error) {
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
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

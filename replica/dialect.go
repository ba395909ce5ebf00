package replica

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/pressly/goose/v3/database"
)

// dialect holds what differs between the databases.
type dialect struct {
	versions  database.Dialect
	isolation *sql.TxOptions
	lock      string // begins a transaction
	changes   string // creates the table of changes
	columns   string // names of the columns of a table
	types     map[form]string
	elements  string // rows of a JSON list
	joined    string // one text of several names
	time      string // time of a number of nanoseconds
	now       string // in seconds
}

// form is the form of a column.
type form int

const (
	asText form = iota
	asInteger
	asBool
	asAmount
	asExact // an amount in ten-thousandths, where an amount is a text
	asTime  // in UTC
	asJSON
)

// dialectOf asks a database which it is.
func dialectOf(ctx context.Context, db *sql.DB) (dialect, error) {
	if err := db.PingContext(ctx); err != nil { // otherwise it would pass for an unknown database
		return dialect{}, fmt.Errorf("replica: cannot connect to the database: %w", err)
	}
	var found string
	server := db.QueryRowContext(ctx, `SELECT coalesce(current_schema(), '') FROM pg_catalog.pg_settings WHERE name = 'server_version'`).Scan(&found)
	if server == nil && found == "" {
		return dialect{}, errors.New("replica: the first schema in the search path does not exist: create it, and name it in the address, as in search_path=firm_a")
	}
	if server == nil {
		return postgres(), nil
	}
	if file := db.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&found); file != nil {
		return dialect{}, fmt.Errorf("replica: the database is neither PostgreSQL nor SQLite: %w", errors.Join(server, file))
	}
	return sqlite(), nil
}

// numbered reports whether placeholders are $1 and $2.
func (d dialect) numbered() bool { return d.versions == database.DialectPostgres }

// columnsOf returns the columns that a kind has in this database.
func (d dialect) columnsOf(k *kind) (all []column) {
	for _, c := range k.columns {
		if d.types[c.form] != "" {
			all = append(all, c)
		}
	}
	return all
}

// Package sqltable executes statements on tables whose names a caller chose, in
// SQLite or PostgreSQL. In a statement % stands for the name of the table, and
// question marks for the arguments.
package sqltable

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)

// mostAttempts is the number of attempts to execute what PostgreSQL could not
// serialize.
const mostAttempts = 100

// Table is a table of a database, or several whose names begin alike.
type Table struct {
	DB       *sql.DB
	Name     string
	Numbered bool // whether placeholders are $1 and $2
}

// Open returns a table with a plain name. It creates nothing.
func Open(db *sql.DB, name string, numbered bool) (Table, error) {
	if !plainName.MatchString(name) {
		return Table{}, fmt.Errorf("%q is not a valid table name", name)
	}
	return Table{DB: db, Name: name, Numbered: numbered}, nil
}

// Create executes statements that change nothing when they are repeated. Two
// processes may create the same table at the same time, of which PostgreSQL
// refuses one.
func (t Table) Create(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		_, err := t.Exec(ctx, t.DB, statement)
		if err != nil {
			_, err = t.Exec(ctx, t.DB, statement)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Executor is a database or a transaction.
type Executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Exec executes a statement and returns the number of changed rows.
func (t Table) Exec(ctx context.Context, on Executor, text string, args ...any) (changed int64, err error) {
	do := func() error {
		result, err := on.ExecContext(ctx, t.Statement(text), args...)
		if err == nil {
			changed, err = result.RowsAffected()
		}
		return err
	}
	if on == Executor(t.DB) {
		err = Again(do)
	} else { // the caller repeats the transaction
		err = do()
	}
	return changed, err
}

// Again calls do until the database does not ask for another attempt. PostgreSQL
// asks for one if it cannot serialize transactions, or if they wait for each
// other.
func Again(do func() error) (err error) {
	for range mostAttempts {
		if err = do(); err == nil {
			return nil
		}
		state, has := errors.AsType[interface {
			error
			SQLState() string
		}](err)
		if !has || !strings.HasPrefix(state.SQLState(), "40") {
			return err
		}
	}
	return err
}

// Row returns the first row of a query.
func (t Table) Row(ctx context.Context, text string, args ...any) *sql.Row {
	return t.DB.QueryRowContext(ctx, t.Statement(text), args...)
}

// Statement returns the statement for the database.
func (t Table) Statement(text string) string {
	text = strings.ReplaceAll(text, "%", t.Name)
	for n := 1; t.Numbered && strings.Contains(text, "?"); n++ {
		text = strings.Replace(text, "?", "$"+strconv.Itoa(n), 1)
	}
	return text
}

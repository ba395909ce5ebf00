package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/database"
	"github.com/practicesdk/practice-go/models"
)

// schema holds the events, the rounds, and what each round changed: whoever
// works with the copy reads the changes by their number and meets each of them
// once.
const schema = `
CREATE TABLE IF NOT EXISTS events (
	id      TEXT PRIMARY KEY,
	subject TEXT NOT NULL,
	starts  TEXT NOT NULL,    -- clock time where it takes place
	zone    TEXT NOT NULL,
	updated INTEGER NOT NULL, -- ticks; 0 when the service does not say
	deleted INTEGER NOT NULL,
	listed  INTEGER NOT NULL, -- the last attempt that met it
	record  TEXT NOT NULL     -- all of it, as JSON
) STRICT;
CREATE TABLE IF NOT EXISTS rounds (
	number   INTEGER PRIMARY KEY AUTOINCREMENT,
	full     INTEGER NOT NULL,
	since    INTEGER NOT NULL, -- ticks that it asks for; 0 for all
	began    INTEGER NOT NULL, -- ticks, by the clock of the service
	finished INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS changes (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	round  INTEGER NOT NULL,
	event  TEXT NOT NULL,
	kind   TEXT NOT NULL -- new, changed or deleted
) STRICT;
CREATE TABLE IF NOT EXISTS source (
	service TEXT NOT NULL,   -- base address
	firm    TEXT NOT NULL,   -- its id; empty when the service does not tell
	attempt INTEGER NOT NULL -- counts the runs that began or went on with a round
) STRICT;`

// kind is the kind of change of an event.
type kind string

const (
	kindNew     kind = "new"
	kindChanged kind = "changed"
	kindDeleted kind = "deleted"
)

type calendarCopy struct {
	*database.DB
	release func() error
}

// openCopy opens the copy for one process.
func openCopy(ctx context.Context, file string) (*calendarCopy, error) {
	release, err := database.Hold(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	db, err := database.Open(ctx, file, schema)
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return &calendarCopy{db, release}, nil
}

// Close releases the copy for the next process.
func (c *calendarCopy) Close() error { return errors.Join(c.DB.Close(), c.release()) }

// reader is the copy, or a transaction on it.
type reader interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// missing reports whether the attempt has not met events of the copy, and
// refuses when they are too many to be deletions.
func (r round) missing(ctx context.Context, in reader) (bool, error) {
	var missing, present int
	err := in.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE listed <> ?), count(*) FROM events WHERE NOT deleted`, r.attempt).Scan(&missing, &present)
	if err == nil && missing > present/2 && !r.prune {
		err = errVanished
	}
	return missing > 0, err
}

// store applies a batch in one transaction.
func (c *calendarCopy) store(ctx context.Context, r round, batch []models.CalendarEvent) error {
	return c.transact(ctx, r, func(tx *sql.Tx) error {
		for i := range batch {
			if err := apply(ctx, tx, r, &batch[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// change is one of a round.
type change struct {
	kind                  kind
	subject, starts, zone string
}

// changes returns the changes of a round, and the number of events in the copy.
func (c *calendarCopy) changes(ctx context.Context, r round) (list []change, present, unchanged int, err error) {
	rows, err := c.QueryContext(ctx, `SELECT kind, subject, starts, zone FROM changes JOIN events ON id = event
		WHERE round = ? ORDER BY kind = 'deleted', kind = 'changed', number`, r.number)
	if err != nil {
		return nil, 0, 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one change
		if err := rows.Scan(&one.kind, &one.subject, &one.starts, &one.zone); err != nil {
			return nil, 0, 0, err
		}
		list = append(list, one)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, 0, err
	}
	err = c.QueryRowContext(ctx, `SELECT count(*), count(*) FILTER (WHERE id NOT IN (SELECT event FROM changes WHERE round = ?))
		FROM events WHERE NOT deleted`, r.number).Scan(&present, &unchanged)
	return list, present, unchanged, err
}

// ticks count from the year 1, as the service does; what has no time is 0.
func ticks(t time.Time) int64 {
	n, err := models.TicksOf(t)
	if err != nil {
		return 0
	}
	return int64(n)
}

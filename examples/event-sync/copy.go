package main

import (
	"context"
	"database/sql"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/database"
	"github.com/practicesdk/practice-go/models"
)

// schema holds the events, the rounds, and what each round changed: whoever works
// with the copy reads the changes by their number and meets each of them once.
const schema = `
CREATE TABLE IF NOT EXISTS events (
	id      TEXT PRIMARY KEY,
	subject TEXT NOT NULL,
	starts  TEXT NOT NULL,    -- clock time where it takes place
	zone    TEXT NOT NULL,
	updated INTEGER NOT NULL, -- ticks; 0 when the service does not say
	deleted INTEGER NOT NULL,
	listed  INTEGER NOT NULL, -- met by the full round that runs, or ran last
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
) STRICT;`

// kind is what became of an event of the copy.
type kind string

const (
	kindNew     kind = "new"
	kindChanged kind = "changed"
	kindDeleted kind = "deleted"
)

type calendarCopy struct{ *database.DB }

func openCopy(ctx context.Context, file string) (*calendarCopy, error) {
	db, err := database.Open(ctx, file, schema)
	if err != nil {
		return nil, err
	}
	return &calendarCopy{db}, nil
}

// missing is the events of the copy that the full round has not met.
func (c *calendarCopy) missing(ctx context.Context) (missing, present int, err error) {
	err = c.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE NOT listed), count(*) FROM events WHERE NOT deleted`).Scan(&missing, &present)
	return missing, present, err
}

// store applies a batch in one transaction.
func (c *calendarCopy) store(ctx context.Context, r round, batch []models.CalendarEvent) error {
	return c.Transact(ctx, func(tx *sql.Tx) error {
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

// changes are those of a round, and the number of events that are there.
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

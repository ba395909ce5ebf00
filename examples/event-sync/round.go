package main

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/models"
)

const (
	overlap   = 5 * time.Minute // for updates that become visible after their time, and clocks that differ
	fullEvery = 24 * time.Hour
	tick      = 100 * time.Nanosecond
)

// round is one run over the calendar, from its beginning to its end, by one or
// several processes.
type round struct {
	number  int64
	attempt int64 // of this process; what its walks meet bears the number
	full    bool
	prune   bool         // treat missing events as deleted
	since   models.Ticks // zero for all
	resumed bool         // an earlier process began it
}

// begin continues the interrupted round, or begins one. An interrupted full
// round starts over, since an event that it met may have vanished since.
func (c *calendarCopy) begin(ctx context.Context, from source, full bool) (r round, err error) {
	err = c.Transact(ctx, func(tx *sql.Tx) error {
		if r.attempt, err = attempt(ctx, tx, from); err != nil {
			return err
		}
		err := tx.QueryRowContext(ctx, `SELECT number, full, since FROM rounds WHERE NOT finished`).Scan(&r.number, &r.full, &r.since)
		switch {
		case err == nil:
			r.resumed = true
		case errors.Is(err, sql.ErrNoRows):
			if err := insertRound(ctx, tx, &r, from.now); err != nil {
				return err
			}
		default:
			return err
		}
		if r.full = r.full || full; !r.full {
			return nil
		}
		r.since = 0
		return execute(ctx, tx, `UPDATE rounds SET full = 1, since = 0 WHERE number = ?`, r.number)
	})
	return r, err
}

// transact writes for a round, unless another process has gone on with it.
func (c *calendarCopy) transact(ctx context.Context, r round, do func(*sql.Tx) error) error {
	return c.Transact(ctx, func(tx *sql.Tx) error {
		var latest int64
		if err := tx.QueryRowContext(ctx, `SELECT attempt FROM source`).Scan(&latest); err != nil {
			return err
		}
		if latest != r.attempt {
			return errTaken
		}
		return do(tx)
	})
}

// insertRound makes a round that follows the last one: a full one when the last
// full one is long ago. A mark that lies ahead is not trusted: the clock was
// set back, and updates have got earlier times than the mark.
func insertRound(ctx context.Context, tx *sql.Tx, r *round, now time.Time) error {
	var last, lastFull models.Ticks
	err := tx.QueryRowContext(ctx, `SELECT
		coalesce((SELECT began FROM rounds ORDER BY number DESC LIMIT 1), 0),
		coalesce((SELECT began FROM rounds WHERE full ORDER BY number DESC LIMIT 1), 0)`).Scan(&last, &lastFull)
	if err != nil {
		return err
	}
	age := now.Sub(lastFull.Time())
	r.full = lastFull.IsZero() || age >= fullEvery || age < 0 || last.Time().After(now)
	if !r.full {
		r.since = last - models.Ticks(overlap/tick)
	}
	return tx.QueryRowContext(ctx, `INSERT INTO rounds (full, since, began, finished) VALUES (?, ?, ?, 0) RETURNING number`,
		r.full, int64(r.since), ticks(now)).Scan(&r.number)
}

// finish marks events that a full round did not meet as deleted, and moves the
// mark. It counts in the transaction that deletes.
func (c *calendarCopy) finish(ctx context.Context, r round) error {
	return c.transact(ctx, r, func(tx *sql.Tx) error {
		if r.full {
			if _, err := r.missing(ctx, tx); err != nil {
				return err
			}
			err := execute(ctx, tx, `INSERT INTO changes (round, event, kind) SELECT ?, id, ? FROM events WHERE listed <> ? AND NOT deleted`,
				r.number, kindDeleted, r.attempt)
			if err != nil {
				return err
			}
			if err := execute(ctx, tx, `UPDATE events SET deleted = 1 WHERE listed <> ?`, r.attempt); err != nil {
				return err
			}
		}
		return execute(ctx, tx, `UPDATE rounds SET finished = 1 WHERE number = ?`, r.number)
	})
}

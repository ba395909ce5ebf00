package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/practicesdk/practice-go/models"
)

// stored is the state of an event in the copy.
type stored struct {
	updated int64
	deleted bool
	record  string
}

// apply updates one event of the copy and records the changes.
func apply(ctx context.Context, tx *sql.Tx, r round, event *models.CalendarEvent) error {
	record, err := json.Marshal(event)
	if err != nil {
		return err
	}
	now := stored{updated: ticks(event.LastUpdated.Time()), deleted: deleted(event), record: string(record)}
	var before stored
	err = tx.QueryRowContext(ctx, `SELECT updated, deleted, record FROM events WHERE id = ?`, event.ID).
		Scan(&before.updated, &before.deleted, &before.record)
	known := err == nil
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	case !known && now.deleted:
		return nil // it came and went between two rounds
	case known && (before == now || now.older(before)):
		return execute(ctx, tx, `UPDATE events SET listed = ? WHERE id = ?`, r.attempt, event.ID)
	}
	err = execute(ctx, tx, `INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE
		SET subject = ?2, starts = ?3, zone = ?4, updated = ?5, deleted = ?6, listed = ?7, record = ?8`,
		event.ID, event.Subject, event.StartTime.String(), event.TimeZone, now.updated, now.deleted, r.attempt, now.record)
	if err != nil || known && before.deleted && now.deleted {
		return err
	}
	return execute(ctx, tx, `INSERT INTO changes (round, event, kind) VALUES (?, ?, ?)`, r.number, event.ID, now.kindAfter(before, known))
}

// deleted reports whether a listed event is deleted. Its type comes in two
// members, and either may be filled in.
func deleted(event *models.CalendarEvent) bool {
	return event.IsDeleted.Or(false) || event.Type == models.CalendarEventTypeDeletedOccurrence ||
		event.EventType.Type() == models.CalendarEventTypeDeletedOccurrence
}

// older reports a state that a page showed late.
func (s stored) older(than stored) bool { return s.updated != 0 && s.updated < than.updated }

func (s stored) kindAfter(before stored, known bool) kind {
	switch {
	case !known, before.deleted:
		return kindNew
	case s.deleted:
		return kindDeleted
	}
	return kindChanged
}

func execute(ctx context.Context, tx *sql.Tx, statement string, args ...any) error {
	_, err := tx.ExecContext(ctx, statement, args...)
	return err
}

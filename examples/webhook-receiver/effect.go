package main

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// outcome is the effect of an event on the copy.
type outcome string

const (
	applied   outcome = "applied"   // the copy has the contact as it was read
	overtaken outcome = "overtaken" // a newer event of the contact was there
	repeated  outcome = "repeated"  // this very event was there
	noted     outcome = "noted"     // it is about nothing that is copied
)

// change is an event, as the database knows it.
type change struct {
	identity, kind, account, resource string
	timestamp                         models.Ticks
}

func changeOf[P any](e *webhook.Event[P]) change {
	return change{e.Identity(), string(e.Type), e.AccountID, e.ResourceID(), e.Timestamp}
}

// querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// place returns the effect that the event has now, or would have if q is not
// its transaction.
func (c change) place(ctx context.Context, q querier) (outcome, error) {
	var known bool
	var newest models.Ticks
	err := q.QueryRowContext(ctx, `SELECT
		EXISTS (SELECT 1 FROM events WHERE identity = ?),
		coalesce((SELECT timestamp FROM contacts WHERE account = ? AND id = ?), 0)`,
		c.identity, c.account, c.resource).Scan(&known, &newest)
	switch {
	case err != nil:
		return "", err
	case known:
		return repeated, nil
	case c.timestamp < newest:
		return overtaken, nil
	}
	return applied, nil
}

// apply commits the event and its effect in one transaction: both or neither,
// so that the effect happens once although the event may be handled twice. The
// time of the event is compared with that of the contact in there too: no event
// takes effect after a newer one, whichever process handles them.
func (d *copied) apply(ctx context.Context, c change, related []string) (did outcome, err error) {
	err = d.Transact(ctx, func(tx *sql.Tx) error {
		if did, err = c.place(ctx, tx); err != nil || did == repeated {
			return err
		}
		if err := c.insert(ctx, tx, did); err != nil {
			return err
		}
		if did == overtaken {
			return write(ctx, tx, `UPDATE contacts SET overtaken = overtaken + 1 WHERE account = ? AND id = ?`, c.account, c.resource)
		}
		return c.replace(ctx, tx, related)
	})
	return did, err
}

// note commits an event that has no effect on the copy.
func (d *copied) note(ctx context.Context, c change) (did outcome, err error) {
	did = noted
	err = d.Transact(ctx, func(tx *sql.Tx) error {
		place, err := c.place(ctx, tx)
		if err == nil && place == repeated {
			did = repeated
			return nil
		}
		return errors.Join(err, c.insert(ctx, tx, noted))
	})
	return did, err
}

func (c change) insert(ctx context.Context, tx *sql.Tx, did outcome) error {
	return write(ctx, tx, `INSERT INTO events (identity, type, account, resource, timestamp, outcome, process)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, c.identity, c.kind, c.account, c.resource, c.timestamp, did, os.Getpid())
}

// replace writes the contact as it was read.
func (c change) replace(ctx context.Context, tx *sql.Tx, related []string) error {
	err := errors.Join(
		write(ctx, tx, `INSERT INTO contacts VALUES (?1, ?2, ?3, 1, 0)
			ON CONFLICT DO UPDATE SET timestamp = ?3, changes = changes + 1`, c.account, c.resource, c.timestamp),
		write(ctx, tx, `DELETE FROM relations WHERE account = ? AND contact = ?`, c.account, c.resource))
	for _, id := range related {
		err = errors.Join(err, write(ctx, tx, `INSERT OR IGNORE INTO relations VALUES (?, ?, ?)`, c.account, c.resource, id))
	}
	return err
}

func write(ctx context.Context, tx *sql.Tx, statement string, args ...any) error {
	_, err := tx.ExecContext(ctx, statement, args...)
	return err
}

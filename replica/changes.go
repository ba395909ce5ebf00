package replica

import (
	"context"
	"errors"
	"time"
)

// ErrTooOld reports that changes were removed before the caller read them. The
// caller must call LastChange, read the tables again, and continue from that
// number.
var ErrTooOld = errors.New("replica: changes after this number were removed: read the tables anew")

// ChangeOf is a change of a record in the copy.
type ChangeOf struct {
	Number int64 // increases in the order of the transactions; never reused
	Kind   string
	ID     string // in lower case
	What   Change
	At     time.Time // time of the service at the beginning of the round that found the change
}

// Changes returns at most limit changes after a number, in order. It returns
// ErrTooOld if some of them were removed. Erased records have no changes.
func (c *Copy) Changes(ctx context.Context, after int64, limit int) ([]ChangeOf, error) {
	var all []ChangeOf
	err := c.store.transact(ctx, func(tx *transaction) error {
		var pruned int64
		if err := tx.row(`SELECT pruned FROM %_source`).Scan(&pruned); err != nil {
			return err
		}
		if after < pruned {
			return ErrTooOld
		}
		rows, err := tx.tx.QueryContext(ctx, `SELECT number, kind, id, what, at FROM changes WHERE number > ? ORDER BY number LIMIT ?`, after, limit)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var (
				one ChangeOf
				at  int64
			)
			if err := rows.Scan(&one.Number, &one.Kind, &one.ID, &one.What, &at); err != nil {
				return err
			}
			one.At = time.Unix(0, at).UTC()
			all = append(all, one)
		}
		return rows.Err()
	})
	return all, err
}

// LastChange returns the number of the last change, from which a reader of the
// tables continues. Call it before you read the tables.
func (c *Copy) LastChange(ctx context.Context) (number int64, err error) {
	err = c.store.DB.QueryRowContext(ctx, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)`).Scan(&number)
	return number, err
}

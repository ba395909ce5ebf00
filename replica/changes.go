package replica

import (
	"context"
	"errors"
	"time"
)

// ErrTooOld reports that changes were removed before the caller read them, or
// that the copy never assigned the caller's number, because it was rebuilt. The
// caller must call LastChange, read the tables again, and continue from that
// number.
var ErrTooOld = errors.New("replica: changes after this number were removed, or it was never assigned: read the tables again")

// ChangeOf is a change of a record in the copy.
type ChangeOf struct {
	Number int64 // increases in the order of the transactions; never reused
	Kind   string
	ID     string // in lower case
	What   Change
	At     time.Time // time of the service at the beginning of the round that found the change
}

// Changes returns at most limit changes after a number, in order. It returns
// ErrTooOld if some of them were removed, or if the number is higher than the
// last one. Erased records have no changes.
func (c *Copy) Changes(ctx context.Context, after int64, limit int) ([]ChangeOf, error) {
	rows, err := c.store.read(ctx).rows(`SELECT number, kind, id, what, at FROM changes WHERE number > ? ORDER BY number LIMIT ?`, after, limit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var all []ChangeOf
	for rows.Next() {
		var (
			one ChangeOf
			at  int64
		)
		if err := rows.Scan(&one.Number, &one.Kind, &one.ID, &one.What, &at); err != nil {
			return nil, err
		}
		one.At = time.Unix(0, at).UTC()
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var pruned int64 // read afterwards: what was removed in the meantime is missing above
	if err := c.store.Row(ctx, `SELECT pruned FROM %_source`).Scan(&pruned); err != nil {
		return nil, err
	}
	last, err := c.LastChange(ctx)
	if err != nil {
		return nil, err
	}
	if after < pruned || after > last {
		return nil, ErrTooOld
	}
	return all, nil
}

// LastChange returns the number of the last change, from which a reader of the
// tables continues. Call it before you read the tables.
func (c *Copy) LastChange(ctx context.Context) (number int64, err error) {
	var erased, pruned int64
	err = c.store.Row(ctx, `SELECT coalesce((SELECT max(number) FROM changes), 0), erased, pruned FROM %_source`).Scan(&number, &erased, &pruned)
	return max(number, erased, pruned), err
}

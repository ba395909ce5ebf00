package replica

import (
	"context"
	"errors"
	"fmt"

	practice "github.com/practicesdk/practice-go"
)

// ask reads a record by its id, and stores what follows. The hint is the id in
// the hint that led to it, or "". A record below one that the copy does not have,
// which a hint may name, is left to its list.
func (r *round) ask(ctx context.Context, k *kind, q question, hint string) error {
	number := r.next()
	found, err := r.readByID(ctx, k, q)
	if errors.Is(err, errNoParent) {
		return nil
	}
	if errors.Is(err, practice.ErrNotFound) {
		return r.store.write(ctx, func(tx *transaction) error {
			was, err := tx.known(k.name, q.id)
			if err != nil || was.hash == "" {
				return err // it was never seen: perhaps it is not visible yet
			}
			v := gone(was, number, hint != "")
			if v.ask {
				if err := tx.hint(k.name, hint, q.parent); err != nil {
					return err
				}
			}
			return tx.settle(k, q, v, r.now)
		})
	}
	if err != nil {
		return err
	}
	found.number, found.byID = number, true
	return r.store.write(ctx, func(tx *transaction) error {
		_, err := tx.see(k, &found, r.now)
		return err
	})
}

var errNoParent = errors.New("the copy does not contain the parent record")

// readByID requests a record by its id.
func (r *round) readByID(ctx context.Context, k *kind, q question) (record, error) {
	arguments := inPath(k.reading, q.sent)
	if k.below != "" {
		parent, err := r.sent(ctx, k.below, q.parent)
		if err != nil {
			return record{}, err
		}
		if parent == "" {
			return record{}, errNoParent
		}
		arguments = inPath(k.reading, parent, q.sent)
	}
	var text []byte
	if err := r.call(ctx, k.get, arguments, &text); err != nil {
		return record{}, err
	}
	found, err := k.decode(text, q.parent)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return found, err
}

// sent returns the id of a record as the service wrote it.
func (r *round) sent(ctx context.Context, kind, id string) (sent string, err error) {
	err = r.store.Row(ctx, `SELECT sent FROM %_records WHERE kind = ? AND id = ?`, kind, id).Scan(&sent)
	return sent, ignoreNoRows(err)
}

package replica

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"time"

	practice "github.com/practicesdk/practice-go"
)

const batch = 200 // records of a transaction

// ErrManyMissing reports that more than ten records, and more than half, were
// missing from a full walk of a list, perhaps because of a fault in the service or
// of missing permissions. Nothing is marked as deleted. With AllowMissing the
// records are read one by one, and marked if they are not found.
var ErrManyMissing = errors.New("replica: more than half of the records in a list are missing")

// ErrUnreadable reports that a record in a list cannot be read. The others are
// stored, and none is marked as deleted. The list is read again in each round.
var ErrUnreadable = errors.New("replica: a record in a list cannot be read")

// many is the number of missing records above which their share matters.
const many = 10

// question is a record that must be read by its id.
type question struct{ id, sent, parent string }

// walk reads a list: the changed records, or all if the list has no filter, was
// never complete, or has not been read whole for long. A mark in the future is
// that of a clock that was set back. The mark advances in the transaction of
// the last records, or after the reads of those that must be read by id. If an
// element cannot be read, or too many records are missing, nothing follows for
// those that the list did not have, and the mark stays.
func (r *round) walk(ctx context.Context, k *kind, l list) error {
	number := r.next()
	now := r.now.UnixNano()
	whole := k.since == "" || l.whole == 0 || l.mark > now || time.Duration(now-l.whole) >= r.options.Whole
	w := &walk{round: r, kind: k, list: l, number: number, whole: whole}
	var unreadable error // the first of them
	for text, err := range r.records(ctx, k, l, whole) {
		if _, one := errors.AsType[*practice.RecordError](err); one {
			unreadable = cmp.Or(unreadable, err)
			continue
		}
		if err != nil {
			return errors.Join(err, w.store(ctx, false))
		}
		found, err := k.decode(text, l.parent)
		if err != nil {
			unreadable = cmp.Or(unreadable, err)
			continue
		}
		found.number = number
		if w.some = append(w.some, found); len(w.some) == batch {
			if err := w.store(ctx, false); err != nil {
				return err
			}
		}
	}
	if unreadable != nil {
		unreadable = fmt.Errorf("%w: %w", ErrUnreadable, unreadable)
	}
	return w.end(ctx, unreadable)
}

// end ends a walk that has read the list. If doubt is not nil, only the records
// that the list has are stored, or read by their ids.
func (w *walk) end(ctx context.Context, doubt error) error {
	err := w.store(ctx, doubt == nil)
	if errors.Is(err, ErrManyMissing) {
		doubt, err = err, w.store(ctx, false)
	}
	if err != nil {
		return errors.Join(doubt, err)
	}
	for _, q := range w.asked {
		err := w.ask(ctx, w.kind, q, "")
		if errors.Is(err, ErrUnreadable) {
			doubt = cmp.Or(doubt, err)
		} else if err != nil && !errors.Is(err, practice.ErrForbidden) { // nothing follows for a record that may not be read by its id
			return errors.Join(doubt, err)
		}
	}
	if doubt != nil || len(w.asked) == 0 {
		return doubt
	}
	return w.writer.store.write(ctx, w.finish)
}

// next returns the number of a new walk. Numbers of which no transaction knows
// are given again after a restart.
func (w *writer) next() int64 {
	w.store.number++
	return w.store.number
}

// records yields the records of a list.
func (r *round) records(ctx context.Context, k *kind, l list, whole bool) iter.Seq2[json.RawMessage, error] {
	arguments := inPath(k.listing, l.sent)
	maps.Copy(arguments, k.arguments)
	if k.fields != "" {
		arguments["Fields"] = k.fields
	}
	if !whole {
		arguments[k.since] = time.Unix(0, l.mark).Add(-r.options.Overlap)
	}
	if !k.single() {
		return r.callAll(ctx, k.list, arguments)
	}
	return func(yield func(json.RawMessage, error) bool) {
		if k.list == readFirm && r.firm != nil {
			yield(r.firm, nil)
			return
		}
		var text []byte
		err := r.call(ctx, k.list, arguments, &text)
		if k.below != "" && errors.Is(err, practice.ErrNotFound) {
			return // like an empty list
		}
		yield(text, err)
	}
}

// walk is the walk over a list.
type walk struct {
	*round
	kind   *kind
	list   list
	number int64
	whole  bool
	some   []record   // that are not stored yet
	asked  []question // what must be read by its id
}

// store stores the records that were read, and at the end of the list what
// follows from those that it did not have.
func (w *walk) store(ctx context.Context, end bool) error {
	asked := len(w.asked)
	err := w.writer.store.write(ctx, func(tx *transaction) error {
		for i := range w.some {
			ask, err := tx.see(w.kind, &w.some[i], w.now)
			if err != nil {
				return err
			}
			if ask {
				w.asked = append(w.asked, question{w.some[i].key, w.some[i].id, w.list.parent})
			}
		}
		if !end {
			return nil
		}
		if w.whole {
			if err := w.missing(tx); err != nil {
				return err
			}
		}
		if len(w.asked) > 0 {
			return nil
		}
		return w.finish(tx)
	})
	if err != nil {
		w.asked = w.asked[:asked]
		return err
	}
	w.far.Records += len(w.some)
	w.some = w.some[:0]
	w.tell()
	return nil
}

// finish advances the mark of the list.
func (w *walk) finish(tx *transaction) error {
	l := w.list
	if l.mark = w.now.UnixNano(); w.whole {
		l.whole = l.mark
	}
	return tx.requested(w.kind, l, w.now)
}

// requested stores that a list was requested, and its marks, unless its parent was
// erased meanwhile.
func (t *transaction) requested(k *kind, l list, now time.Time) error {
	return t.run(`INSERT INTO %_lists SELECT ?, ?, ?, ?, ?
		WHERE ? = '' OR EXISTS (SELECT 1 FROM %_records WHERE kind = ? AND id = ?)
		ON CONFLICT (kind, parent) DO UPDATE SET mark = excluded.mark, whole = excluded.whole, tried = excluded.tried`,
		k.name, l.parent, l.mark, l.whole, now.UnixNano(), l.parent, k.below, l.parent)
}

// missing decides about the records that the whole list did not have.
func (w *walk) missing(tx *transaction) error {
	questions, present, err := tx.unseen(w.kind, w.list.parent, w.number)
	if err != nil {
		return err
	}
	if len(questions) > many && len(questions) > present/2 && !w.options.AllowMissing {
		return fmt.Errorf("%w: %d of %d", ErrManyMissing, len(questions), present)
	}
	if err := w.brake(tx, len(questions)); err != nil {
		return err
	}
	for _, q := range questions {
		was, err := tx.known(w.kind.name, q.id)
		if err != nil {
			return err
		}
		v := absent(was, w.kind.get != "")
		if v.ask {
			w.asked = append(w.asked, q)
			continue
		}
		if err := tx.settle(w.kind, q, v, w.now); err != nil {
			return err
		}
	}
	return nil
}

// brake refuses the absence of records that cannot be read by id if most of the
// kind were missing from their last lists: these may be short, and all empty.
func (w *walk) brake(tx *transaction, missing int) error {
	if missing == 0 || w.kind.get != "" || w.options.AllowMissing {
		return nil
	}
	var missed, present int
	err := tx.row(`SELECT count(CASE WHEN missed > 0 THEN 1 END), count(*) FROM %_records WHERE kind = ? AND NOT deleted`, w.kind.name).Scan(&missed, &present)
	if err == nil && missed > many && missed > present/2 {
		err = fmt.Errorf("%w: %d of %d of the kind", ErrManyMissing, missed, present)
	}
	return err
}

// unseen returns the records of a list that a walk did not have, and the number
// of those that were there.
func (t *transaction) unseen(k *kind, parent string, number int64) (all []question, present int, err error) {
	err = t.row(`SELECT count(*) FROM %_records WHERE kind = ? AND parent = ? AND NOT deleted`, k.name, parent).Scan(&present)
	if err != nil {
		return nil, 0, err
	}
	rows, err := t.rows(`SELECT id, sent, parent FROM %_records WHERE kind = ? AND parent = ? AND NOT deleted AND seen <> ?`, k.name, parent, number)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var q question
		if err := rows.Scan(&q.id, &q.sent, &q.parent); err != nil {
			return nil, 0, err
		}
		all = append(all, q)
	}
	return all, present, rows.Err()
}

// see stores what follows from a record in a response, and reports whether it
// must be read by its id. An erased record is left out.
func (t *transaction) see(k *kind, found *record, now time.Time) (ask bool, err error) {
	was, err := t.known(k.name, found.key)
	if err != nil {
		return false, err
	}
	if was.hash == "" {
		erased, err := t.erased(k.name, found.key)
		if err != nil || erased {
			return false, err
		}
	}
	v := see(was, found.sighting, k.get != "")
	if v.next.hash != was.hash || v.next.parent != was.parent || was.hash == "" {
		if err := t.put(k, found); err != nil {
			return false, err
		}
	}
	return v.ask, t.settle(k, question{found.key, found.id, found.parent}, v, now)
}

// settle stores what is known of a record now.
func (t *transaction) settle(k *kind, q question, v verdict, now time.Time) error {
	if v.change == Deleted || v.change == Restored {
		if err := t.mark(k, q.id, v.next.deleted); err != nil {
			return err
		}
	}
	return t.keep(k.name, q.id, q.sent, v, now)
}

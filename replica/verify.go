package replica

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	practice "github.com/practicesdk/practice-go"
)

// Difference is a record that differs between the copy and the service.
type Difference struct {
	Kind string
	ID   string // in lower case
	What Discrepancy
}

// Discrepancy is the kind of a Difference.
type Discrepancy string

// Discrepancies.
const (
	Missing   Discrepancy = "missing"   // the service has it, and the copy does not
	Different Discrepancy = "different" // a member has another value
	Left      Discrepancy = "left"      // the copy has it, and the service does not
)

// Verify reads every list completely, compares all members of all records with
// the JSON in the copy, passes the differences to report, and changes nothing.
// Records that have changed since the last round are differences, and so are all
// records of a kind that was never copied. Erased records, and lists that the
// client is not allowed to read, are skipped. Verify holds the ids of one list in
// memory at a time.
func (c *Copy) Verify(ctx context.Context, report func(Difference)) error {
	v := &verification{round: &round{writer: &writer{Copy: c, store: c.store}}, report: report}
	for _, k := range c.kinds {
		lists, err := v.due(ctx, k)
		for i := 0; err == nil && i < len(lists); i++ {
			err = v.compare(ctx, k, lists[i])
		}
		if err != nil {
			return fmt.Errorf("replica: %s: %w", k.name, err)
		}
	}
	return nil
}

// verification compares the copy with the service.
type verification struct {
	*round
	report func(Difference)
}

// compare compares a list with the records that the copy has of it.
func (v *verification) compare(ctx context.Context, k *kind, l list) error {
	seen, some := map[string]bool{}, []record{}
	for text, err := range v.records(ctx, k, l, true) {
		switch {
		case errors.Is(err, practice.ErrForbidden), errors.Is(err, practice.ErrUnauthorized), errors.Is(err, practice.ErrNotFound):
			return nil
		case err != nil:
			return err
		}
		found, err := k.decode(text, l.parent)
		if err != nil {
			return err
		}
		seen[found.key] = true
		if some = append(some, found); len(some) == batch {
			if err := v.compareSome(ctx, k, some); err != nil {
				return err
			}
			some = some[:0]
		}
	}
	if err := v.compareSome(ctx, k, some); err != nil {
		return err
	}
	return v.left(ctx, k, l, seen)
}

func (v *verification) compareSome(ctx context.Context, k *kind, some []record) error {
	for i := range some {
		what, err := v.store.read(ctx).discrepancy(k, &some[i])
		if err != nil {
			return err
		}
		if what != "" {
			v.report(Difference{k.name, some[i].key, what})
		}
	}
	return nil
}

// discrepancy returns how the copy of a record differs from it, or "". It compares
// the table that reports read, not the engine's own.
func (t *transaction) discrepancy(k *kind, found *record) (Discrepancy, error) {
	var (
		text    []byte
		deleted bool
	)
	err := t.row(`SELECT record, deleted FROM `+k.tableName()+` WHERE id = ?`, found.key).Scan(&text, &deleted)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		if erased, err := t.erased(k.name, found.key); err != nil || erased {
			return "", err
		}
		return Missing, nil
	case err != nil:
		return "", err
	case deleted && !found.deleted:
		return Missing, nil
	case found.deleted && !deleted:
		return Left, nil
	}
	was, err := k.decode(text, found.parent)
	is, unreadable := k.decode([]byte(found.text), found.parent) // decoding twice can omit empty members
	if err != nil || unreadable != nil || was.hash != is.hash {
		return Different, nil //nolint:nilerr // the text in the table is not a record
	}
	return "", nil
}

// left reports the records of a list that the service does not have. One that is
// found by its id, which may have moved between two pages, is compared.
func (v *verification) left(ctx context.Context, k *kind, l list, seen map[string]bool) error {
	all, _, err := v.store.read(ctx).unseen(k, l.parent, noWalk)
	if err != nil {
		return err
	}
	for _, q := range all {
		if seen[q.id] {
			continue
		}
		found, err := record{}, practice.ErrNotFound
		if k.get != "" {
			found, err = v.readByID(ctx, k, q)
		}
		if errors.Is(err, practice.ErrNotFound) {
			v.report(Difference{k.name, q.id, Left})
			continue
		}
		if err == nil {
			err = v.compareSome(ctx, k, []record{found})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noWalk is the number of no walk.
const noWalk = -1

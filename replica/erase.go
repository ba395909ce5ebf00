package replica

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// ErrUnknownKind reports a kind that the copy does not hold.
var ErrUnknownKind = errors.New("replica: the copy does not contain this kind of record")

// Erase removes a record, its JSON and its changes from the copy, and stores a
// keyed hash of its id, so that no later round brings it back. Other records
// that name it or repeat its contents are not changed, and the lists below it are
// no longer requested. In SQLite the freed pages are overwritten, and the
// write-ahead log is emptied; while a reader still needs the log, each round tries
// again.
func (c *Copy) Erase(ctx context.Context, kind, id string) error {
	k, id, err := c.record(kind, id)
	if err == nil {
		err = c.store.transact(ctx, func(tx *transaction) error { return tx.erase(k, id) })
	}
	if err != nil {
		return err
	}
	return c.store.clean(ctx)
}

func (t *transaction) erase(k *kind, id string) error {
	hash, err := t.hashOf(k.name, id)
	if err != nil {
		return err
	}
	return firstError(
		t.run(`INSERT INTO %_erased VALUES (?, ?) ON CONFLICT (kind, hash) DO NOTHING`, k.name, hash),
		t.run(`UPDATE %_source SET unclean = ? WHERE unclean = 0`, inLog),
		t.run(`DELETE FROM `+k.tableName()+` WHERE id = ?`, id),
		t.run(`DELETE FROM %_records WHERE kind = ? AND id = ?`, k.name, id),
		t.run(`DELETE FROM %_lists WHERE parent = ? AND kind IN (SELECT kind FROM %_kinds WHERE below = ?)`, id, k.name),
		t.run(`DELETE FROM %_hints WHERE kind = ? AND lower(id) = ?`, k.name, id),
		t.keepLast(),
		t.run(`DELETE FROM changes WHERE kind = ? AND id = ?`, k.name, id),
	)
}

// keepLast keeps the last number known when changes are removed.
func (t *transaction) keepLast() error {
	return t.run(`UPDATE %_source SET erased = (SELECT max(number) FROM changes) WHERE erased < (SELECT max(number) FROM changes)`)
}

// Unerase lets the next round that reads the record store it again.
func (c *Copy) Unerase(ctx context.Context, kind, id string) error {
	k, id, err := c.record(kind, id)
	if err != nil {
		return err
	}
	return c.store.transact(ctx, func(tx *transaction) error {
		hash, err := tx.hashOf(k.name, id)
		if err != nil {
			return err
		}
		return tx.run(`DELETE FROM %_erased WHERE kind = ? AND hash = ?`, k.name, hash)
	})
}

// record returns the kind and the id of a record as they are stored.
func (c *Copy) record(name, id string) (*kind, string, error) {
	k := c.kind(name)
	if k == nil {
		return nil, "", fmt.Errorf("%w: %q", ErrUnknownKind, name)
	}
	return k, strings.ToLower(id), nil
}

// erased reports whether a record was erased.
func (t *transaction) erased(kind, id string) (is bool, err error) {
	hash, err := t.hashOf(kind, id)
	if err != nil {
		return false, err
	}
	err = t.row(`SELECT EXISTS (SELECT 1 FROM %_erased WHERE kind = ? AND hash = ?)`, kind, hash).Scan(&is)
	return is, err
}

// hashOf returns the hash of an id, which tells nothing without the key.
func (t *transaction) hashOf(kind, id string) (string, error) {
	var key string
	if err := t.row(`SELECT secret FROM %_source`).Scan(&key); err != nil {
		return "", err
	}
	sum := hmac.New(sha256.New, []byte(key))
	_, _ = sum.Write([]byte(kind + " " + id)) // a hash cannot fail
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func firstError(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

package replica

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/sqltable"
)

// engine holds what the copy must know beside the records. Times are
// nanoseconds of the service's clock.
var engine = []string{
	`CREATE TABLE IF NOT EXISTS %_source (
		firm    TEXT NOT NULL,    -- id; empty before the first round
		epoch   INTEGER NOT NULL, -- increased by each process that begins to write
		number  INTEGER NOT NULL, -- of walks that have begun
		began   INTEGER NOT NULL, -- time of the last round
		pruned  INTEGER NOT NULL, -- last change that was removed
		secret  TEXT NOT NULL)    -- key of the hashes of erased ids`,
	`CREATE TABLE IF NOT EXISTS %_kinds (
		kind     TEXT PRIMARY KEY,
		below    TEXT NOT NULL,
		refused  TEXT NOT NULL)    -- why it cannot be read; empty: it can`,
	`CREATE TABLE IF NOT EXISTS %_lists (
		kind   TEXT NOT NULL,
		parent TEXT NOT NULL,    -- empty for a list of the firm
		mark   INTEGER NOT NULL, -- when the last complete walk began
		whole  INTEGER NOT NULL, -- when the last complete walk over the whole list began
		PRIMARY KEY (kind, parent))`,
	`CREATE TABLE IF NOT EXISTS %_records (
		kind    TEXT NOT NULL,
		id      TEXT NOT NULL,    -- in lower case
		sent    TEXT NOT NULL,    -- id as the service wrote it
		stamp   INTEGER NOT NULL,
		hash    TEXT NOT NULL,
		parent  TEXT NOT NULL,
		deleted INTEGER NOT NULL,
		proven  INTEGER NOT NULL,
		missed  INTEGER NOT NULL,
		seen    INTEGER NOT NULL,
		read    INTEGER NOT NULL,
		touched INTEGER NOT NULL, -- time of the round that last changed it
		PRIMARY KEY (kind, id))`,
	`CREATE INDEX IF NOT EXISTS %_of_parents ON %_records (kind, parent)`,
	`CREATE TABLE IF NOT EXISTS %_hints (
		kind   TEXT NOT NULL,
		id     TEXT NOT NULL,
		parent TEXT NOT NULL,
		PRIMARY KEY (kind, id))`,
	`CREATE TABLE IF NOT EXISTS %_erased (
		kind TEXT NOT NULL,
		hash TEXT NOT NULL,
		PRIMARY KEY (kind, hash))`,
	`CREATE TABLE IF NOT EXISTS %_impersonal (
		done INTEGER NOT NULL)  -- whether the personal data are out of the file; no row: they are in it`,
	`CREATE TABLE IF NOT EXISTS changes (
		number INTEGER PRIMARY KEY AUTOINCREMENT,
		kind   TEXT NOT NULL,
		id     TEXT NOT NULL,
		what   TEXT NOT NULL,
		at     INTEGER NOT NULL)`,
}

// ErrTakenOver reports that another process now writes to this copy. What was
// already stored remains.
var ErrTakenOver = errors.New("replica: another process has taken over this copy")

// store executes statements of the copy. Its transactions begin with a write,
// so that none reads what another is about to change.
type store struct {
	sqltable.Table
	epoch  int64
	number int64 // of walks that have begun; each transaction stores it

	impersonal bool // whether this process stores no personal data
}

func (s *store) create(ctx context.Context, secret string) error {
	if err := s.Create(ctx, engine...); err != nil {
		return err
	}
	_, err := s.Exec(ctx, s.DB, `INSERT INTO %_source SELECT '', 0, 0, 0, 0, ? WHERE NOT EXISTS (SELECT 1 FROM %_source)`, secret)
	return err
}

// begin makes this process the writer, unless it would store personal data in a
// copy from which another process has removed them.
func (s *store) begin(ctx context.Context) error {
	err := s.Row(ctx, `UPDATE %_source SET epoch = epoch + 1 WHERE ? OR NOT EXISTS (SELECT 1 FROM %_impersonal) RETURNING epoch, number`, s.impersonal).
		Scan(&s.epoch, &s.number)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrTakenOver
	}
	return err
}

// vacuum rewrites the file without what was removed, and reports whether the log
// is empty, too.
func (s *store) vacuum(ctx context.Context) (clean bool, err error) {
	if _, err := s.DB.ExecContext(ctx, `VACUUM`); err != nil {
		return false, err
	}
	var busy, frames, moved int
	err = s.DB.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved)
	return busy == 0, err
}

// write executes do in a transaction of the writer.
func (s *store) write(ctx context.Context, do func(*transaction) error) error {
	return s.transact(ctx, func(tx *transaction) error {
		changed, err := tx.exec(`UPDATE %_source SET number = ? WHERE epoch = ?`, s.number, s.epoch)
		if err == nil && changed == 0 {
			err = ErrTakenOver
		}
		if err != nil {
			return err
		}
		return do(tx)
	})
}

// transact executes do in a transaction, which is committed only if do succeeds.
func (s *store) transact(ctx context.Context, do func(*transaction) error) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	if err := do(&transaction{s.Table, ctx, tx}); err != nil {
		return err
	}
	return tx.Commit()
}

// transaction executes statements in a transaction.
type transaction struct {
	sqltable.Table
	ctx context.Context //nolint:containedctx // it lives as long as the transaction
	tx  *sql.Tx
}

func (t *transaction) exec(text string, args ...any) (int64, error) {
	return t.Exec(t.ctx, t.tx, text, args...)
}

func (t *transaction) run(text string, args ...any) error {
	_, err := t.exec(text, args...)
	return err
}

func (t *transaction) row(text string, args ...any) *sql.Row {
	return t.tx.QueryRowContext(t.ctx, t.Statement(text), args...)
}

// known returns what the copy knows of a record.
func (t *transaction) known(kind, id string) (k known, err error) {
	err = t.row(`SELECT stamp, hash, parent, deleted, proven, missed, seen, read FROM %_records WHERE kind = ? AND id = ?`, kind, id).
		Scan(&k.stamp, &k.hash, &k.parent, &k.deleted, &k.proven, &k.missed, &k.seen, &k.read)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return k, err
}

// keep stores what is known of a record, and its change.
func (t *transaction) keep(kind, id, sent string, v verdict, now time.Time) error {
	k := v.next
	err := t.run(`INSERT INTO %_records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (kind, id) DO UPDATE SET stamp = excluded.stamp, hash = excluded.hash, parent = excluded.parent, deleted = excluded.deleted,
		proven = excluded.proven, missed = excluded.missed, seen = excluded.seen, read = excluded.read`,
		kind, id, sent, k.stamp, k.hash, k.parent, k.deleted, k.proven, k.missed, k.seen, k.read, now.UnixNano())
	if err != nil || v.change == none {
		return err
	}
	if err := t.run(`UPDATE %_records SET touched = ? WHERE kind = ? AND id = ?`, now.UnixNano(), kind, id); err != nil {
		return err
	}
	return t.run(`INSERT INTO changes (kind, id, what, at) VALUES (?, ?, ?, ?)`, kind, id, string(v.change), now.UnixNano())
}

// put writes a record into the table of its kind.
func (t *transaction) put(k *kind, r *record) error {
	names := []string{"id", "version", "changed", "deleted", "record"}
	values := []any{r.key, nilIfEmpty(r.version), changedAt(r.stamp), r.deleted, r.text}
	for _, c := range k.columns {
		names, values = append(names, quoted(c.name)), append(values, k.value(c, r))
	}
	var updates []string
	for _, name := range names[1:] {
		updates = append(updates, name+" = excluded."+name)
	}
	return t.run(fmt.Sprintf(`INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (id) DO UPDATE SET %s`, k.tableName(), strings.Join(names, ", "),
		strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", "), strings.Join(updates, ", ")), values...)
}

// mark sets whether a record is deleted.
func (t *transaction) mark(k *kind, id string, deleted bool) error {
	return t.run(`UPDATE `+k.tableName()+` SET deleted = ? WHERE id = ?`, deleted, id)
}

func quoted(name string) string { return `"` + name + `"` }

func (k *kind) tableName() string { return k.name + "_all" }

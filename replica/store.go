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

// ErrTakenOver reports that another process now writes to this copy. What was
// already stored remains.
var ErrTakenOver = errors.New("replica: another process has taken over this copy")

// store executes statements of the copy. Its transactions begin with a write,
// so that none reads what another is about to change.
type store struct {
	sqltable.Table
	dialect
	epoch  int64
	number int64 // of walks that have begun; each transaction stores it

	impersonal bool // whether this process stores no personal data
}

// begin makes this process the writer, unless it would store personal data in a
// copy from which another process has removed them.
func (s *store) begin(ctx context.Context) error {
	err := s.transact(ctx, func(tx *transaction) error {
		return tx.row(`UPDATE %_source SET epoch = epoch + 1 WHERE ? OR NOT EXISTS (SELECT 1 FROM %_impersonal) RETURNING epoch, number`, s.impersonal).
			Scan(&s.epoch, &s.number)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return ErrTakenOver
	}
	return err
}

// Places that may still contain removed data.
const (
	inLog  = 1
	inFile = 2
)

// clean empties the log and, if necessary, rewrites the file, after data was
// removed. If a reader still needs the log, the next round tries again.
func (s *store) clean(ctx context.Context) error {
	var unclean int
	if err := s.Row(ctx, `SELECT unclean FROM %_source`).Scan(&unclean); err != nil || unclean == 0 {
		return err
	}
	if !s.numbered() { // PostgreSQL does both itself
		if unclean == inFile {
			if _, err := s.DB.ExecContext(ctx, `VACUUM`); err != nil {
				return err
			}
		}
		var busy, frames, moved int
		if err := s.DB.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved); err != nil || busy != 0 {
			return err
		}
	}
	_, err := s.Exec(ctx, s.DB, `UPDATE %_source SET unclean = 0 WHERE unclean = ?`, unclean)
	return err
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
	tx, err := s.DB.BeginTx(ctx, s.isolation)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	t := &transaction{s, ctx, tx}
	if err := t.run(s.lock); err != nil {
		return err
	}
	if err := do(t); err != nil {
		return err
	}
	return tx.Commit()
}

// transaction executes statements in a transaction.
type transaction struct {
	*store
	ctx context.Context //nolint:containedctx // it lives as long as the transaction
	on  executor
}

// executor is a database or a transaction.
type executor interface {
	sqltable.Executor
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (t *transaction) exec(text string, args ...any) (int64, error) {
	return t.Exec(t.ctx, t.on, text, args...)
}

func (t *transaction) run(text string, args ...any) error {
	_, err := t.exec(text, args...)
	return err
}

func (t *transaction) rows(text string, args ...any) (*sql.Rows, error) {
	return t.on.QueryContext(t.ctx, t.Statement(text), args...)
}

func (t *transaction) row(text string, args ...any) *sql.Row {
	return t.on.QueryRowContext(t.ctx, t.Statement(text), args...)
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
	for _, c := range t.columnsOf(k) {
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

func (k *kind) tableName() string { return tableOf(k.name) }

func tableOf(kind string) string { return kind + "_all" }

// read returns what executes statements without a transaction.
func (s *store) read(ctx context.Context) *transaction { return &transaction{s, ctx, s.DB} }
